import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Db, openDatabase, transact } from './database.ts';
import { durable, endDurable } from './durable.ts';
import { transactRelaxed } from './relaxed.ts';

describe('waiting for the disk', () => {
  let directory: string;
  let db: Db;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'twinshelf-durable-'));
    db = openDatabase({ file: join(directory, 'test.db') });
    db.connection.exec('CREATE TABLE line (n INTEGER)');
  });

  afterEach(() => {
    endDurable(db);
    if (db.connection.open) db.connection.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const write = (n: number) =>
    transactRelaxed(db, (tx) => {
      tx.connection.prepare('INSERT INTO line (n) VALUES (?)').run(n);
    });

  test('a relaxed commit does not wait, and another kind that follows it does', () => {
    const level = () => db.connection.pragma('synchronous', { simple: true });
    write(1);
    assert.equal(level(), 1);
    transact(db, (tx) => {
      tx.connection.prepare('INSERT INTO line (n) VALUES (?)').run(2);
    });
    assert.equal(level(), 2);
    assert.deepEqual(db.connection.prepare('SELECT n FROM line').all(), [{ n: 1 }, { n: 2 }]);
  });

  test('the log is flushed, and those who wait together share a flush', async (t) => {
    const probe = await open(join(directory, 'probe'), 'w');
    const prototype = Object.getPrototypeOf(probe) as { datasync: () => Promise<void> };
    await probe.close();
    const flushes = t.mock.method(prototype, 'datasync');
    write(1);
    const first = durable(db);
    // The log is opened for the first flush; nothing that is committed from here on may count on it.
    const later = [2, 3, 4, 5].map((n) => {
      write(n);
      return durable(db);
    });
    await Promise.all([first, ...later]);
    assert.equal(flushes.mock.callCount(), 2);
    write(6);
    await durable(db);
    assert.equal(flushes.mock.callCount(), 3);
  });

  test('a disk that fails is told, and asked again the next time', async (t) => {
    write(1);
    await durable(db);
    const probe = await open(join(directory, 'probe'), 'w');
    const prototype = Object.getPrototypeOf(probe) as { datasync: () => Promise<void> };
    await probe.close();
    const failing = t.mock.method(prototype, 'datasync', async () => {
      throw new Error('EIO: i/o error');
    });
    write(2);
    await assert.rejects(durable(db), /EIO/);
    failing.mock.restore();
    await durable(db);
  });

  test('a database in memory has no disk to wait for', async () => {
    const memory = openDatabase({ file: ':memory:', synchronous: 'off' });
    await durable(memory);
    memory.connection.close();
  });
});
