import { VERSION } from '../config/version.ts';
import { StartupError } from '../lib/startup-error.ts';

type Command = (args: readonly string[]) => Promise<void>;

const REMOTE_GROUPS = ['stores', 'pairs', 'sync', 'conflicts', 'problems', 'records'] as const;

/** Whether a running server is asked: such a command explains itself. */
export function isRemote(name: string): boolean {
  return (REMOTE_GROUPS as readonly string[]).includes(name);
}

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
  newsletter: async () => (await import('./newsletter.ts')).printNewsletter(),
  version: async () => console.log(VERSION),
  ...remoteCommands(),
} as const satisfies Record<string, Command>;

/** How many arguments a command takes at most; those of a running server look at theirs themselves. */
const ARGUMENTS_MAX: Readonly<Record<string, number>> = {
  ...{ serve: 0, migrate: 0, 'rotate-key': 0, doctor: 0, newsletter: 0, version: 0 },
  ...{ backup: 1, restore: 1, 'reset-2fa': 1, outbox: 1, messages: 1 },
};

/** Throws where `args` say something that `command` would pass over: who writes `serve --port 80` means it. */
export function refuseArguments(command: keyof typeof COMMANDS, args: readonly string[], usage: string): void {
  const max = ARGUMENTS_MAX[command];
  if (max === undefined) return;
  const odd = args.find((arg, at) => at >= max || arg.startsWith('-'));
  if (odd !== undefined)
    throw new StartupError(`"${command}" takes no "${odd}". Settings are environment variables.`, usage);
}

export function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}

/** `stores`, `pairs`, `sync`, ...: of a server that runs. */
function remoteCommands(): Record<string, Command> {
  return Object.fromEntries(
    REMOTE_GROUPS.map((group): [string, Command] => [
      group,
      async (args) => (await import('./remote/run-remote.ts')).runRemote(group, args),
    ]),
  );
}
