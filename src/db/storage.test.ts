import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { StartupError } from '../lib/startup-error.ts';
import { backupDatabase, restoreBackup, verifyBackup } from './backup.ts';
import { transact } from './database.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import { findMeta } from './readers/meta.ts';
import { openStorage, storagePaths } from './storage.ts';
import { setMeta } from './writers/meta.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'storage-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 21, 9, 0, 0);
function open(dataDir = join(dir, 'data')) {
  return openStorage({ dataDir, version: '0.1.0', owner: { pid: 1, host: 'h', startedAt: '' }, nowMs: NOW });
}

test('a fresh directory is made, locked, and left with one database file', () => {
  const storage = open();
  assert.equal(storage.migration.to, MIGRATIONS.length);
  assert.throws(() => open(), /already using/);
  storage.close();
  assert.deepEqual(readdirSync(join(dir, 'data')).sort(), ['process.lock', 'twinshelf.db']);
  open().close();
});

test('a file that is no database, and a directory that is none, are named with a remedy', () => {
  open().close();
  writeFileSync(storagePaths(join(dir, 'data')).database, 'x'.repeat(5000));
  assert.throws(
    () => open(),
    (error) => error instanceof StartupError && /can not be opened/.test(error.message),
  );
  writeFileSync(join(dir, 'file'), '');
  assert.throws(() => open(join(dir, 'file')), /DATA_DIR .* can not be written/);
});

test('[S14, V5] stock that comes out of a backup is marked as such; what is paused stays paused, and nothing is counted from what a hidden variation held', async () => {
  const storage = open();
  const { connection } = storage.db;
  const columns = connection.prepare("SELECT name, type FROM pragma_table_info('variant') WHERE [notnull] = 1").all();
  const insert = (id: string, state: string) => {
    const row = (columns as { name: string; type: string }[]).map(({ name, type }) => {
      if (name === 'id') return id;
      return name === 'stock_state' ? state : type.toUpperCase() === 'TEXT' ? 'x' : 1;
    });
    const names = (columns as { name: string }[]).map(({ name }) => name).join();
    connection.prepare(`INSERT INTO variant (${names}) VALUES (${row.map(() => '?').join()})`).run(...row);
  };
  insert('var_1', 'live');
  insert('var_2', 'paused');
  // [V5] It may have been shown again since.
  insert('var_3', 'removed');
  connection.exec("UPDATE variant SET removed_base = '{}' WHERE id = 'var_3'");
  const file = join(dir, 'copy.db');
  await backupDatabase(storage.db, file);
  storage.close();
  const paths = storagePaths(join(dir, 'data'));
  restoreBackup(file, paths.database, paths.backups, NOW);
  const restored = open();
  const after = restored.db.connection.prepare('SELECT id, stock_state, removed_base FROM variant ORDER BY id');
  assert.deepEqual(after.raw().all(), [
    ['var_1', 'restored', null],
    ['var_2', 'paused', null],
    ['var_3', 'removed', null],
  ]);
  restored.close();
});

test('a backup made under writes is whole, and restoring it brings back its moment', async () => {
  const storage = open();
  const write = (value: string) => transact(storage.db, (tx) => setMeta(tx, 'moment', value));
  write('first');
  transact(storage.db, (tx) => {
    for (let index = 0; index < 20_000; index++) setMeta(tx, `row.${index}`, 'x'.repeat(100));
  });
  const file = join(dir, 'copies', 'backup.db');
  const running = backupDatabase(storage.db, file);
  write('during');
  const info = await running;
  assert.equal(info.schema, MIGRATIONS.length);
  write('after');
  await assert.rejects(backupDatabase(storage.db, file), /exists already/);
  storage.close();

  const { database, backups } = storagePaths(join(dir, 'data'));
  const kept = restoreBackup(file, database, backups, NOW);
  const restored = open();
  assert.match(String(findMeta(restored.db, 'moment')), /^(first|during)$/);
  restored.close();
  assert.equal(kept, join(backups, 'before-restore-20261121T090000Z.db'));
  restoreBackup(kept!, database, backups, NOW + 1000);
  const back = open();
  assert.equal(findMeta(back.db, 'moment'), 'after');
  back.close();
});

test('the database of a server that was killed is restored with what stands in its log only', () => {
  const storage = open();
  transact(storage.db, (tx) => setMeta(tx, 'moment', 'last'));
  const killed = join(dir, 'killed');
  mkdirSync(killed);
  const file = storagePaths(killed).database;
  for (const suffix of ['', '-wal']) copyFileSync(storage.paths.database + suffix, file + suffix);
  storage.close();
  const { database, backups } = storagePaths(join(dir, 'new'));
  restoreBackup(file, database, backups, NOW);
  const restored = open(join(dir, 'new'));
  assert.equal(findMeta(restored.db, 'moment'), 'last');
  restored.close();
  assert.deepEqual(readdirSync(join(dir, 'new')).sort(), ['process.lock', 'twinshelf.db']);
});

test('a restore that can not be ended leaves the database as it was, and nothing beside it', async () => {
  const storage = open();
  transact(storage.db, (tx) => setMeta(tx, 'moment', 'kept'));
  const file = join(dir, 'backup.db');
  await backupDatabase(storage.db, file);
  storage.close();
  const { database } = storagePaths(join(dir, 'data'));
  const before = readdirSync(join(dir, 'data'));
  // Where what is there should be kept, nothing can be written.
  assert.throws(
    () => restoreBackup(file, database, file, NOW),
    (error) =>
      error instanceof StartupError && error.message.startsWith(`The backup could not be put into ${database}: `),
  );
  assert.deepEqual(readdirSync(join(dir, 'data')), before);
  const after = open();
  assert.equal(findMeta(after.db, 'moment'), 'kept');
  after.close();
});

test('a damaged, cut or foreign backup is refused, and what is there stays', async () => {
  const storage = open();
  transact(storage.db, (tx) => {
    setMeta(tx, 'moment', 'kept');
    for (let index = 0; index < 2000; index++) setMeta(tx, `row.${index}`, 'x'.repeat(100));
  });
  const file = join(dir, 'backup.db');
  await backupDatabase(storage.db, file);
  storage.close();
  const bytes = readFileSync(file);
  const { database, backups } = storagePaths(join(dir, 'data'));
  const broken = {
    cut: bytes.subarray(0, bytes.length / 2),
    flipped: Buffer.from(bytes).fill(0xaa, 4096 * 60, 4096 * 62),
    foreign: Buffer.from('not a database at all'.repeat(300)),
    empty: Buffer.alloc(0),
  };
  for (const [name, content] of Object.entries(broken)) {
    writeFileSync(join(dir, name), content);
    assert.throws(() => verifyBackup(join(dir, name)), /no whole backup/, name);
    assert.throws(() => restoreBackup(join(dir, name), database, backups, NOW), StartupError, name);
  }
  assert.throws(() => verifyBackup(join(dir, 'missing')), /no file/);
  const after = open();
  assert.equal(findMeta(after.db, 'moment'), 'kept');
  after.close();
});
