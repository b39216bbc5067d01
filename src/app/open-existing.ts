import { existsSync } from 'node:fs';
import type { Db } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrations.gen.ts';
import { openDatabaseFile, storagePaths } from '../db/storage.ts';
import { StartupError } from '../lib/startup-error.ts';

/**
 * The database that a server made, for a command that works on it, beside the server or without it. Where there is none nothing is made: a
 * mistyped DATA_DIR would look like a server that lost everything. `any`: the command only copies, whatever the schema.
 */
export function openExisting(dataDir: string, schema: 'ours' | 'any'): Db {
  requireDatabase(dataDir);
  const db = openDatabaseFile(storagePaths(dataDir).database);
  try {
    if (schema === 'ours') refuseOtherSchema(db);
    return db;
  } catch (error) {
    db.connection.close();
    throw error;
  }
}

export function requireDatabase(dataDir: string): void {
  if (existsSync(storagePaths(dataDir).database)) return;
  throw new StartupError(`There is no database in ${dataDir}.`, 'Set DATA_DIR to where the server keeps its data.');
}

/** These commands bring no database up to date: that is the server's, after a copy. */
function refuseOtherSchema(db: Db): void {
  const schema = db.connection.pragma('user_version', { simple: true });
  if (schema === MIGRATIONS.length) return;
  throw new StartupError(
    `The database has schema ${String(schema)}, this version works with ${MIGRATIONS.length}.`,
    'Use the version of the server that runs, or start this one first.',
  );
}
