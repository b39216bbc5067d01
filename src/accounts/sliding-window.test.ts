import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { createSlidingWindow } from './sliding-window.ts';

test('what is over is forgotten with the next that is counted, whosever it is', () => {
  const clock = makeTestClock();
  const entries = new Map<string, number[]>();
  const window = createSlidingWindow(clock, { max: 2, windowMs: 1_000 }, entries);
  for (let n = 0; n < 100; n += 1) window.count(`key ${n}`);
  window.count('key 0');
  assert.equal(window.waitMs('key 0'), 1_000);
  clock.advance(999);
  window.count('key 1');
  assert.equal(entries.size, 100);
  clock.advance(1);
  window.count('another');
  assert.deepEqual([...entries.keys()], ['key 1', 'another']);
  assert.equal(window.waitMs('key 0'), 0);
});
