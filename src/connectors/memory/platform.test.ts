import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawDelivery } from '../../ports/connector.ts';
import { createOf, mark, simpleProduct, sizedProduct, stockWrite, updateOf } from '../../testing/contract/fixtures.ts';
import { SeededRandom } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { auditStock, counterpartsOf, landedWrites, overwrittenRegisters } from './audit.ts';
import { MemoryConnector } from './connector.ts';
import { calmPlan, type FaultPlan, type RequestFault } from './fault-plan.ts';
import { PERSONALITIES, type Personality } from './personality.ts';
import { MemoryPlatform } from './platform.ts';

/** One fault, on the first write. */
function onFirstWrite(fault: RequestFault): FaultPlan {
  const calm = calmPlan(20);
  let isSpent = false;
  return {
    ...calm,
    request: (facts) => {
      if (!facts.isWrite || isSpent) return calm.request(facts);
      isSpent = true;
      return { ...calm.request(facts), fault };
    },
  };
}

function setUp(personality: Personality = PERSONALITIES.woo, faults: FaultPlan = calmPlan(20)) {
  const clock = new VirtualClock();
  const deliveries: { delivery: RawDelivery; at: number }[] = [];
  const platform = new MemoryPlatform({
    name: 'shop.example',
    personality: { ...personality, rate: null },
    clock,
    random: new SeededRandom('platform'),
    faults,
    deliver: (delivery) => {
      deliveries.push({ delivery, at: clock.now() });
      return true;
    },
  });
  const process = clock.process();
  const connector = new MemoryConnector(platform, process);
  const product = platform.outside.addProduct(simpleProduct());
  const [variant] = product.variants;
  return { clock, platform, connector, process, product, variant: variant!, stockId: variant!.stockId, deliveries };
}

test('a late write is of unknown outcome, and lands within the fence after we stopped waiting', async () => {
  const { clock, platform, connector, variant, stockId } = setUp(
    PERSONALITIES.woo,
    onFirstWrite({ type: 'late_landing', lateMs: 45_000 }),
  );
  const { timeoutMs, fenceMs } = platform.personality;
  const startedAt = clock.now();
  const [outcome] = await clock.run(connector.writeStock([stockWrite(stockId, 10, 4)]));
  assert.equal(outcome?.outcome === 'failed' && outcome.error.kind, 'unknown_outcome');
  assert.equal(clock.now() - startedAt, timeoutMs);
  assert.equal(variant.quantity, 10);
  await clock.runFor(fenceMs);
  assert.equal(variant.quantity, 4);
  const landed = platform.shelf.ledger.entries.at(-1)!;
  assert.equal(landed.at - startedAt, timeoutMs + 45_000);
  assert.equal(landed.write?.isLate, true);
  assert.equal(platform.fired.get('late_landing'), 1);
});

test('a killed process never hears its answer, but what it sent lands; what it had not sent never goes', async () => {
  const { clock, platform, connector, process, variant, stockId } = setUp();
  let hasSettled = false;
  void connector.writeStock([stockWrite(stockId, 10, 4)]).finally(() => {
    hasSettled = true;
  });
  clock.setTimer(() => process.kill(), 1);
  await clock.runFor(60_000);
  assert.equal(hasSettled, false);
  assert.equal(variant.quantity, 4);
  void connector.writeStock([stockWrite(stockId, 4, 3)]);
  await clock.runFor(60_000);
  assert.equal(variant.quantity, 4);
  assert.equal(platform.requestCounts.write, 1);
});

for (const [how, sleeps] of [
  ['woke just before its turn', [{ at: 100, ms: 9_500 }]],
  [
    'fell asleep again as soon as it woke',
    [
      { at: 100, ms: 60_000 },
      { at: 60_200, ms: 30_000 },
    ],
  ],
] as const)
  test(`[W1] a write that waits for its turn on a machine that ${how} has a second to be given up`, async () => {
    const fault = onFirstWrite({ type: 'rate_limited', retryAfterMs: 10_000 });
    const { clock, platform, connector, process, stockId } = setUp(PERSONALITIES.woo, fault);
    for (const { at, ms } of sleeps) clock.setTimer(() => process.fallAsleep(ms), at);
    const late = new AbortController();
    process.setTimer(() => late.abort('too late'), 1_000);
    const [outcome] = await clock.run(connector.writeStock([stockWrite(stockId, 10, 4)], late.signal));
    assert.equal(outcome?.outcome === 'failed' && outcome.error.details.isCancelled, true);
    assert.equal(platform.requestCounts.write, 1);
  });

test('a read gives the value of the moment when the server handles it, between sending and answer', async () => {
  const { clock, platform, connector, stockId } = setUp(PERSONALITIES.woo, calmPlan(100));
  const reading = connector.readStock([stockId]);
  clock.setTimer(() => platform.outside.sell(stockId, 1), 40);
  clock.setTimer(() => platform.outside.sell(stockId, 1), 60);
  const [read] = await clock.run(reading);
  assert.equal(read?.ok && read.value.quantity, 9);
});

test('a blind write loses what happened since our last read, and the ledger tells that window from all else', async () => {
  const { clock, platform, connector, stockId } = setUp();
  platform.outside.sell(stockId, 1);
  await clock.run(connector.readStock([stockId]));
  platform.outside.sell(stockId, 2);
  await clock.run(connector.writeStock([stockWrite(stockId, 9, 15)]));
  let audit = auditStock(platform, stockId);
  assert.equal(audit.initial, 10);
  assert.equal(audit.outsideDelta, -3);
  assert.equal(audit.windowLostDelta, -2, 'the sale before the read was known');
  assert.deepEqual(
    audit.windowLosses.map(({ change }) => [change.kind, change.from, change.to]),
    [['sell', 9, 7]],
  );
  assert.deepEqual(
    audit.writes.map(({ from, to }) => [from, to]),
    [[7, 15]],
  );
  // The answer of our own write is knowledge: the next window begins there.
  platform.outside.sell(stockId, 1);
  await clock.run(connector.writeStock([stockWrite(stockId, 15, 20)]));
  audit = auditStock(platform, stockId);
  assert.equal(audit.windowLostDelta, -3);
});

test('a read whose answer came after the write was sent is no knowledge of it', async () => {
  const { clock, platform, connector, stockId } = setUp(PERSONALITIES.woo, calmPlan(100));
  await clock.run(connector.readStock([stockId]));
  platform.outside.sell(stockId, 1);
  const reading = connector.readStock([stockId]);
  clock.setTimer(() => void connector.writeStock([stockWrite(stockId, 10, 12)]), 70);
  await clock.run(reading);
  await clock.runFor(1_000);
  assert.equal(auditStock(platform, stockId).windowLostDelta, -1);
});

test('a compare-and-set write loses nothing', async () => {
  const { clock, platform, connector, stockId } = setUp(PERSONALITIES.shopify);
  await clock.run(connector.readStock([stockId]));
  platform.outside.sell(stockId, 2);
  assert.deepEqual(await clock.run(connector.writeStock([stockWrite(stockId, 10, 15)])), [{ outcome: 'stale' }]);
  platform.outside.restock(stockId, 2);
  assert.deepEqual(await clock.run(connector.writeStock([stockWrite(stockId, 10, 15)])), [{ outcome: 'applied' }]);
  assert.deepEqual(auditStock(platform, stockId).windowLosses, []);
});

test('the ledger knows which outside value of a register a write replaced, and whether we could know it', async () => {
  const { clock, platform, connector, product } = setUp();
  platform.outside.editProduct(product.id, 'title', 'Known');
  const [read] = await clock.run(connector.readProducts([product.id]));
  assert.ok(read?.ok);
  await clock.run(connector.writeProducts([updateOf(read.value, { fields: { title: 'Ours' } })]));
  assert.deepEqual(
    overwrittenRegisters(platform).map(({ isInWindow, write }) => [write.from, write.to, isInWindow]),
    [['Known', 'Ours', false]],
  );
  platform.outside.editProduct(product.id, 'title', 'Unseen');
  await clock.run(connector.writeProducts([updateOf(read.value, { fields: { title: 'Ours again' } })]));
  assert.deepEqual(
    overwrittenRegisters(platform).map(({ write, isInWindow }) => [write.from, isInWindow]),
    [
      ['Known', false],
      ['Unseen', true],
    ],
  );
  // Ours over ours is nobody's loss.
  await clock.run(connector.writeProducts([updateOf(read.value, { fields: { title: 'Third' } })]));
  assert.equal(overwrittenRegisters(platform).length, 2);
  assert.equal(landedWrites(platform, product.id).length, 3);
  // Nor has anybody typed what was only saved as it was.
  platform.outside.editProduct(product.id, 'title', 'Third');
  await clock.run(connector.writeProducts([updateOf(read.value, { fields: { title: 'Fourth' } })]));
  assert.equal(overwrittenRegisters(platform).length, 2);
  platform.outside.editProduct(product.id, 'title', 'Typed');
  const { seq } = platform.shelf.ledger;
  platform.outside.editProduct(product.id, 'title', 'Typed');
  await clock.run(connector.writeProducts([updateOf(read.value, { fields: { title: 'Fifth' } })]));
  assert.equal(overwrittenRegisters(platform).at(-1)?.change.seq, seq);
});

test('counterparts are counted by mark: a repeated create makes a second one only where the platform lets it', async () => {
  for (const [personality, count] of [
    [PERSONALITIES.shopify, 1],
    [PERSONALITIES.woo, 2],
  ] as const) {
    const { clock, platform, connector } = setUp(personality);
    const bearing = mark();
    const write = createOf(simpleProduct({}, { sku: '' }), bearing);
    const [first] = await clock.run(connector.writeProducts([write]));
    const [second] = await clock.run(connector.writeProducts([write]));
    assert.ok(first?.ok && second?.ok);
    assert.equal(counterpartsOf(platform, bearing).length, count);
    assert.equal(first.snapshot.externalId === second.snapshot.externalId, count === 1);
  }
});

test('where product and variants are two requests, a create can stop half way', async () => {
  const { clock, platform, connector, process } = setUp();
  const bearing = mark();
  void connector.writeProducts([createOf(sizedProduct(3), bearing)]);
  clock.setTimer(() => process.kill(), 15);
  await clock.runFor(60_000);
  const [id] = counterpartsOf(platform, bearing);
  assert.deepEqual(platform.shelf.products.get(id!)?.variants, []);
});

test('some items of a batch may fail for themselves', async () => {
  const { clock, platform, connector } = setUp(
    PERSONALITIES.shopify,
    onFirstWrite({ type: 'partial_batch', indexes: [1] }),
  );
  const record = platform.outside.addProduct(sizedProduct(3));
  const outcomes = await clock.run(
    connector.writeStock(record.variants.map(({ stockId }) => stockWrite(stockId, 10, 1))),
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['withheld', 'failed', 'withheld'],
  );
  assert.deepEqual(
    record.variants.map(({ quantity }) => quantity),
    [10, 10, 10],
    'done whole or not at all',
  );
});

test('an outage of listings calls itself complete and is empty or short, while exact reads still answer', async () => {
  const { clock, platform, connector, product } = setUp();
  for (let count = 0; count < 40; count += 1) platform.outside.addProduct(simpleProduct());
  const list = async () => {
    const ids: string[] = [];
    for await (const page of connector.scan({ resume: null })) ids.push(...page.snapshots.map((one) => one.externalId));
    return ids;
  };
  platform.listingOutage = 'empty';
  assert.deepEqual(await clock.run(list()), []);
  platform.listingOutage = 'shrunken';
  const short = await clock.run(list());
  assert.ok(short.length > 5 && short.length < 36, `${short.length}`);
  assert.deepEqual(await clock.run(list()), short, 'the same records are left out');
  const [read] = await clock.run(connector.readProducts([product.id]));
  assert.equal(read?.ok, true);
  platform.listingOutage = 'spotty';
  const spotty = await clock.run(list());
  assert.ok(spotty.length > 30 && spotty.length < 41, `${spotty.length}`);
  platform.listingOutage = null;
  assert.equal((await clock.run(list())).length, 41);
});

test('a store that has forgotten its records says so of each, and lists them all the same; one that is down says nothing', async () => {
  const { clock, platform, connector, product } = setUp();
  platform.readOutage = 'forgetful';
  const [read] = await clock.run(connector.readProducts([product.id]));
  assert.ok(read?.ok === false && read.error.kind === 'not_found');
  platform.readOutage = 'down';
  await assert.rejects(clock.run(connector.readProducts([product.id])), { kind: 'unavailable' });
  platform.readOutage = null;
  const [again] = await clock.run(connector.readProducts([product.id]));
  assert.equal(again?.ok, true);
});

test('deliveries name records and carry wrong numbers; our own writes echo', async () => {
  const { clock, platform, connector, product, stockId, deliveries } = setUp();
  await clock.run(connector.ensureWebhooks('https://us.example/hook'));
  platform.outside.sell(stockId, 1);
  await clock.run(connector.writeStock([stockWrite(stockId, 9, 5)]));
  await clock.runFor(1_000);
  const verified = deliveries.map(({ delivery }) => connector.verifyDelivery(delivery));
  // This one tells of a sale as of an edit.
  const told = [{ kind: 'product', externalId: product.id }];
  assert.deepEqual(
    verified.map((one) => one?.signals),
    [told, told],
  );
  const body = JSON.parse(Buffer.from(deliveries[0]!.delivery.body).toString());
  assert.equal(body.product_id, product.id);
  assert.match(body.title, /^stale/);
});

test('a hook that is refused again and again is switched off, and ensureWebhooks repairs it', async () => {
  const clock = new VirtualClock();
  const platform = new MemoryPlatform({
    name: 'shop.example',
    personality: PERSONALITIES.shopify,
    clock,
    random: new SeededRandom('hooks'),
    deliver: () => false,
  });
  const connector = new MemoryConnector(platform);
  await clock.run(connector.ensureWebhooks('https://us.example/hook'));
  platform.outside.addProduct(simpleProduct());
  await clock.runFor(4 * 3_600_000);
  assert.equal(platform.webhooks.hooks.find((hook) => hook.topic === 'product')?.isActive, false);
  assert.ok((platform.fired.get('delivery_refused') ?? 0) >= 8);
  assert.deepEqual(await clock.run(connector.ensureWebhooks('https://us.example/hook')), { active: 2, repaired: 1 });
});

test('search lags behind, exact reads do not', async () => {
  const { clock, platform, connector } = setUp(PERSONALITIES.shopify);
  const product = platform.outside.addProduct(simpleProduct({}, { sku: 'LAG-1' }));
  assert.deepEqual(await clock.run(connector.findByKeys(['sku:lag-1'])), []);
  await clock.runFor(platform.personality.searchLagMs);
  assert.equal((await clock.run(connector.findByKeys(['sku:lag-1'])))[0]?.externalId, product.id);
});

test('shop rules: nothing sold out is sold, no SKU twice where SKUs are unique, nothing in the bin is edited', () => {
  const { platform, product, stockId } = setUp();
  assert.equal(platform.outside.sell(stockId, 11), null);
  const other = platform.outside.addProduct(simpleProduct()).variants[0]!.stockId;
  assert.equal(platform.outside.duplicateSku(stockId, other), null);
  platform.outside.deleteProduct(product.id, 'bin');
  assert.equal(platform.outside.editProduct(product.id, 'title', 'x'), null);
  assert.ok(platform.outside.restore(product.id));
  assert.ok(platform.outside.editProduct(product.id, 'title', 'x'));
  const shopify = setUp(PERSONALITIES.shopify);
  const twin = shopify.platform.outside.addProduct(simpleProduct()).variants[0]!.stockId;
  assert.ok(shopify.platform.outside.duplicateSku(shopify.stockId, twin));
});
