import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { getStore } from '../../db/readers/pairs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { countStock } from '../../engine/stock/count-stock.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { PAIR_ID, STORE_IDS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const HOUR_MS = 3_600_000;

async function linked(quantity = 10, settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [
    { sku: 'MUG', quantity },
    { sku: 'MUG-RED', quantity: 3 },
  ]);
  return flow.link();
}

/** `at`: how long ago, ms. */
function count(flow: EngineFlow, sku: string, quantity: number, at = 0) {
  const hub = flow.hub('Mug');
  const variant = [...hub.variants.values()].find((row) => row.sku === sku);
  assert.ok(variant);
  const countedAt = flow.world.clock.now() - at;
  return countStock(flow.world.life().ctx, {
    productId: hub.row.id,
    variantId: variant.id,
    quantity,
    countedAt,
  });
}

const numbers = (flow: EngineFlow, sku: string) => [flow.hubQuantity(sku), ...flow.quantities(sku)];

test('[S10] a count is the truth on both sides', async () => {
  const flow = await linked();
  assert.deepEqual(count(flow, 'MUG', 7), { from: 10, quantity: 7, seenSince: 0 });
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  assert.deepEqual(numbers(flow, 'MUG-RED'), [3, 3, 3], 'the other variant has nothing to do with it');
  const [entry] = flow.rows<{ from: string; to: string }>(`SELECT "from", "to" FROM change WHERE cause = 'counted'`);
  assert.deepEqual(entry, { from: '10', to: '7' });
});

test('[S10] what was sold and taken in after the count is counted on top, what came before is not', async () => {
  const flow = await linked();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 4);
  await flow.rest(60);
  // Counted half an hour ago, typed in now: meanwhile Shopify sold two and got five.
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 2);
  await flow.rest(1);
  flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG'), 5);
  await flow.rest(29);
  assert.deepEqual(count(flow, 'MUG', 20, HOUR_MS / 2 + 60_000), { from: 9, quantity: 23, seenSince: 3 });
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [23, 23, 23]);
});

test('[S10] a sale that was not seen yet when the count is typed in still counts', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  count(flow, 'MUG', 50);
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [49, 49, 49]);
});

test('[S9] [S10] a count settles an oversell, and one that is still short is told', async () => {
  const flow = await linked(1);
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
  await flow.rest(60);
  assert.equal(flow.hubQuantity('MUG'), -1);
  assert.match(flow.words('OVERSOLD').message, /sold 1 time more/);
  count(flow, 'MUG', 4);
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [4, 4, 4]);
  assert.deepEqual(flow.problems(), []);
});

test('[S10] a count goes out by the rules of the pair', async () => {
  const flow = await linked(10, { stockBuffer: 2 });
  count(flow, 'MUG', 7);
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 5, 5]);
});

test('[S10] a count that can not be right names its field, and changes nothing', async () => {
  const flow = await linked();
  for (const [quantity, ago, field] of [
    [-1, 0, 'quantity'],
    [1.5, 0, 'quantity'],
    [1_000_000_001, 0, 'quantity'],
    [5, -2 * HOUR_MS, 'countedAt'],
    [5, 8 * 24 * HOUR_MS, 'countedAt'],
  ] as const) {
    assert.throws(
      () => count(flow, 'MUG', quantity, ago),
      (error) =>
        error instanceof Refusal &&
        error.code === 'VALIDATION' &&
        (error.details['fields'] as { field: string }[])[0]?.field === field,
      `${quantity} units, ${ago} ms ago`,
    );
  }
  flow.shop('shopify').outside.setTracked(flow.item('shopify', 'MUG'), false);
  await flow.rest(60);
  assert.throws(
    () => count(flow, 'MUG', 5),
    (error) => error instanceof Refusal && error.code === 'STOCK_NOT_COUNTED',
  );
  await flow.rest();
  assert.equal(flow.hubQuantity('MUG'), 10);
});

test('[S9] what was below zero in the only shop that had it is told of when it is made in the other', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], {}, [{ sku: 'MUG', quantity: -2 }]);
  await flow.link();
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [-2, 0, 0]);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 7);
  await flow.rest();
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[5, 5], []]);
});

const refusesItsTime = (error: unknown) =>
  error instanceof Refusal &&
  error.code === 'VALIDATION' &&
  /linked after this time/.test(error.message) &&
  (error.details['fields'] as { field: string }[])[0]?.field === 'countedAt';

test('[S10] a count of before the two shops were linked is refused: what they sold since was seen by nobody', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 10 }]);
  await flow.rest(60);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.link();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  assert.throws(() => count(flow, 'MUG', 10, HOUR_MS), refusesItsTime);
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  assert.equal(count(flow, 'MUG', 6, 60_000).quantity, 6, 'one of since then is taken');
});

test('[S10] [S6] a count of before the stock of an item was linked anew is refused: while it was paused nothing of it was counted', async () => {
  const flow = await linked();
  const { outside } = flow.shop('woocommerce');
  const item = flow.item('woocommerce', 'MUG');
  outside.setTracked(item, false);
  await flow.rest();
  outside.setTracked(item, true);
  await flow.rest(60);
  outside.sell(item, 3);
  await flow.rest();
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE code = 'STOCK_TRACKING_CHANGED'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  assert.throws(() => count(flow, 'MUG', 10, HOUR_MS), refusesItsTime);
  await flow.rest();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  assert.equal(count(flow, 'MUG', 6, 60_000).quantity, 6, 'one of since then is taken');
});

for (const source of SIDES)
  test(`[S10] [S11] stock goes one way, from ${source}: a count that is not what the source shows is refused, for nothing would bring it there`, async () => {
    const syncDirection = source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
    const flow = await linked(10, { syncDirection, stockTwoWay: false });
    assert.throws(
      () => count(flow, 'MUG', 7),
      (error) =>
        error instanceof Refusal && error.code === 'VALIDATION' && JSON.stringify(error.details).includes('10'),
    );
    await flow.rest();
    assert.deepEqual(numbers(flow, 'MUG'), [10, 10, 10]);
    flow.shop(source).outside.sell(flow.item(source, 'MUG'), 3);
    await flow.rest();
    assert.deepEqual(count(flow, 'MUG', 7), { from: 7, quantity: 7, seenSince: 0 });
    await flow.rest();
    assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
  });

for (const how of ['inventory is switched off', 'the pair is paused'] as const)
  test(`[S10] while ${how} a count is refused: what was sold before it is not seen yet, and would be taken off it`, async () => {
    const flow = await linked();
    const { ctx } = flow.world.life();
    const isOff = how === 'inventory is switched off';
    if (isOff) updatePairSettings(ctx, PAIR_ID, { syncInventory: false });
    else pausePair(ctx, PAIR_ID);
    await flow.rest();
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
    await flow.rest();
    assert.throws(
      () => count(flow, 'MUG', 7),
      (error) => error instanceof Refusal && error.code === 'STOCK_NOT_COUNTED' && /then count/.test(error.message),
    );
    if (isOff) updatePairSettings(ctx, PAIR_ID, { syncInventory: true });
    else resumePair(ctx, PAIR_ID);
    await flow.rest();
    assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
    assert.deepEqual(count(flow, 'MUG', 7), { from: 7, quantity: 7, seenSince: 0 });
  });

test('[S10, A2] while a shop does not let us in a count is refused: what it sold before is not seen yet, and would be taken off it', async () => {
  const flow = await linked();
  const { id } = getStore(flow.world.db, STORE_IDS.shopify);
  const { ctx } = flow.world.life();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  transact(ctx.db, (tx) => updateStore(tx, id, { status: 'error' }));
  await flow.rest(1);
  assert.throws(
    () => count(flow, 'MUG', 7),
    (error) => error instanceof Refusal && error.code === 'STOCK_NOT_COUNTED' && /then count/.test(error.message),
  );
  transact(ctx.db, (tx) => updateStore(tx, id, { status: 'connected' }));
  await flow.poll();
  assert.deepEqual(numbers(flow, 'MUG'), [7, 7, 7]);
});
