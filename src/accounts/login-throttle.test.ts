import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { createLoginThrottle, type ThrottleEntry } from './login-throttle.ts';

test('the sources of an IPv6 /48 are counted together as well, and no other network waits for it', () => {
  const throttle = createLoginThrottle(makeTestClock());
  for (let n = 0; n < 400; n += 1) throttle.attempted(`somebody${n}@example.com`, `2001:db8:1:${n.toString(16)}::1`);
  assert.ok(throttle.waitMs('ada@example.com', '2001:db8:1:ffff::1') > 0);
  assert.equal(throttle.waitMs('ada@example.com', '2001:db8:2::1'), 0);
  assert.equal(throttle.waitMs('ada@example.com', '203.0.113.1'), 0);
});

test('what is over is forgotten with the next attempt, whoever makes it', () => {
  const clock = makeTestClock();
  const entries = new Map<string, ThrottleEntry>();
  const throttle = createLoginThrottle(clock, entries);
  for (let n = 0; n < 100; n += 1) throttle.attempted(`account ${n}`, '203.0.113.1');
  assert.equal(entries.size, 102);
  clock.advance(15 * 60_000);
  throttle.attempted('another', '198.51.100.1');
  assert.equal(entries.size, 3);
  assert.equal(throttle.waitMs('account 0', '203.0.113.1'), 0);
});
