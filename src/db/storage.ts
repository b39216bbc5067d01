import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { type Db, isDiskError, openDatabase } from './database.ts';
import { endDurable } from './durable.ts';
import { type MigrateResult, migrateDatabase } from './migrate.ts';
import { acquireProcessLock, type LockOwner } from './process-lock.ts';

export interface StorageOptions {
  readonly dataDir: string;
  /** The program's version. */
  readonly version: string;
  readonly owner: LockOwner;
  readonly nowMs: number;
}

/** The data directory, opened by this process alone. */
export interface Storage {
  readonly db: Db;
  readonly paths: StoragePaths;
  readonly migration: MigrateResult;
  /** Brings the write-ahead log into the file, closes it and gives the directory free. */
  close(): void;
}

export interface StoragePaths {
  readonly database: string;
  readonly backups: string;
}

export function storagePaths(dataDir: string): StoragePaths {
  return { database: join(dataDir, 'twinshelf.db'), backups: join(dataDir, 'backups') };
}

/** Locks the data directory, opens the database in it and brings it to this program's schema. Throws `StartupError` with the remedy. */
export function openStorage(options: StorageOptions): Storage {
  const { dataDir } = options;
  const paths = storagePaths(dataDir);
  prepareDirectory(dataDir);
  requireWritable(dataDir);
  const lock = acquireProcessLock(dataDir, options.owner);
  try {
    const db = openDatabaseFile(paths.database);
    try {
      const { version, nowMs } = options;
      const migration = migrateDatabase(db, { backupDir: paths.backups, nowMs, version });
      return {
        db,
        paths,
        migration,
        close() {
          try {
            endDurable(db);
            db.connection.pragma('wal_checkpoint(TRUNCATE)');
          } finally {
            db.connection.close();
            lock.release();
          }
        },
      };
    } catch (error) {
      db.connection.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Makes the data directory where there is none. Throws `StartupError` where it can not be written. */
export function prepareDirectory(dataDir: string): void {
  try {
    makeDirectory(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(
      `DATA_DIR ${dataDir} can not be written: ${wordsOf(error)}`,
      `Make it writable ${REMEDY}, or set DATA_DIR to another directory.`,
    );
  }
}

const REMEDY = 'for the user that runs this (in a container: chown -R 1000:1000 on the volume, or --user)';

/**
 * Throws `StartupError` where a file is there that can not be written, as one that another user has restored. SQLite opens it all the same, for reading, and
 * locks it for nobody.
 */
export function requireWritable(dataDir: string): void {
  const { database } = storagePaths(dataDir);
  const files = [database, `${database}-wal`, `${database}-shm`, join(dataDir, 'process.lock')];
  for (const file of files.filter((one) => existsSync(one))) {
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new StartupError(`${file} can not be written: ${wordsOf(error)}`, `Make it writable ${REMEDY}.`);
    }
  }
}

/** Closes what a start that failed had opened, and says what it failed of. */
export function startFailure(storage: Storage, error: unknown): unknown {
  try {
    storage.close();
  } catch {
    // What failed first is what is told.
  }
  return isDiskError(error) ? diskFailure(storage.paths.database, error) : error;
}

function diskFailure(file: string, error: unknown): StartupError {
  const remedy = 'Free some space on its disk, and see that nothing keeps its directory from being written.';
  return new StartupError(`The database ${file} can not be written: ${wordsOf(error)}`, remedy);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws `StartupError` where the file can not be opened. */
export function openDatabaseFile(file: string): Db {
  try {
    return openDatabase({ file });
  } catch (error) {
    if (isDiskError(error) && (error as { code?: unknown }).code !== 'SQLITE_CANTOPEN') throw diskFailure(file, error);
    throw new StartupError(
      `The database ${file} can not be opened: ${wordsOf(error)}`,
      'Check that it is a regular file of ours and readable; restore a backup (twinshelf restore) if it is damaged.',
    );
  }
}
