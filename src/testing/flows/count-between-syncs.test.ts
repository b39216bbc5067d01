// Counts in pairs that see late what is done in their shops: what was sold before is not known yet when a person counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPairView } from '../../engine/pair-view.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { enterCount } from '../../engine/stock/enter-count.ts';
import { stockKeys } from '../../engine/stock/stock-call.ts';
import { loadStock } from '../../engine/stock/stock-subject.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const MINUTE_MS = 60_000;

async function linked(settings: Partial<PairSettings> = { syncSchedule: 'daily' }): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 10 }]);
  return flow.link();
}

/** `at`: how long ago, ms; null: now. */
async function count(flow: EngineFlow, quantity: number, at: number | null = null) {
  const hub = flow.hub('Mug');
  const [variantId] = hub.variants.keys();
  assert.ok(variantId);
  const countedAt = at === null ? null : flow.world.clock.now() - at;
  const counted = enterCount(flow.world.life().ctx, { productId: hub.row.id, variantId, quantity, countedAt }).catch(
    (error: unknown) => error,
  );
  await flow.rest();
  return counted;
}

const sell = (flow: EngineFlow, side: Side, units: number) =>
  flow.shop(side).outside.sell(flow.item(side, 'MUG'), units);
const numbers = (flow: EngineFlow) => [flow.hubQuantity('MUG'), ...flow.quantities('MUG')];

function isRefused(answer: unknown, code: string, field?: string): void {
  assert.ok(answer instanceof Refusal, JSON.stringify(answer));
  assert.equal(answer.code, code);
  if (field !== undefined) assert.equal((answer.details['fields'] as { field: string }[])[0]?.field, field);
}

for (const syncSchedule of ['hourly', 'daily', 'weekly', 'manual'] as const)
  test(`[S10] synced ${syncSchedule}: what was sold between the last sync and a count is not taken off it`, async () => {
    const flow = await linked({ syncSchedule });
    sell(flow, 'woocommerce', 3);
    sell(flow, 'shopify', 1);
    await flow.rest(10);
    assert.deepEqual(await count(flow, 6), { from: 6, quantity: 6, seenSince: 0 });
    assert.deepEqual(numbers(flow), [6, 6, 6]);
    sell(flow, 'shopify', 1);
    await flow.scan();
    assert.deepEqual(numbers(flow), [5, 5, 5], 'what is sold after it is');
  });

test('[S10] synced daily: a count of an earlier time is taken where nothing moved since, and else a person counts again', async () => {
  const flow = await linked();
  await flow.rest(60);
  assert.deepEqual(await count(flow, 12, 10 * MINUTE_MS), { from: 10, quantity: 12, seenSince: 0 });
  sell(flow, 'woocommerce', 4);
  isRefused(await count(flow, 8, MINUTE_MS), 'VALIDATION', 'countedAt');
  assert.deepEqual(numbers(flow), [8, 8, 8], 'what was seen is counted');
  isRefused(await count(flow, 8, 20 * MINUTE_MS), 'VALIDATION', 'countedAt');
  assert.deepEqual(await count(flow, 7), { from: 8, quantity: 7, seenSince: 0 });
  assert.deepEqual(numbers(flow), [7, 7, 7]);
});

for (const side of SIDES)
  test(`[S10] synced daily: while ${side} does not show the item a count is refused, and nothing of it is left`, async () => {
    const flow = await linked();
    sell(flow, side, 4);
    flow.hands[side].readStock = async () => {
      throw new ConnectorError('unavailable', 'The shop is down');
    };
    isRefused(await count(flow, 6), 'STOCK_NOT_COUNTED');
    assert.deepEqual(
      [flow.hubQuantity('MUG'), flow.changes('stock').filter(({ cause }) => cause === 'counted')],
      [10, []],
    );
    delete flow.hands[side].readStock;
    await flow.rest(60);
    assert.deepEqual(await count(flow, 6), { from: 6, quantity: 6, seenSince: 0 });
    assert.deepEqual(numbers(flow), [6, 6, 6]);
  });

test('[S10] synced daily: what ends a count while the shops are asked refuses it in its own words', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const { readStock } = flow.connector('shopify');
  flow.hands.shopify.readStock = async (...args) => {
    pausePair(ctx, PAIR_ID);
    return readStock(...args);
  };
  const answer = await count(flow, 6);
  isRefused(answer, 'STOCK_NOT_COUNTED');
  assert.match((answer as Refusal).message, /This pair is paused/);
  assert.equal(flow.hubQuantity('MUG'), 10);
});

test('[S10] synced daily: the program ends while the shops are asked: nobody was told of a count, and there is none', async () => {
  const flow = await linked();
  sell(flow, 'woocommerce', 4);
  const { readStock } = flow.connector('shopify');
  flow.hands.shopify.readStock = async (...args) => {
    flow.world.process?.kill();
    return readStock(...args);
  };
  const hub = flow.hub('Mug');
  const [variantId] = hub.variants.keys();
  assert.ok(variantId);
  const command = { productId: hub.row.id, variantId, quantity: 6, countedAt: null };
  void enterCount(flow.world.life().ctx, command).catch(() => null);
  await flow.world.clock.runFor(MINUTE_MS);
  delete flow.hands.shopify.readStock;
  flow.world.boot();
  await flow.rest();
  assert.deepEqual(
    flow.changes('stock').filter(({ cause }) => cause === 'counted'),
    [],
  );
  await flow.scan();
  assert.deepEqual(numbers(flow), [6, 6, 6]);
});

test('[S10] synced daily: another pass is at the item: the count waits for it', async () => {
  const flow = await linked();
  sell(flow, 'shopify', 2);
  const { readStock } = flow.connector('shopify');
  let reads = 0;
  flow.hands.shopify.readStock = async (...args) => {
    reads += 1;
    await flow.world.clock.sleep(3_000);
    return readStock(...args);
  };
  const both = await Promise.all([count(flow, 8), count(flow, 7)]);
  assert.ok(reads >= 2);
  assert.deepEqual(
    both.map((each) => (each as { quantity: number }).quantity),
    [8, 7],
  );
  assert.deepEqual(numbers(flow), [7, 7, 7]);
});

const BACK: Readonly<Record<string, (flow: EngineFlow, sold: () => Promise<void>) => Promise<void>>> = {
  'a pause': async (flow, sold) => {
    pausePair(flow.world.life().ctx, PAIR_ID);
    await sold();
    resumePair(flow.world.life().ctx, PAIR_ID);
  },
  'a daily schedule': async (flow, sold) => {
    updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncSchedule: 'daily' });
    await flow.rest();
    await sold();
    updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncSchedule: 'realtime' });
  },
  'inventory switched off': async (flow, sold) => {
    updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: false });
    await flow.rest();
    await sold();
    updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: true });
  },
  'an outage of the server': async (flow, sold) => {
    flow.world.process?.kill();
    await sold();
    flow.world.boot();
  },
};

for (const [what, goThrough] of Object.entries(BACK))
  test(`[S10] counted as soon as the pair is back from ${what}: what was sold meanwhile is not taken off it`, async () => {
    const flow = await linked({});
    await goThrough(flow, async () => {
      sell(flow, 'woocommerce', 3);
      sell(flow, 'shopify', 1);
      await flow.rest(180);
    });
    assert.deepEqual(await count(flow, 6), { from: 6, quantity: 6, seenSince: 0 });
    await flow.poll();
    assert.deepEqual(numbers(flow), [6, 6, 6]);
  });

test('[S10] in real time, too, what its shops have not told of yet is not taken off a count of now: without a public address they are polled each quarter of an hour', async () => {
  const flow = await linked({});
  await flow.poll(2);
  sell(flow, 'woocommerce', 3);
  sell(flow, 'shopify', 1);
  assert.deepEqual(await count(flow, 6), { from: 6, quantity: 6, seenSince: 0 });
  assert.deepEqual(numbers(flow), [6, 6, 6]);
});

test('[S10] in real time a count of an earlier time asks neither shop: what is told of later was sold later', async () => {
  const flow = await linked({});
  await flow.poll(2);
  let reads = 0;
  for (const side of SIDES) {
    const { readStock } = flow.connector(side);
    flow.hands[side].readStock = async (...args) => {
      reads += 1;
      return readStock(...args);
    };
  }
  const hub = flow.hub('Mug');
  const [variantId] = hub.variants.keys();
  assert.ok(variantId);
  sell(flow, 'shopify', 1);
  const command = { productId: hub.row.id, variantId, quantity: 50, countedAt: flow.world.clock.now() - 1 };
  const counted = await enterCount(flow.world.life().ctx, command);
  assert.deepEqual([counted, reads], [{ from: 10, quantity: 50, seenSince: 0 }, 0]);
  await flow.rest();
  assert.deepEqual(numbers(flow), [49, 49, 49]);
});

test('[S10] while a write of its item has no answer a count of an earlier time is refused: what was sold meanwhile is seen, and counted only afterwards', async () => {
  const flow = await linked({});
  await flow.poll(2);
  faultOnce(flow.shop('shopify'), 'write_stock', { type: 'connection_lost', when: 'after' });
  sell(flow, 'woocommerce', 1);
  await flow.world.clock.runFor(3_000);
  sell(flow, 'shopify', 1);
  await flow.world.clock.runFor(10_000);
  const hub = flow.hub('Mug');
  const [variantId] = hub.variants.keys();
  assert.ok(variantId);
  const command = { productId: hub.row.id, variantId, quantity: 8, countedAt: flow.world.clock.now() };
  await flow.world.clock.runFor(5_000);
  const counted = enterCount(flow.world.life().ctx, command).catch((error: unknown) => error);
  await flow.world.clock.runFor(20_000);
  isRefused(await counted, 'STOCK_NOT_COUNTED');
  await flow.rest();
  assert.deepEqual(await count(flow, 8), { from: 7, quantity: 8, seenSince: 0 });
  assert.deepEqual([numbers(flow), flow.problems()], [[8, 8, 8], []]);
});

test('[S10, G1] where what it settles of an earlier write is one harm too many the pair is halted at once, and the count is refused in words', async () => {
  const flow = new EngineFlow();
  const others = Array.from({ length: 10 }, (_, n) => `BOWL-${n}`);
  for (const sku of others) flow.stock(SIDES, { title: sku }, [{ sku, quantity: 5 }]);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  for (const sku of others) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 5);
  await flow.rest();
  assert.equal(flow.status(), 'active');
  faultOnce(flow.shop('shopify'), 'write_stock', { type: 'timeout', when: 'before' });
  sell(flow, 'woocommerce', 1);
  await flow.rest(1);
  untold(flow, 'shopify', () => sell(flow, 'shopify', 10));
  // Another pass is at the item until the write can be settled, and a person counts just then.
  const { ctx } = flow.world.life();
  const view = loadPairView(ctx, PAIR_ID);
  const rows = loadStock(ctx, present([...flow.hub('Mug').variants.keys()][0], 'a variant'));
  assert.ok(view && rows);
  const release = ctx.locks.tryAcquire(stockKeys(view, rows));
  assert.ok(release);
  await flow.rest(10);
  release();
  const counted = await count(flow, 4);
  isRefused(counted, 'STOCK_NOT_COUNTED');
  assert.match(String(counted), /halted/);
  assert.deepEqual([flow.status(), flow.halt()?.reason], ['halted', 'mass_zero']);
});
