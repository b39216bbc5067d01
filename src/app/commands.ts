import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { findWebDir, startApp } from '../app.ts';
import { BRAND } from '../brand.ts';
import { loadConfig } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { backupDatabase, restoreBackup } from '../db/backup.ts';
import { openDatabase } from '../db/database.ts';
import { acquireProcessLock, type LockOwner } from '../db/process-lock.ts';
import { openStorage, storagePaths } from '../db/storage.ts';
import { StartupError } from '../lib/startup-error.ts';
import { compactTimestamp, isoTime } from '../lib/time.ts';
import { createLog } from '../system/log.ts';
import { runDoctor } from './doctor.ts';
import { printMessages } from './messages.ts';
import { runOutbox } from './outbox.ts';
import { runResetTwoFactor } from './reset-two-factor.ts';
import { runRotateKey } from './rotate-key.ts';

type Command = (args: readonly string[]) => Promise<void>;

/** What the program can do, by the word that asks for it. */
export const COMMANDS = {
  serve,
  migrate,
  backup,
  restore,
  'rotate-key': runRotateKey,
  'reset-2fa': runResetTwoFactor,
  outbox: runOutbox,
  doctor: runDoctor,
  messages: printMessages,
  version: async () => console.log(VERSION),
  ...remoteCommands(),
} as const satisfies Record<string, Command>;

export function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}

/** `stores`, `pairs`, `sync`, ...: loaded only when one of them is called. */
function remoteCommands(): Record<string, Command> {
  const groups = ['stores', 'pairs', 'sync', 'conflicts', 'problems', 'records'];
  return Object.fromEntries(
    groups.map((group): [string, Command] => [
      group,
      async (args) => (await import('./remote/run-remote.ts')).runRemote(group, args),
    ]),
  );
}

async function serve(): Promise<void> {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, format: process.stdout.isTTY ? 'text' : 'json' });
  const app = await startApp({ config, log, webDir: findWebDir(), showSetupToken });
  log.info({ version: VERSION, url: app.url, dataDir: config.dataDir, demo: config.demo }, `${BRAND.name} is running`);
  console.log(`\n  ${BRAND.name} ${VERSION} is running: ${config.server.publicUrl ?? app.url}\n`);
  process.send?.({ ready: app.url });
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    app.stop().catch((error: unknown) => {
      log.error({ error: String(error) }, 'the server did not stop in order');
      process.exitCode = 1;
    });
  };
  // Asked twice, Node's own handler ends the process at once: what matters is in the database by then.
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** On standard output and not through the log, which would hide it. */
function showSetupToken(token: string): void {
  console.log(`\n  The first account of this instance needs this set-up token: ${token}\n`);
}

async function migrate(): Promise<void> {
  const storage = openStorage(storageOptions());
  const { from, to, backupFile } = storage.migration;
  storage.close();
  if (from === to) console.log(`The database has schema ${to} already.`);
  else
    console.log(
      `Brought the database from schema ${from} to ${to}.${backupFile === null ? '' : ` The copy from before: ${backupFile}`}`,
    );
}

/** Works beside a running server: the copy is made through SQLite, page by page. */
async function backup(args: readonly string[]): Promise<void> {
  const { dataDir } = loadConfig();
  const paths = storagePaths(dataDir);
  const file =
    args[0] === undefined ? join(paths.backups, `${BRAND.slug}-${compactTimestamp(Date.now())}.db`) : resolve(args[0]);
  const db = openDatabase({ file: paths.database });
  try {
    const info = await backupDatabase(db, file);
    console.log(`${info.file} (${info.sizeBytes} bytes, schema ${info.schema}, checked from end to end)`);
    console.log(
      'Accounts and credentials in it open with their key only: keep encryption.key of the data directory (or ENCRYPTION_KEY) as well, elsewhere.',
    );
  } finally {
    db.connection.close();
  }
}

async function restore(args: readonly string[]): Promise<void> {
  const [file] = args;
  if (file === undefined) throw new StartupError('Which backup?', `Give its path: ${BRAND.slug} restore <file>`);
  const { dataDir } = loadConfig();
  const paths = storagePaths(dataDir);
  const lock = acquireProcessLock(dataDir, owner());
  try {
    const kept = restoreBackup(resolve(file), paths.database, paths.backups, Date.now());
    console.log(`Restored ${paths.database}.${kept === null ? '' : ` What was there is kept as ${kept}`}`);
  } finally {
    lock.release();
  }
}

function storageOptions(): Parameters<typeof openStorage>[0] {
  return { dataDir: loadConfig().dataDir, version: VERSION, owner: owner(), nowMs: Date.now() };
}

function owner(): LockOwner {
  return { pid: process.pid, host: hostname(), startedAt: isoTime(Date.now()) };
}
