import { VERSION } from '../config/version.ts';

type Command = (args: readonly string[]) => Promise<void>;

/** What the program can do, by the word that asks for it; only what is asked for is loaded. */
export const COMMANDS = {
  serve: async () => (await import('./serve.ts')).serve(),
  migrate: async () => (await import('./keep-database.ts')).migrate(),
  backup: async (args) => (await import('./keep-database.ts')).backup(args),
  restore: async (args) => (await import('./keep-database.ts')).restore(args),
  'rotate-key': async () => (await import('./rotate-key.ts')).runRotateKey(),
  'reset-2fa': async (args) => (await import('./reset-two-factor.ts')).runResetTwoFactor(args),
  outbox: async (args) => (await import('./outbox.ts')).runOutbox(args),
  doctor: async () => (await import('./doctor.ts')).runDoctor(),
  messages: async (args) => (await import('./messages.ts')).printMessages(args),
  version: async () => console.log(VERSION),
  ...remoteCommands(),
} as const satisfies Record<string, Command>;

export function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}

/** `stores`, `pairs`, `sync`, ...: of a server that runs. */
function remoteCommands(): Record<string, Command> {
  const groups = ['stores', 'pairs', 'sync', 'conflicts', 'problems', 'records'];
  return Object.fromEntries(
    groups.map((group): [string, Command] => [
      group,
      async (args) => (await import('./remote/run-remote.ts')).runRemote(group, args),
    ]),
  );
}
