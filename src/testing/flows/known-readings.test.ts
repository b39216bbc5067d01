// Readings in which a record is as it was known, or so but for its stock's numbers: what has to be done all the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow, record } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';

const NOWHERE = { createOn: { woocommerce: false, shopify: false } };

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase(), quantity: 10 }]);
  return flow.link();
}

function failWrites(flow: EngineFlow, side: Side, error: ConnectorError): void {
  flow.hands[side].writeProducts = async (writes) => writes.map(() => ({ outcome: 'failed', error })) as never;
}

async function alone(isTold: boolean): Promise<EngineFlow> {
  const flow = new EngineFlow(NOWHERE);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL', quantity: 10 }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  flow.change({ syncInventory: false });
  await flow.scan();
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  if (!isTold) shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.sell(flow.item('woocommerce', 'MUG'), 3);
  shop.faults = calm;
  if (isTold) await flow.rest();
  return flow;
}

for (const isTold of [true, false])
  test(`[T2, S7] sold while inventory is off, then joined by a record of the other shop: counted once (sale was read: ${isTold})`, async () => {
    const flow = await alone(isTold);
    flow.shop('shopify').outside.addProduct(record({ title: 'Mug' }, [{ sku: 'MUG', quantity: 7 }]));
    await flow.rest();
    flow.change({ syncInventory: true });
    await flow.scan();
    assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  });

for (const syncInventory of [true, false])
  test(`[T2] the same, made in the other shop (inventory on with it: ${syncInventory})`, async () => {
    const flow = await alone(true);
    flow.change({ syncInventory, createOn: { woocommerce: true, shopify: true } });
    await flow.scan();
    flow.change({ syncInventory: true });
    await flow.scan();
    assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  });

for (const isCounted of [false, true])
  test(`[S6, T2] inventory is off while a create has no answer, and WooCommerce ${isCounted ? 'sells it' : 'stops counting it'}`, async () => {
    const flow = await linked();
    const isLost = faultOnce(flow.shop('shopify'), 'create_product', { type: 'timeout', when: 'after' });
    flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP', quantity: 10 }]);
    while (!isLost()) await flow.world.clock.runFor(1_000);
    flow.change({ syncInventory: false });
    const { outside } = flow.shop('woocommerce');
    if (isCounted) outside.sell(flow.item('woocommerce', 'CUP'), 3);
    else outside.setTracked(flow.item('woocommerce', 'CUP'), false);
    await flow.rest();
    assert.equal(flow.hub('Cup').variantBindings.shopify.size, 1, 'it has landed, and was found');
    flow.shop('shopify').outside.sell(flow.item('shopify', 'CUP'), 4);
    flow.change({ syncInventory: true });
    await flow.scan();
    if (isCounted) assert.deepEqual(flow.quantities('CUP'), [3, 3]);
    assert.deepEqual(flow.problems(), isCounted ? [] : ['STOCK_TRACKING_CHANGED']);
    assert.equal(flow.hubQuantity('CUP'), isCounted ? 3 : 10);
  });

test('[T2, G3] what one shop alone has was sold out while inventory was off: to switch it on halts nothing', async () => {
  const flow = new EngineFlow(NOWHERE);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL', quantity: 10 }]);
  const skus = Array.from({ length: 14 }, (_, i) => `CUP-${i}`);
  for (const sku of skus) flow.stock(['woocommerce'], { title: sku }, [{ sku, quantity: 10 }]);
  await flow.link();
  flow.change({ syncInventory: false });
  await flow.scan();
  for (const sku of skus) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 10);
  await flow.rest();
  await flow.scan();
  flow.change({ syncInventory: true });
  await flow.scan();
  assert.equal(flow.status(), 'active');
});

test('[A1, R17] inventory is off: a rule for backorders that WooCommerce had no room for is written before the night, though Shopify has sold', async () => {
  const flow = await linked({ syncInventory: false });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  failWrites(flow, 'woocommerce', new ConnectorError('unavailable', 'away'));
  flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG'), 'backorders', 'yes');
  await flow.world.clock.runFor(4_000);
  delete flow.hands.woocommerce.writeProducts;
  await flow.rest(120);
  const item = flow.shop('woocommerce').shelf.items.get(flow.item('woocommerce', 'MUG'));
  assert.equal(item?.variant.fields.backorders, 'yes');
});

for (const isSold of [true, false])
  test(`[P1] a variation that a target had hidden is shown there again (sold meanwhile: ${isSold})`, async () => {
    const flow = new EngineFlow({ syncDirection: 'shopify_to_woocommerce' });
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, [
      { sku: 'S', optionValues: ['S'] },
      { sku: 'M', optionValues: ['M'] },
    ]);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const { outside } = flow.shop('woocommerce');
    const { id, variants } = flow.product('woocommerce', 'Shirt');
    const variation = variants.find(({ fields }) => fields.sku === 'M');
    assert.ok(variation);
    // The variation's tick "Enabled" is taken away, and set again; the shop tells of the product.
    const enable = (isEnabled: boolean) => {
      variation.isArchived = !isEnabled;
      outside.editProduct(id, 'title', 'Shirt');
    };
    enable(false);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
    enable(true);
    if (isSold) outside.sell(flow.item('woocommerce', 'S'), 1);
    await flow.rest();
    await flow.lookAt('Shirt');
    await flow.scan();
    assert.deepEqual(flow.problems(), []);
  });

for (const sale of ['with it', 'later', 'none'] as const)
  test(`[R7, P2] a conflict closes by itself: both shops are back at what they had agreed on (sale: ${sale})`, async () => {
    const flow = await linked({ conflictResolution: 'manual' });
    const shopify = flow.product('shopify', 'Mug').id;
    const woocommerce = flow.product('woocommerce', 'Mug').id;
    failWrites(flow, 'woocommerce', new ConnectorError('unavailable', 'away'));
    flow.shop('shopify').outside.editProduct(shopify, 'title', 'A mug');
    await flow.world.clock.runFor(5_000);
    flow.shop('woocommerce').outside.editProduct(woocommerce, 'title', 'B mug');
    await flow.rest();
    delete flow.hands.woocommerce.writeProducts;
    await flow.rest();
    assert.deepEqual(
      flow.conflicts().map(({ side }) => side),
      ['woocommerce'],
    );
    flow.shop('shopify').outside.editProduct(shopify, 'title', 'Mug');
    await flow.rest();
    flow.shop('woocommerce').outside.editProduct(woocommerce, 'title', 'Mug');
    if (sale === 'later') await flow.rest();
    if (sale !== 'none') flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
    await flow.rest();
    await flow.scan();
    assert.deepEqual(flow.conflicts(), []);
  });

async function unlike(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug', handle: 'mug' }, [{ sku: 'MUG', quantity: 10 }]);
  flow.stock(['shopify'], { title: 'Mug', handle: 'big-mug' }, [{ sku: 'MUG', quantity: 10 }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL', quantity: 10 }]);
  return flow.link();
}

test('[R16] two whose handles differ are level: a sale moves the stock and nothing else', async () => {
  const flow = await unlike();
  const stored = () => flow.rows('SELECT title, updated_at FROM product ORDER BY title');
  const before = stored();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest(1);
  assert.deepEqual(stored(), before);
});

test('[R16, P1] two whose handles differ: a refused title is taken back, and its problem closes', async () => {
  const flow = await unlike();
  failWrites(flow, 'shopify', new ConnectorError('rejected', 'not this title'));
  const { id } = flow.product('woocommerce', 'Mug');
  flow.shop('woocommerce').outside.editProduct(id, 'title', 'Bad mug');
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  flow.shop('woocommerce').outside.editProduct(id, 'title', 'Mug');
  await flow.rest();
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

test('[S2] both are read in one pass: what the first has sold counts, although the second is as it was', async () => {
  const flow = new EngineFlow();
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase(), quantity: 10 }]);
  await flow.link();
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.sell(flow.item('woocommerce', 'MUG'), 3);
  shop.faults = calm;
  await flow.lookAt('Mug');
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
});

test('[S9] sold below zero twice: the words say what there is by now', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 1, backorders: 'yes' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  for (const count of [2, 4]) {
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), count);
    await flow.rest();
  }
  assert.equal(flow.hubQuantity('MUG'), -5);
  assert.match(flow.words('OVERSOLD').message, /5/);
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 9);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
  assert.equal(flow.rows("SELECT id FROM problem WHERE code = 'OVERSOLD'").length, 1);
});

test('[P1] a variant that is missing on the target stays told, however often the source sells another one', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, [
    { sku: 'S', optionValues: ['S'] },
    { sku: 'M', optionValues: ['M'] },
  ]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'S'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
});
