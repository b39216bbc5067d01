import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fingerprint } from '../lib/hash.ts';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { compactTimestamp } from '../lib/time.ts';
import type { Db } from './database.ts';
import { MIGRATIONS } from './migrations.gen.ts';

/** One step of the schema, forward only. `number` counts from 1 without gaps and is the database's `user_version` after it. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export interface MigrateOptions {
  /** Where the copy of an existing file goes before its schema is touched. */
  readonly backupDir: string;
  /** Milliseconds; stamps the name of the copy. */
  readonly nowMs: number;
  /** The program's version, for messages and the copy's name. */
  readonly version: string;
  readonly migrations?: readonly Migration[];
}

export interface MigrateResult {
  readonly from: number;
  readonly to: number;
  /** The copy that was made first; null when there was nothing to lose. */
  readonly backupFile: string | null;
}

/** "TwSh": tells our files from other people's SQLite files. */
export const APPLICATION_ID = 0x54775368;
/** Left free beside the copy and the rewritten tables, so that a nearly full disk is refused before anything is touched. */
const SPARE_BYTES = 32 * 1024 * 1024;

/**
 * Brings the open database to this program's schema. An existing file is checked and copied first; each migration is one transaction.
 * Throws `StartupError` for a newer database, a foreign or damaged file, and a disk without room for the copy.
 */
export function migrateDatabase(db: Db, options: MigrateOptions): MigrateResult {
  const { connection } = db;
  const migrations = options.migrations ?? MIGRATIONS;
  const from = schemaVersion(db);
  const to = migrations.length;
  refuseForeign(db, from);
  if (from > to) {
    throw new StartupError(
      `The database ${connection.name} has schema ${from}; this version (${options.version}) knows schemas up to ${to}.`,
      `Start the newer version again, or restore the copy that it made before upgrading (in ${options.backupDir}). Nothing was changed.`,
    );
  }
  refuseChangedHistory(db, migrations.slice(0, from));
  const pending = migrations.slice(from);
  if (pending.length === 0) return { from, to, backupFile: null };

  let backupFile: string | null = null;
  if (from > 0) {
    quickCheck(connection, connection.name);
    backupFile = copyBefore(db, from, to, options);
  }
  // A rebuilt table would otherwise cascade into the tables that point at it; inside a transaction the pragma has no effect.
  connection.pragma('foreign_keys = OFF');
  try {
    for (const migration of pending) applyMigration(db, migration);
  } finally {
    connection.pragma('foreign_keys = ON');
  }
  if (from > 0) quickCheck(connection, connection.name);
  return { from, to, backupFile };
}

/** The fast path for an empty database in memory: all migrations in one go, nothing to check or to keep. */
export function migrateMemory(db: Db): void {
  db.connection.exec(memorySql());
}

let memorySqlText: string | null = null;
function memorySql(): string {
  memorySqlText ??= `BEGIN;\n${MIGRATIONS.map(({ sql }) => sql).join('\n')}\nPRAGMA user_version = ${MIGRATIONS.length};\nCOMMIT;`;
  return memorySqlText;
}

/** Number of the last migration that was applied to this file; 0: none. */
export function schemaVersion(db: Db): number {
  return db.connection.pragma('user_version', { simple: true }) as number;
}

function applyMigration(db: Db, migration: Migration): void {
  const { connection } = db;
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(migration.sql);
    const broken = connection.pragma('foreign_key_check') as readonly unknown[];
    if (broken.length > 0) throw new Error(`${broken.length} rows point at nothing`);
    connection
      .prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
      .run(historyKey(migration), fingerprint(migration.sql));
    connection.pragma(`user_version = ${migration.number}`);
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    db.hooks.beforeCommit?.();
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw new StartupError(
      `Migration ${migration.number} (${migration.name}) failed: ${error instanceof Error ? error.message : String(error)}`,
      'The database is as it was before this migration. Go on with the previous version, and report this.',
    );
  }
}

function historyKey(migration: Migration): string {
  return `migration.${String(migration.number).padStart(4, '0')}`;
}

/** An SQLite file that some other program made must not get our tables. */
function refuseForeign(db: Db, from: number): void {
  const applicationId = db.connection.pragma('application_id', { simple: true });
  if (applicationId === APPLICATION_ID) return;
  const tableCount = db.connection.prepare('SELECT count(*) FROM sqlite_master').pluck().get() as number;
  if (tableCount === 0 && from === 0) return;
  throw new StartupError(
    `The file ${db.connection.name} is an SQLite database, but not ours.`,
    'Point DATA_DIR at another directory, or move that file away.',
  );
}

/** The first migration is rewritten until the first release: a file made by such a version can't be carried on. */
function refuseChangedHistory(db: Db, applied: readonly Migration[]): void {
  if (applied.length === 0) return;
  const find = db.connection.prepare('SELECT value FROM meta WHERE key = ?').pluck();
  for (const migration of applied) {
    if (find.get(historyKey(migration)) === fingerprint(migration.sql)) continue;
    throw new StartupError(
      `The database ${db.connection.name} was made by a development version: its migration ${migration.number} is not the one of this version.`,
      'Move the file away, or point DATA_DIR at another directory, and start again.',
    );
  }
}

function quickCheck(connection: Database.Database, file: string): void {
  let findings: readonly string[];
  try {
    const rows = connection.pragma('quick_check(5)') as readonly { readonly quick_check: string }[];
    findings = rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  } catch (error) {
    // Where the damage hits a page that the check itself needs, SQLite throws instead of answering.
    findings = [error instanceof Error ? error.message : String(error)];
  }
  if (findings.length === 0) return;
  throw new StartupError(
    `The database ${file} is damaged: ${findings.join('; ')}`,
    'Restore a backup (twinshelf restore), or copy the file and run "sqlite3 FILE .recover". Nothing was changed.',
  );
}

/** A complete copy under a name that says what it is; it appears under that name only once it was written and checked. */
function copyBefore(db: Db, from: number, to: number, options: MigrateOptions): string {
  const { connection } = db;
  makeDirectory(options.backupDir);
  const sizeBytes =
    (connection.pragma('page_count', { simple: true }) as number) *
    (connection.pragma('page_size', { simple: true }) as number);
  // The copy, and a migration that rewrites the largest table through the write-ahead log.
  const neededBytes = sizeBytes * 2 + SPARE_BYTES;
  const disk = statfsSync(options.backupDir);
  const freeBytes = disk.bavail * disk.bsize;
  if (freeBytes < neededBytes) {
    throw new StartupError(
      `Upgrading the database needs ${megabytes(neededBytes)} MB free for a safety copy; ${options.backupDir} has ${megabytes(freeBytes)} MB.`,
      'Free some space and start again. Nothing was changed.',
    );
  }
  const file = join(
    options.backupDir,
    `before-${options.version}-schema-${from}-to-${to}-${compactTimestamp(options.nowMs)}.db`,
  );
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  connection.prepare('VACUUM INTO ?').run(partial);
  const copy = new Database(partial, { readonly: true });
  try {
    quickCheck(copy, partial);
  } finally {
    copy.close();
  }
  syncToDisk(partial);
  renameSync(partial, file);
  return file;
}

function syncToDisk(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}
