import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { BRAND } from '../brand.ts';
import { loadConfig } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { backupDatabase, restoreBackup } from '../db/backup.ts';
import { acquireProcessLock, type LockOwner } from '../db/process-lock.ts';
import { openStorage, prepareDirectory, storagePaths } from '../db/storage.ts';
import { StartupError } from '../lib/startup-error.ts';
import { compactTimestamp, isoTime } from '../lib/time.ts';
import { openExisting } from './open-existing.ts';

/** Brings the database to this version's schema. */
export async function migrate(): Promise<void> {
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
export async function backup(args: readonly string[]): Promise<void> {
  const { dataDir } = loadConfig();
  const paths = storagePaths(dataDir);
  const file =
    args[0] === undefined ? join(paths.backups, `${BRAND.slug}-${compactTimestamp(Date.now())}.db`) : resolve(args[0]);
  const db = openExisting(dataDir, 'any');
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

/** Puts a backup in place. */
export async function restore(args: readonly string[]): Promise<void> {
  const [file] = args;
  if (file === undefined) throw new StartupError('Which backup?', `Give its path: ${BRAND.slug} restore <file>`);
  const { dataDir } = loadConfig();
  const paths = storagePaths(dataDir);
  // On a new machine there is none yet.
  prepareDirectory(dataDir);
  const lock = acquireProcessLock(dataDir, owner());
  try {
    const kept = restoreBackup(resolve(file), paths.database, paths.backups, Date.now());
    console.log(`Restored ${paths.database}.${kept === null ? '' : ` What was there is kept as ${kept}`}`);
    console.log(
      'If another server still works with these stores, stop it before you start this one: each would take what the other writes for sales.',
    );
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
