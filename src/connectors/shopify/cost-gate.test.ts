import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { createCostGate, type ThrottleStatus } from './cost-gate.ts';
import { THROTTLED_WAIT_MIN_MS, throttledWaitMs } from './graphql-answer.ts';
import { createTestClock } from './test-support.ts';

const cost = (requested: number, actual = requested) => ({ requested, actual });
const bucket = (currentlyAvailable: number, restoreRate = 100, maximumAvailable = 2000) => ({
  maximumAvailable,
  currentlyAvailable,
  restoreRate,
});

test('the first call tells the bucket; others wait for its answer rather than guess', async () => {
  const gate = createCostGate({ clock: createTestClock() });
  const settle = await gate.enter(cost(10), 'other');
  let isSecondIn = false;
  const second = gate.enter(cost(10), 'other').then((leave) => {
    isSecondIn = true;
    return leave;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isSecondIn, false);
  settle(bucket(1990));
  (await second)(bucket(1990));
});

test('waits (requested - available) / restoreRate as the store reports them, whatever its plan', async () => {
  for (const [rate, expectedMs] of [
    [100, 3_000],
    [50, 6_000],
    [1000, 300],
  ] as const) {
    const clock = createTestClock();
    const gate = createCostGate({ clock });
    (await gate.enter(cost(10), 'stock'))(bucket(100, rate));
    const startedAt = clock.now();
    await gate.enter(cost(400), 'stock');
    assert.equal(clock.now() - startedAt, expectedMs);
  }
});

test('a bucket that is told in part or in other words than numbers is not told: calls go one by one, and none waits for ever', async () => {
  for (const status of [
    { maximumAvailable: 2000, restoreRate: 100 },
    { maximumAvailable: 2000, restoreRate: 100, currentlyAvailable: '1990' },
    { maximumAvailable: 2000, restoreRate: '100', currentlyAvailable: 1990 },
    { restoreRate: 100, currentlyAvailable: 1990 },
    {},
  ]) {
    const clock = createTestClock();
    const gate = createCostGate({ clock });
    for (let calls = 0; calls < 3; calls += 1) {
      const settle = await Promise.race([
        gate.enter(cost(10), 'other'),
        new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('it hangs')), 1_000).unref()),
      ]);
      settle(status as unknown as ThrottleStatus);
    }
    assert.deepEqual(clock.slept, []);
    const throttled = { requestedQueryCost: 50, throttleStatus: status as unknown as ThrottleStatus };
    assert.equal(throttledWaitMs(throttled), THROTTLED_WAIT_MIN_MS);
  }
});

test('stock passes everything else, writes pass reads, and a part of the bucket is kept for it', async () => {
  const clock = createTestClock();
  const gate = createCostGate({ clock });
  (await gate.enter(cost(10), 'other'))(bucket(150));
  const order: string[] = [];
  const other = gate.enter(cost(100), 'other').then(() => order.push('other'));
  const write = gate.enter(cost(100), 'write').then(() => order.push('write'));
  const stock = gate.enter(cost(100), 'stock').then(() => order.push('stock'));
  await Promise.all([other, write, stock]);
  assert.deepEqual(order, ['stock', 'write', 'other']);
});

test('rate_limited, at once and with the time, when the wait would be longer than 30 s', async () => {
  const clock = createTestClock();
  const gate = createCostGate({ clock });
  (await gate.enter(cost(10), 'other'))(bucket(0, 10));
  const startedAt = clock.now();
  await assert.rejects(
    gate.enter(cost(400), 'stock'),
    (error) =>
      error instanceof ConnectorError && error.kind === 'rate_limited' && error.details.retryAfterMs === 40_000,
  );
  assert.equal(clock.now(), startedAt);
});

test('a burst of calls that give most of their points back is not taken for hopeless', async () => {
  const clock = createTestClock();
  const gate = createCostGate({ clock });
  (await gate.enter(cost(62, 10), 'other'))(bucket(2000));
  let available = 2000;
  await Promise.all(
    Array.from({ length: 120 }, async () => {
      const settle = await gate.enter(cost(62, 10), 'other');
      await new Promise((resolve) => setImmediate(resolve));
      available -= 10;
      settle(bucket(available));
    }),
  );
  assert.ok(clock.slept.reduce((sum, ms) => sum + ms, 0) < 30_000);
});

test('an aborted wait leaves the queue', async () => {
  const gate = createCostGate({
    clock: { now: () => 0, brokenAt: () => 0, slowedAt: () => 0, wallNow: () => 0, sleep: () => new Promise(() => {}) },
  });
  (await gate.enter(cost(10), 'other'))(bucket(0));
  const abort = new AbortController();
  const waiting = gate.enter(cost(500), 'other', abort.signal);
  abort.abort(new Error('stop'));
  await assert.rejects(waiting, /stop/);
  await assert.rejects(gate.enter(cost(1), 'other', abort.signal), /stop/);
});

test('a pause holds everybody back', async () => {
  const clock = createTestClock();
  const gate = createCostGate({ clock });
  (await gate.enter(cost(10), 'other'))(bucket(2000));
  gate.pause(5_000);
  const startedAt = clock.now();
  await gate.enter(cost(10), 'stock');
  assert.equal(clock.now() - startedAt, 5_000);
});

test('[W1] who waited while the machine slept has a second to see it and to leave the line', async () => {
  const clock = new VirtualClock();
  const gate = createCostGate({ clock });
  (await gate.enter(cost(10), 'stock'))(bucket(0, 100));
  const late = new AbortController();
  const waiting = gate.enter(cost(50), 'stock', late.signal);
  await clock.runFor(400);
  const brokenAt = clock.now();
  Object.assign(clock, { brokenAt: () => brokenAt });
  clock.setTimer(() => late.abort('too late'), 1_000);
  await assert.rejects(clock.run(waiting), (error) => error === 'too late');
});
