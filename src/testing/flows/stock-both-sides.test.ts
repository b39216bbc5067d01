// Stock that is due on both sides at once: what becomes of the one is no answer to the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { StockWriteOutcome } from '../../ports/connector.ts';
import { EngineFlow } from './engine-flow.ts';

const SKUS = ['MUG', 'BOWL', 'CUP'];

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  for (const sku of SKUS) flow.stock(SIDES, { title: sku }, [{ sku, quantity: 10 }]);
  return flow.link();
}

/** A side answers the first stock call after `ms` as it is told to: with an error for the items that are named. */
function answer(flow: EngineFlow, side: Side, ms: number, skus: readonly string[], error: ConnectorError): void {
  const items = new Set(skus.map((sku) => flow.item(side, sku)));
  flow.hands[side].writeStock = async (writes, signal) => {
    await flow.world.clock.sleep(ms);
    if (!writes.some(({ stockId }) => items.has(stockId))) return flow.connector(side).writeStock(writes, signal);
    delete flow.hands[side].writeStock;
    return writes.map(
      ({ stockId }): StockWriteOutcome =>
        items.has(stockId) ? { outcome: 'failed', error } : { outcome: 'withheld', cause: null },
    );
  };
}

/** One of an item is sold in both shops at once: both are to show one less than they do. */
function sellOnBoth(flow: EngineFlow, sku: string): void {
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, sku), 1);
}

test('[S3] one side is away for a moment while the other refuses the item for good: the first is written when it is back', async () => {
  const flow = await linked();
  answer(flow, 'woocommerce', 100, ['MUG'], new ConnectorError('unavailable', 'away'));
  answer(flow, 'shopify', 2_000, ['MUG'], new ConnectorError('rejected', 'not this one'));
  sellOnBoth(flow, 'MUG');
  await flow.rest(10);
  assert.equal(flow.quantity('woocommerce', 'MUG'), 8);
});

test('[S3, C7] what is withheld leaves, although the other side refuses the same item', async () => {
  const flow = await linked();
  answer(flow, 'woocommerce', 100, ['BOWL'], new ConnectorError('rejected', 'not this one'));
  answer(flow, 'shopify', 2_000, ['MUG'], new ConnectorError('rejected', 'nor that one'));
  for (const sku of ['MUG', 'BOWL']) sellOnBoth(flow, sku);
  await flow.rest(10);
  assert.equal(flow.quantity('shopify', 'BOWL'), 8);
});

test('[S3] what was sold in one shop is taken off in the other, although its record is gone there since, and nobody told', async () => {
  const flow = await linked();
  flow.hands.shopify.writeStock = async (writes) =>
    writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unavailable', 'away') }));
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
  await flow.rest(1);
  assert.equal(flow.hubQuantity('MUG'), 8);

  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteProduct(flow.product('woocommerce', 'MUG').id, 'hard');
  shop.faults = calm;
  // Both sides owe the other's sales now; WooCommerce, which is written blindly, is read first, and has nothing to read.
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  delete flow.hands.shopify.writeStock;
  await flow.rest(10);
  assert.equal(flow.quantity('shopify', 'MUG'), 7);
});

for (const side of SIDES)
  test(`[S3] what ${side} sold before it went away is taken off in the other shop meanwhile, whoever is to be read first`, async () => {
    const flow = await linked();
    const other = otherSide(side);
    flow.hands[other].writeStock = async (writes) =>
      writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unavailable', 'away') }));
    flow.shop(side).outside.sell(flow.item(side, 'MUG'), 2);
    await flow.rest(1);
    assert.equal(flow.hubQuantity('MUG'), 8);

    const away = async () => {
      throw new ConnectorError('unavailable', 'away');
    };
    Object.assign(flow.hands[side], { readStock: away, readProducts: away });
    // Sold while it answers nobody: its own webhook asks for a reading that there is none of.
    flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
    await flow.rest(1);
    delete flow.hands[other].writeStock;
    flow.shop(other).outside.sell(flow.item(other, 'MUG'), 1);
    await flow.rest(10);
    assert.equal(flow.quantity(other, 'MUG'), 7);
    assert.equal(flow.hubQuantity('MUG'), 7);

    delete flow.hands[side].readStock;
    delete flow.hands[side].readProducts;
    await flow.rest(60);
    assert.deepEqual(flow.quantities('MUG'), [6, 6]);
  });

for (const stockCap of [null, 5])
  test(`[S7] a record joins one that has sold meanwhile, and nobody told: the sale is counted once (most to show: ${stockCap})`, async () => {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true }, stockCap });
    flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const shop = flow.shop('shopify');
    shop.outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>Known</p>');
    await flow.rest();
    const calm = shop.faults;
    shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.sell(flow.product('shopify', 'Mug').variants[0]?.stockId ?? '', 2);
    shop.faults = calm;
    // Who adds it counts what is on the shelf by now.
    flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 8 }]);
    await flow.rest();
    const shown = Math.min(8, stockCap ?? 8);
    assert.deepEqual(flow.quantities('MUG'), [shown, shown]);
    assert.equal(flow.rows<{ quantity: number }>("SELECT quantity FROM variant WHERE sku = 'MUG'")[0]?.quantity, 8);
  });

/** What is stored of a record, its stock left aside. */
function stored(flow: EngineFlow) {
  return flow.rows('SELECT data, seen, updated_at FROM product ORDER BY title');
}

test('[S2] a sale that the reading of a product tells of moves its stock and nothing else; the other record is not read for it', async () => {
  const flow = await linked();
  const before = stored(flow);
  let reads = 0;
  flow.hands.shopify.readProducts = (...args) => {
    reads += 1;
    return flow.connector('shopify').readProducts(...args);
  };
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest(1);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  assert.deepEqual(stored(flow), before);
  assert.equal(reads, 0);
});

test('[S2] a sale and an edit that one reading tells of both cross', async () => {
  const flow = await linked();
  const { id } = flow.product('woocommerce', 'MUG');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  flow.shop('woocommerce').outside.editProduct(id, 'title', 'Large mug');
  await flow.rest(1);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  assert.equal(flow.product('shopify', 'Large mug').variants.length, 1);
});
