import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calmPlan, type FaultPlan } from '../../connectors/memory/fault-plan.ts';
import { PERSONALITIES } from '../../connectors/memory/personality.ts';
import { type Call, MemoryPlatform } from '../../connectors/memory/platform.ts';
import { checkRate } from './check-rate.ts';
import { SeededRandom } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';

const RATE = { burst: 4, perSecond: 2 };

/** A shop that nobody but the test asks, with nothing between the two. */
function bareShop(faults: FaultPlan = calmPlan()) {
  const clock = new VirtualClock();
  const platform = new MemoryPlatform({
    name: 'shop.example',
    personality: { ...PERSONALITIES.woo, rate: RATE },
    clock,
    random: new SeededRandom('rate'),
    faults,
  });
  const call: Call = {
    operation: 'read_stock',
    isWrite: false,
    itemCount: 1,
    token: platform.token,
    isAlive: () => true,
    signal: undefined,
    cut: undefined,
  };
  const ask = (what: () => unknown = () => null) => clock.run(platform.exchange(call, what).catch(() => undefined));
  const askAtOnce = (times: number) =>
    clock.run(
      Promise.all(Array.from({ length: times }, () => platform.exchange(call, () => null).catch(() => undefined))),
    );
  return { clock, platform, ask, askAtOnce, found: () => checkRate([platform]) };
}

test('[I9] as many at once as a shop bears, and then as many a second, are not too many', async () => {
  const { clock, askAtOnce, found } = bareShop();
  await askAtOnce(4);
  for (let i = 0; i < 20; i += 1) {
    await clock.runFor(500);
    await askAtOnce(1);
  }
  await clock.runFor(10_000);
  await askAtOnce(4);
  assert.deepEqual(found(), []);
});

test('[I9] one more is too many, however it is spread, and those that were turned away count as well', async () => {
  const burst = bareShop();
  await burst.askAtOnce(6);
  const [violation, ...others] = burst.found();
  assert.equal(violation?.invariant, 'I9 rate');
  assert.match(
    violation?.message ?? '',
    /^shop\.example was asked faster .*\(4 at once, 2 a second\): 2 times, .*\(read_stock\)$/,
  );
  assert.deepEqual(others, []);

  const spread = bareShop();
  for (let i = 0; i < 12; i += 1) {
    await spread.askAtOnce(1);
    await spread.clock.runFor(300);
  }
  assert.equal(spread.found().length, 1);
});

test('[I9] what was turned away comes again when the shop said so; something else may come before', async () => {
  let refusals = 1;
  const calm = calmPlan();
  const faults: FaultPlan = {
    ...calm,
    request: (facts) => {
      const fate = calm.request(facts);
      refusals -= 1;
      return refusals < 0 ? fate : { ...fate, fault: { type: 'rate_limited', retryAfterMs: 3_000 } };
    },
  };
  const { clock, ask, found } = bareShop(faults);
  const what = () => null;
  await ask(what);
  await clock.runFor(1_000);
  await ask();
  await clock.runFor(2_000);
  await ask(what);
  assert.deepEqual(found(), []);
  refusals = 1;
  await ask(what);
  await clock.runFor(2_999);
  await ask(what);
  const [violation, ...others] = found();
  assert.match(violation?.message ?? '', /^shop\.example was asked again before the time that it had told: 1 times/);
  assert.deepEqual(others, []);
});
