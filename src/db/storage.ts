import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { type Db, openDatabase } from './database.ts';
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
          endDurable(db);
          db.connection.pragma('wal_checkpoint(TRUNCATE)');
          db.connection.close();
          lock.release();
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
      `DATA_DIR ${dataDir} can not be written: ${error instanceof Error ? error.message : String(error)}`,
      `Make it writable for the user that runs this (in a container: chown -R 1000:1000 on the volume, or --user), or set DATA_DIR to another directory.`,
    );
  }
}

/** Throws `StartupError` where the file can not be opened. */
export function openDatabaseFile(file: string): Db {
  try {
    return openDatabase({ file });
  } catch (error) {
    throw new StartupError(
      `The database ${file} can not be opened: ${error instanceof Error ? error.message : String(error)}`,
      'Check that it is a regular file of ours and readable; restore a backup (twinshelf restore) if it is damaged.',
    );
  }
}
