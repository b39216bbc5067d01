import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { verifyBackup } from '../db/backup.ts';
import { listBackupFiles } from '../db/backup-files.ts';
import { transact } from '../db/database.ts';
import { openStorage, type Storage } from '../db/storage.ts';
import { setMeta } from '../db/writers/meta.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import { systemClock } from '../system/clock.ts';
import { makeTempDir, type TempDir } from '../testing/support/temp-dir.ts';
import { makeTestLog, type TestLog } from '../testing/support/test-log.ts';
import { type BackupsOptions, createBackups } from './backups.ts';

const START = Date.UTC(2026, 10, 21, 12, 0, 0);
const FULL = () => ({ neededBytes: 2 * 1024 * 1024, freeBytes: 1024 * 1024 });

let dir: TempDir;
let storage: Storage;
let now: number;
let log: TestLog;
beforeEach(() => {
  dir = makeTempDir('backups');
  now = START;
  log = makeTestLog();
  const owner = { pid: 1, host: 'h', startedAt: '' };
  storage = openStorage({ dataDir: dir.join('data'), version: '0.1.0', owner, nowMs: now });
});
afterEach(() => {
  storage.close();
  dir.remove();
});

function create(change: Partial<BackupsOptions> = {}) {
  const clock = { ...systemClock, now: () => now };
  const { db, paths } = storage;
  return createBackups({ db, clock, log, dir: paths.backups, keep: 3, timeZone: 'UTC', ...change });
}

const names = () => (existsSync(storage.paths.backups) ? readdirSync(storage.paths.backups).sort() : []);

/** What upgrades, restores and people have left, and what only looks like a daily copy. */
const OTHERS = [
  'before-0.1.0-schema-3-to-4-20200101T000000Z.db',
  'before-restore-20200101T000000Z.db',
  'daily-before-the-sale.db',
  'daily-20200101T000000Z.db.kept',
  'twinshelf-20200101T000000Z.db',
];
function putOthers(): void {
  mkdirSync(storage.paths.backups, { recursive: true });
  for (const name of OTHERS) writeFileSync(join(storage.paths.backups, name), 'x');
}

test('a daily copy each night, whole and for its owner only; no more than are to be kept, and nothing else is removed', async () => {
  putOthers();
  const backups = create({ keep: 2 });
  await backups.makeDaily();
  assert.deepEqual(names(), OTHERS.toSorted(), 'a server that has just started has other things to do');
  now += 10 * MINUTE_MS;
  for (let day = 0; day < 4; day++) {
    await backups.makeDaily();
    await backups.makeDaily();
    const next = backups.nextAt() ?? 0;
    assert.ok(next > now && next - now <= DAY_MS);
    const hour = new Date(next).getUTCHours();
    assert.ok(hour >= 2 && hour < 5, `in the night, not at ${hour}`);
    now = next;
  }
  const dailies = listBackupFiles(storage.paths.backups).filter(({ reason }) => reason === 'daily');
  assert.deepEqual(
    dailies.map(({ madeAt }) => new Date(madeAt).toISOString().slice(0, 10)),
    ['2026-11-24', '2026-11-23'],
  );
  for (const { name } of dailies) {
    const file = join(storage.paths.backups, name);
    verifyBackup(file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
  assert.deepEqual(names(), [...OTHERS, ...dailies.map(({ name }) => name)].sort());
  assert.equal(backups.lastFailure(), null);
});

test('a server that was started anew makes no second copy of the same night, and catches up what it slept through', async () => {
  now += 10 * MINUTE_MS;
  const first = create();
  now += 10 * MINUTE_MS;
  await first.makeDaily();
  const again = create();
  now += HOUR_MS;
  await again.makeDaily();
  assert.equal(names().length, 1);
  now += 5 * DAY_MS;
  const late = create();
  assert.equal(late.nextAt(), now + 10 * MINUTE_MS);
});

test('none is made and none removed where none is to be kept', async () => {
  putOthers();
  writeFileSync(join(storage.paths.backups, 'daily-20200101T000000Z.db'), 'x');
  const before = names();
  const backups = create({ keep: 0 });
  now += 2 * DAY_MS;
  assert.equal(backups.nextAt(), null);
  await backups.makeDaily();
  assert.deepEqual(names(), before);
});

test('a disk without room: nothing is written, what was kept stays, the log says how much is needed, and an hour later it is tried again', async () => {
  putOthers();
  writeFileSync(join(storage.paths.backups, 'daily-20200101T000000Z.db'), 'x');
  const before = names();
  let isFull = true;
  const roomy = () => ({ neededBytes: 1, freeBytes: 2 });
  const backups = create({ keep: 1, room: () => (isFull ? FULL() : roomy()) });
  now += HOUR_MS;
  await backups.makeDaily();
  assert.deepEqual(names(), before);
  assert.match(log.text(), /A backup needs 2 MB free; .* has 1 MB\. Free some space/);
  assert.equal(backups.lastFailure()?.at, now);
  await assert.rejects(backups.make(), /needs 2 MB free/);
  isFull = false;
  await backups.makeDaily();
  assert.deepEqual(names(), before, 'not before the hour is over');
  now += HOUR_MS;
  await backups.makeDaily();
  assert.equal(backups.lastFailure(), null);
  assert.deepEqual(names(), [...OTHERS, 'daily-20261121T140000Z.db'].sort());
});

test('a copy by hand has a name of its own, is made one at a time, and the daily one waits for it', async () => {
  const backups = create({ keep: 1 });
  now += HOUR_MS;
  const making = backups.make();
  assert.equal(backups.isMaking(), true);
  await assert.rejects(backups.make(), /A backup is being made already/);
  await backups.makeDaily();
  const { file } = await making;
  assert.deepEqual(names(), ['twinshelf-20261121T130000Z.db']);
  verifyBackup(file);
  assert.equal(backups.lastFailure(), null);
  await backups.makeDaily();
  assert.equal(names().length, 2);
});

test('what a server that was killed has left of a copy has no final name, and is gone with the next one', async () => {
  putOthers();
  for (const suffix of ['', '-journal', '-wal'])
    writeFileSync(join(storage.paths.backups, `daily-20261120T030000Z.db.partial${suffix}`), 'half');
  writeFileSync(join(storage.paths.backups, 'mine.db.partial'), 'half');
  const backups = create();
  assert.deepEqual(
    listBackupFiles(storage.paths.backups).filter(({ reason }) => reason === 'daily'),
    [],
  );
  now += HOUR_MS;
  await backups.makeDaily();
  assert.deepEqual(names(), [...OTHERS, 'daily-20261121T130000Z.db', 'mine.db.partial'].sort());
});

test('a clock that was years ahead for a while stops no copy, and costs no later one', async () => {
  putOthers();
  for (const year of [2035, 2036]) writeFileSync(join(storage.paths.backups, `daily-${year}0101T000000Z.db`), 'x');
  const backups = create({ keep: 2 });
  now += HOUR_MS;
  await backups.makeDaily();
  assert.deepEqual(names(), [...OTHERS, 'daily-20261121T130000Z.db', 'daily-20360101T000000Z.db'].sort());
});

test('a server that stops in the midst of a copy leaves nothing of it, and its database can be closed', async () => {
  fill(20);
  const backups = create();
  now += HOUR_MS;
  const making = backups.makeDaily();
  await new Promise((resolve) => setImmediate(resolve));
  await backups.stop();
  await making;
  assert.deepEqual(names(), []);
  assert.equal(log.text().includes('was not made'), false);
});

test('who waits for a copy by hand when the server stops is told that, and nothing of the disk', async () => {
  fill(20);
  const backups = create();
  const making = backups.make();
  await Promise.all([
    assert.rejects(making, { name: 'Refusal', code: 'NOT_READY' }),
    new Promise((resolve) => setImmediate(resolve)).then(() => backups.stop()),
  ]);
  assert.equal(backups.lastFailure(), null);
  assert.deepEqual(names(), []);
});

test('an old copy that can not be removed does not make the new one a failure', async () => {
  mkdirSync(join(storage.paths.backups, 'daily-20200101T000000Z.db'), { recursive: true });
  const backups = create({ keep: 1 });
  now += HOUR_MS;
  await backups.makeDaily();
  assert.deepEqual(names(), ['daily-20200101T000000Z.db', 'daily-20261121T130000Z.db']);
  assert.equal(log.text().includes('was not made'), false);
  assert.match(log.text(), /could not be removed/);
  assert.equal(backups.lastFailure(), null);
});

function fill(megabytes: number): void {
  const text = 'x'.repeat(1024);
  transact(storage.db, (tx) => {
    for (let index = 0; index < megabytes * 1000; index++) setMeta(tx, `row.${index}`, text);
  });
}
