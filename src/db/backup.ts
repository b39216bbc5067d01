import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { compactTimestamp } from '../lib/time.ts';
import type { Db } from './database.ts';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './migrations.gen.ts';

export interface BackupInfo {
  readonly file: string;
  readonly sizeBytes: number;
  /** Schema number of the copy. */
  readonly schema: number;
}

export interface BackupOptions {
  /** Finishes the copy; a server has another thread do it, for it holds up whoever does it for seconds. */
  readonly finish?: (partial: string) => FinishedCopy | Promise<FinishedCopy>;
  /** Gives the copy up between two steps. */
  readonly signal?: AbortSignal;
}

/** What is known of a copy that has no name of its own yet. */
export type FinishedCopy = Omit<BackupInfo, 'file'>;

/** Pages copied before others get a turn: about 2 MB. */
const PAGES_PER_STEP = 500;
/** The last step waits until all is on the disk: what another thread has brought there before holds up nobody then. */
const STEPS_PER_FLUSH = 8;

/**
 * Copies the open database to `file` while it is in use, and proves the copy by a full integrity check. The file appears under its name only
 * when it is whole. The copy holds credentials only in sealed form: the key that opens them is kept apart, and has to be kept too.
 */
export async function backupDatabase(
  db: Db,
  file: string,
  { finish = finishCopy, signal }: BackupOptions = {},
): Promise<BackupInfo> {
  if (existsSync(file)) throw new StartupError(`${file} exists already.`, 'Choose another name for the backup.');
  const partial = `${file}.partial`;
  let steps = 0;
  let flushing: Promise<void> | null = null;
  try {
    makeDirectory(dirname(file));
    rmSync(partial, { force: true });
    await db.connection.backup(partial, {
      progress() {
        signal?.throwIfAborted();
        steps++;
        if (steps % STEPS_PER_FLUSH === 0) flushing ??= flush(partial).finally(() => (flushing = null));
        return PAGES_PER_STEP;
      },
    });
    await flushing;
    const { schema, sizeBytes } = await finish(partial);
    signal?.throwIfAborted();
    publish(partial, file);
    return { file, schema, sizeBytes };
  } catch (error) {
    // On a full disk what is left of it would keep the room that the server needs.
    removeCopy(partial);
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The backup could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}`,
      'Free some space, or name another place. The database is as it was.',
    );
  }
}

/** Makes one file of a copy, proves it, and sees that it is on the disk. */
export function finishCopy(partial: string): FinishedCopy {
  makeSelfContained(partial);
  chmodSync(partial, 0o600);
  const { schema, sizeBytes } = verifyBackup(partial);
  syncToDisk(partial);
  return { schema, sizeBytes };
}

/** SQLite flushes it once more: a failure is told by that. To close it drops SQLite's lock on the copy, which nobody else opens before it has its name. */
async function flush(file: string): Promise<void> {
  try {
    const handle = await promises.open(file, 'r+');
    await handle.datasync().finally(() => handle.close());
  } catch {
    // See above.
  }
}

/** With what SQLite may have left beside it. */
function removeCopy(file: string): void {
  if (!existsSync(dirname(file)) || !statSync(dirname(file)).isDirectory()) return;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Reads a backup from end to end. Throws `StartupError` when it is damaged, not ours, or newer than this program. */
export function verifyBackup(file: string): BackupInfo {
  if (!existsSync(file)) throw new StartupError(`There is no file ${file}.`, 'Check the path.');
  const damaged = (detail: string): StartupError =>
    new StartupError(`${file} is no whole backup: ${detail}`, 'Use another backup.');
  if (!statSync(file).isFile()) throw damaged('it is no file');
  const connection = new Database(file, { readonly: true });
  try {
    const schema = connection.pragma('user_version', { simple: true }) as number;
    if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw damaged('it is not ours');
    if (schema > MIGRATIONS.length) {
      throw new StartupError(
        `${file} has schema ${schema}; this version knows schemas up to ${MIGRATIONS.length}.`,
        'Restore it with the version that made it, or a newer one.',
      );
    }
    const rows = connection.pragma('integrity_check(5)') as readonly { readonly integrity_check: string }[];
    const text = rows.map((row) => row.integrity_check).join('; ');
    if (text !== 'ok') throw damaged(text);
    return { file, schema, sizeBytes: statSync(file).size };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  } finally {
    connection.close();
  }
}

/**
 * Puts a verified backup in the place of `target`. The caller holds the process lock. What was there is kept in `keepDir`, and its path returned
 * (null: there was nothing). The change itself is one rename: a crash leaves either the old database or the restored one.
 */
export function restoreBackup(backup: string, target: string, keepDir: string, nowMs: number): string | null {
  verifyBackup(backup);
  const partial = `${target}.restoring`;
  // The database of a server that was killed has its last changes in the log beside it; one that an earlier try left here belongs to nothing.
  const removePartial = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
  };
  try {
    makeDirectory(dirname(target));
    removePartial();
    for (const suffix of ['', '-wal']) {
      if (!existsSync(backup + suffix)) continue;
      copyFileSync(backup + suffix, partial + suffix);
      chmodSync(partial + suffix, 0o600);
    }
    markStockRestored(partial);
    makeSelfContained(partial);
    verifyBackup(partial);
    syncToDisk(partial);
    const kept = existsSync(target) ? keepAside(target, keepDir, nowMs) : null;
    publish(partial, target);
    return kept;
  } catch (error) {
    // On a full disk what is left of it would keep the room that the server needs.
    removePartial();
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The backup could not be put into ${target}: ${error instanceof Error ? error.message : String(error)}`,
      'Free some space, and try again. The database is as it was.',
    );
  }
}

/** [S14] What was sold since the backup was made stands on both sides already, if a server went on: it must not be counted as two sales. */
function markStockRestored(file: string): void {
  const connection = new Database(file);
  try {
    connection.exec("UPDATE variant SET stock_state = 'restored' WHERE stock_state = 'live'");
    // [V5] A variation that was hidden may have been shown again since: what it held then is nothing to count from, and the smaller number counts [S7].
    connection.exec('UPDATE variant SET removed_base = NULL WHERE removed_base IS NOT NULL');
  } finally {
    connection.close();
  }
}

/** A write-ahead log of the old file must never be found beside the new one: SQLite would play it into it. */
function keepAside(target: string, keepDir: string, nowMs: number): string {
  makeDirectory(keepDir);
  const kept = join(keepDir, `before-restore-${compactTimestamp(nowMs)}.db`);
  try {
    makeSelfContained(target);
  } catch {
    // Too damaged to open: its log is kept beside it, for whoever tries to rescue it.
    for (const suffix of ['-wal', '-shm']) {
      if (existsSync(target + suffix)) renameSync(target + suffix, kept + suffix);
    }
  }
  rmSync(kept, { force: true });
  try {
    linkSync(target, kept);
  } catch {
    // File systems without hard links.
    copyFileSync(target, kept);
  }
  return kept;
}

/** Brings the write-ahead log into the file, and leaves a single file that can be moved. */
function makeSelfContained(file: string): void {
  const connection = new Database(file);
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.pragma('journal_mode = DELETE');
  } finally {
    connection.close();
  }
}

function publish(partial: string, file: string): void {
  syncToDisk(partial);
  renameSync(partial, file);
  syncToDisk(dirname(file));
}

function syncToDisk(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
