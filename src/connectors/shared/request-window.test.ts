import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { createCostGate } from '../shopify/cost-gate.ts';
import { type CallPriority, createRateGate } from './rate-gate.ts';
import { createRequestWindow } from './request-window.ts';

type Enter = (priority: CallPriority) => Promise<void>;

/** The two gates that a store may stand behind, each so quick by itself that only the window counts. */
const GATES: readonly (readonly [string, (clock: VirtualClock, limit: () => number | null) => Enter])[] = [
  [
    'WooCommerce',
    (clock, limit) => {
      const window = createRequestWindow({ clock, limit });
      const gate = createRateGate({ clock, window, requestsPerSecond: 5_000, concurrencyMax: 1_000 });
      return async (priority) => (await gate.enter(priority))({ status: 200, latencyMs: 5, retryAfterMs: null });
    },
  ],
  [
    'Shopify',
    (clock, limit) => {
      const gate = createCostGate({ clock, window: createRequestWindow({ clock, limit }) });
      const bucket = { maximumAvailable: 100_000, currentlyAvailable: 100_000, restoreRate: 50_000 };
      return async (priority) => (await gate.enter({ requested: 1, actual: 1 }, priority))(bucket);
    },
  ],
];

/** The most that left within any minute. */
function mostInAMinute(times: readonly number[]): number {
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 60_000).length));
}

for (const [name, makeGate] of GATES) {
  const make = (limit: () => number | null) => {
    const clock = new VirtualClock();
    const startedAt = clock.now();
    const enter = makeGate(clock, limit);
    const left: { readonly priority: CallPriority; readonly at: number }[] = [];
    const go = async (priority: CallPriority) => {
      await enter(priority);
      left.push({ priority, at: clock.now() - startedAt });
    };
    /** Callers that each ask again as soon as they were let through. */
    const keepAsking = (priority: CallPriority, callers: number, untilMs: number) =>
      Array.from({ length: callers }, async () => {
        while (clock.now() - startedAt < untilMs) await go(priority).then(() => clock.sleep(5));
      });
    return { clock, left, go, keepAsking };
  };

  test(`[A5] ${name}: in no minute more requests leave than the limit says, and in each nearly as many`, async () => {
    const { clock, left, keepAsking } = make(() => 100);
    await clock.run(Promise.all(keepAsking('other', 5, 300_000)));
    const most = mostInAMinute(left.map(({ at }) => at));
    assert.ok(most <= 90, `${most} in a minute, where ten are kept for stock`);
    assert.ok(left.length >= 5 * 88, `${left.length} in five minutes`);
  });

  test(`[A5] ${name}: nobody waits long for a turn, though a minute's requests could leave in a second`, async () => {
    const { clock, left, keepAsking } = make(() => 100);
    await clock.run(Promise.all(keepAsking('other', 3, 300_000)));
    const gaps = left.slice(1).map(({ at }, i) => at - (left[i]?.at ?? 0));
    assert.ok(Math.max(...gaps) < 2_000, `${Math.max(...gaps)} ms without a request`);
  });

  test(`[A5] ${name}: stock has a tenth for itself, goes at once while there is room, and never beyond the limit`, async () => {
    const { clock, left, go, keepAsking } = make(() => 100);
    const reads = keepAsking('other', 3, 120_000);
    await clock.runFor(59_000);
    const before = left.length;
    for (let n = 0; n < 10; n += 1) void go('stock');
    await clock.runFor(50);
    assert.equal(left.slice(before).filter(({ priority }) => priority === 'stock').length, 10);
    await clock.run(Promise.all(reads));
    assert.ok(mostInAMinute(left.map(({ at }) => at)) <= 100);
  });

  test(`[A5] ${name}: of those who wait, stock goes first and writes go before reads`, async () => {
    const { clock, left, go } = make(() => 100);
    await clock.run(Promise.all(Array.from({ length: 100 }, () => go('stock'))));
    await clock.runFor(55_000);
    for (const priority of ['other', 'write', 'stock'] as const) void go(priority);
    await clock.runFor(30_000);
    assert.deepEqual(
      left.slice(100).map(({ priority }) => priority),
      ['stock', 'write', 'other'],
    );
  });

  test(`[A5] ${name}: a changed limit holds at once, also for those who wait already`, async () => {
    let limit = 100;
    const { clock, left, go } = make(() => limit);
    await clock.run(Promise.all(Array.from({ length: 100 }, () => go('stock'))));
    await clock.runFor(40_000);
    const waiting = go('other');
    await clock.runFor(3_000);
    assert.equal(left.length, 100);
    limit = 10_000;
    await clock.runFor(1_100);
    assert.equal(left.length, 101);
    await waiting;
    limit = 100;
    await clock.runFor(10_000);
    void go('stock');
    await clock.runFor(1_000);
    assert.equal(left.length, 101, 'and a lower one counts what has left before it');
  });

  test(`[A5] ${name}: who would wait longer than 30 s is told at once, how long and why`, async () => {
    const { clock, go } = make(() => 100);
    await clock.run(Promise.all(Array.from({ length: 100 }, () => go('stock'))));
    await assert.rejects(go('write'), (error) => {
      assert.ok(error instanceof ConnectorError && error.kind === 'rate_limited');
      assert.match(error.message, /limit of requests a minute in the pair's settings/);
      assert.ok((error.details.retryAfterMs ?? 0) > 55_000);
      return true;
    });
  });

  test(`[A5] ${name}: without a limit nothing waits`, async () => {
    const { clock, left, go } = make(() => null);
    await clock.run(Promise.all(Array.from({ length: 300 }, () => go('other'))));
    assert.ok((left.at(-1)?.at ?? 0) < 1_000);
  });

  test(`[A5] ${name}: a default of 1,000 lets 450 through as fast as the store takes them`, async () => {
    const { clock, left, go } = make(() => 1_000);
    await clock.run(Promise.all(Array.from({ length: 450 }, () => go('other'))));
    assert.ok((left.at(-1)?.at ?? 0) < 1_000);
  });
}

test('[A5] a clock that is set back by hours keeps nobody waiting for hours', async () => {
  let now = 10 * 3_600_000;
  const window = createRequestWindow({
    clock: { now: () => now, brokenAt: () => 0, slowedAt: () => 0, wallNow: () => now, sleep: async () => undefined },
    limit: () => 2,
  });
  window.take('stock');
  window.take('stock');
  now -= 5 * 3_600_000;
  assert.equal(window.waitMs('stock', 0), 60_000);
  now += 60_000;
  assert.equal(window.waitMs('stock', 0), 0);
  assert.equal(window.isIdle(), true);
});
