import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLanes } from './lanes.ts';

test('one at a time for each key, a few in line, and one that fails holds up no other', async () => {
  const { inLine } = createLanes();
  let atWork = 0;
  let most = 0;
  const work = async () => {
    atWork += 1;
    most = Math.max(most, atWork);
    await setImmediate();
    atWork -= 1;
  };
  const failed = inLine('a', () => Promise.reject(new Error('no')));
  const mine = Array.from({ length: 8 }, () => inLine('a', work));
  const outcomes = await Promise.allSettled([failed, ...mine]);
  assert.deepEqual(
    outcomes.map(({ status }) => status[0]),
    ['r', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'r'],
  );
  const last = outcomes.at(-1);
  assert.ok(last?.status === 'rejected' && last.reason.code === 'RATE_LIMITED');
  assert.equal(last.reason.details.retryAfterMs, 2_000);
  assert.equal(most, 1);
  await Promise.all([inLine('a', work), inLine('b', work)]);
  assert.equal(most, 2, 'others do not wait for it');
});
