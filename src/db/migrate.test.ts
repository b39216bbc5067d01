import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { migrationsModule, readMigrationFiles, SCHEMA_SNAPSHOT } from '../../scripts/lib/migration-files.ts';
import { StartupError } from '../lib/startup-error.ts';
import { openDatabase } from './database.ts';
import { type Migration, migrateDatabase, migrateMemory, schemaVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import * as schema from './schema/index.ts';

const TODO_LIST: readonly Migration[] = [
  {
    number: 1,
    name: 'create_list',
    sql: 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);\nCREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT);\n',
  },
  { number: 2, name: 'add_flag', sql: 'ALTER TABLE item ADD COLUMN flag INTEGER NOT NULL DEFAULT 0;\n' },
];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'migrate-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function options(migrations: readonly Migration[]) {
  return { backupDir: join(dir, 'backups'), nowMs: Date.UTC(2026, 10, 21, 9, 0, 0), version: '1.2.3', migrations };
}
function open(name = 'data.db') {
  return openDatabase({ file: join(dir, name) });
}

describe('the migrations in the repository', () => {
  test('migrations.gen.ts is what the SQL files say', () => {
    const generated = readFileSync(join(import.meta.dirname, 'migrations.gen.ts'), 'utf8');
    assert.equal(generated, migrationsModule(readMigrationFiles()), 'run: npm run migration -- --embed');
  });

  test('the drizzle schema has not moved on since the last migration', async () => {
    const last = JSON.parse(readFileSync(SCHEMA_SNAPSHOT, 'utf8'));
    const statements = await generateSQLiteMigration(last, await generateSQLiteDrizzleJson(schema));
    assert.deepEqual(statements, [], 'run: npm run migration -- --first (before the first release) or -- add_noun');
  });

  test('applied one after the other they make exactly the tables of the drizzle schema', async () => {
    const migrated = open();
    migrateDatabase(migrated, options(MIGRATIONS));
    const direct = new Database(':memory:');
    const statements = await generateSQLiteMigration(
      await generateSQLiteDrizzleJson({}),
      await generateSQLiteDrizzleJson(schema),
    );
    direct.exec(statements.join('\n'));
    assert.deepEqual(shapeOf(migrated.connection), shapeOf(direct));
    migrated.connection.close();
  });

  test('the fast path for memory gives the same tables and version', () => {
    const memory = openDatabase({ file: ':memory:', synchronous: 'off' });
    migrateMemory(memory);
    const file = open();
    migrateDatabase(file, options(MIGRATIONS));
    assert.deepEqual(shapeOf(memory.connection), shapeOf(file.connection));
    assert.equal(schemaVersion(memory), MIGRATIONS.length);
    file.connection.close();
  });
});

test('a fresh file is migrated without a backup, a second start changes nothing', () => {
  const db = open();
  assert.deepEqual(migrateDatabase(db, options(TODO_LIST)), { from: 0, to: 2, backupFile: null });
  assert.deepEqual(migrateDatabase(db, options(TODO_LIST)), { from: 2, to: 2, backupFile: null });
  db.connection.close();
});

test('an older file is copied first, and the copy opens with the version before', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST.slice(0, 1)));
  db.connection.exec("INSERT INTO item (text) VALUES ('kept')");
  const result = migrateDatabase(db, options(TODO_LIST));
  assert.equal(result.backupFile, join(dir, 'backups', 'before-1.2.3-schema-1-to-2-20261121T090000Z.db'));
  assert.deepEqual(db.connection.prepare('SELECT text, flag FROM item').all(), [{ text: 'kept', flag: 0 }]);
  db.connection.close();
  const copy = openDatabase({ file: result.backupFile! });
  assert.deepEqual(migrateDatabase(copy, options(TODO_LIST.slice(0, 1))), { from: 1, to: 1, backupFile: null });
  assert.deepEqual(copy.connection.prepare('SELECT text FROM item').all(), [{ text: 'kept' }]);
  copy.connection.close();
});

test('a newer database is refused and left as it is', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST));
  assert.throws(
    () => migrateDatabase(db, options(TODO_LIST.slice(0, 1))),
    (error) => error instanceof StartupError && /schema 2; this version \(1\.2\.3\) knows/.test(error.message),
  );
  assert.equal(schemaVersion(db), 2);
  db.connection.close();
});

test('a migration that fails leaves the step before it whole', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST.slice(0, 1)));
  const bad = { number: 2, name: 'break_things', sql: 'CREATE TABLE half (id);\nINSERT INTO nowhere VALUES (1);\n' };
  assert.throws(
    () => migrateDatabase(db, options([TODO_LIST[0]!, bad])),
    /Migration 2 \(break_things\) failed: no such table/,
  );
  assert.equal(schemaVersion(db), 1);
  assert.equal(db.connection.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'half'").pluck().get(), 0);
  db.connection.close();
});

test('a migration that leaves a dangling reference is rolled back', () => {
  const db = open();
  const sql = `${TODO_LIST[0]!.sql}CREATE TABLE child (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item(id));\nINSERT INTO child VALUES (1, 99);`;
  assert.throws(() => migrateDatabase(db, options([{ number: 1, name: 'create_list', sql }])), /point at nothing/);
  assert.equal(schemaVersion(db), 0);
  db.connection.close();
});

test("another program's SQLite file is refused", () => {
  const other = new Database(join(dir, 'data.db'));
  other.exec('CREATE TABLE theirs (id)');
  other.close();
  const db = open();
  assert.throws(() => migrateDatabase(db, options(TODO_LIST)), /not ours/);
  db.connection.close();
});

test('a file made by a development version, whose first migration was another, is refused', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST));
  const rewritten = [{ ...TODO_LIST[0]!, sql: `${TODO_LIST[0]!.sql}-- changed` }, TODO_LIST[1]!];
  assert.throws(() => migrateDatabase(db, options(rewritten)), /development version: its migration 1/);
  db.connection.close();
});

test('a damaged file is refused before anything is written', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST.slice(0, 1)));
  const insert = db.connection.prepare('INSERT INTO item (text) VALUES (?)');
  for (let index = 0; index < 2000; index++) insert.run(`row ${index}`.repeat(10));
  db.connection.close();
  const bytes = readFileSync(join(dir, 'data.db'));
  bytes.fill(0xab, 4096 * 10, 4096 * 14);
  writeFileSync(join(dir, 'data.db'), bytes);
  const damaged = open();
  assert.throws(() => migrateDatabase(damaged, options(TODO_LIST)), /is damaged/);
  assert.equal(schemaVersion(damaged), 1);
  damaged.connection.close();
});

test('a copy that was cut off is never taken for a backup', () => {
  const db = open();
  migrateDatabase(db, options(TODO_LIST.slice(0, 1)));
  const result = migrateDatabase(db, options(TODO_LIST));
  assert.deepEqual(readdirSync(join(dir, 'backups')), [result.backupFile!.split('/').at(-1)]);
  db.connection.close();
});

/** Tables, columns, indices and references, free of how the SQL was spelt. */
function shapeOf(connection: Database.Database) {
  const rows = (pragma: string) => connection.pragma(pragma) as Record<string, unknown>[];
  const tables = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[];
  return tables.map((table) => ({
    table,
    columns: rows(`table_xinfo(${JSON.stringify(table)})`).map(({ cid: _, ...column }) => column),
    references: rows(`foreign_key_list(${JSON.stringify(table)})`),
    indices: rows(`index_list(${JSON.stringify(table)})`)
      .map(({ name, unique, origin, partial }) => ({
        name,
        unique,
        origin,
        partial,
        columns: rows(`index_xinfo(${JSON.stringify(name)})`).map((column) => [column['name'], column['desc']]),
        where: connection.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name),
      }))
      .sort((a, b) => String(a.name).localeCompare(String(b.name))),
  }));
}
