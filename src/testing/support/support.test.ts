import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeTempDir } from './temp-dir.ts';
import { makeTestClock } from './test-clock.ts';
import { makeTestLog } from './test-log.ts';
import { makeTestRandom } from './test-random.ts';

test('a sleep on the test clock moves the hands and goes on', async () => {
  const clock = makeTestClock(1_000);
  await clock.sleep(250);
  clock.advance(50);
  assert.equal(clock.now(), 1_300);
  assert.deepEqual(clock.slept, [250]);
  await assert.rejects(clock.sleep(1, AbortSignal.abort(new Error('stop'))), /stop/);
});

test('the test log keeps its lines', () => {
  const log = makeTestLog();
  log.warn({ storeId: 'str_1' }, 'slow');
  assert.deepEqual(log.lines, [{ level: 'warn', fields: { storeId: 'str_1' }, message: 'slow' }]);
  assert.match(log.text(), /str_1/);
});

test('test ids are the same in every run, unique and sorted', () => {
  const make = () => {
    const random = makeTestRandom();
    return Array.from({ length: 100 }, () => random.id('run_'));
  };
  const ids = make();
  assert.deepEqual(make(), ids);
  assert.equal(new Set(ids).size, 100);
  assert.deepEqual(ids.toSorted(), ids);
});

test('a temporary directory goes with its scope', () => {
  let path = '';
  {
    using dir = makeTempDir();
    ({ path } = dir);
    writeFileSync(dir.join('file.txt'), 'x');
    assert.ok(existsSync(path));
  }
  assert.ok(!existsSync(path));
});
