// The same goods, written down in two ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { gtinOf } from '../simulator/catalogue.ts';
import { EngineFlow } from './engine-flow.ts';

for (const [what, keys] of [
  ['SKUs in other letters', { woocommerce: { sku: 'mug-blue' }, shopify: { sku: 'MUG-Blue' } }],
  [
    'barcodes with and without a zero before them',
    { woocommerce: { sku: '', barcode: '0036000291452' }, shopify: { sku: '', barcode: '036000291452' } },
  ],
  [
    'an ISBN with hyphens and without',
    { woocommerce: { sku: '', barcode: '978-3-16-148410-0' }, shopify: { sku: '', barcode: '9783161484100' } },
  ],
] as const)
  test(`[M1] two shops have the same goods under ${what}: they are linked, and nothing is made twice`, async () => {
    const flow = new EngineFlow();
    for (const side of SIDES) flow.stock([side], { title: `Mug of ${side}`, handle: side }, [keys[side]]);
    await flow.link();
    assert.deepEqual(
      SIDES.map((side) => flow.count(side)),
      [1, 1],
    );
    assert.deepEqual(flow.problems(), []);
  });

for (const side of SIDES)
  test(`[M1] what comes into ${side} later under the ISBN without hyphens joins what the other shop has with them`, async () => {
    for (const createOn of [
      { woocommerce: false, shopify: false },
      { woocommerce: side !== 'woocommerce', shopify: side !== 'shopify' },
    ]) {
      const flow = new EngineFlow({ createOn });
      flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
      await flow.link();
      flow.stock([otherSide(side)], { title: 'Book', handle: 'book' }, [{ sku: 'B-1', barcode: '978-3-16-148410-0' }]);
      await flow.rest(20);
      flow.stock([side], { title: 'Book', handle: 'new' }, [{ sku: 'B-2', barcode: '9783161484100' }]);
      await flow.rest(20);
      assert.deepEqual([...SIDES.map((each) => flow.count(each)), flow.problems()], [2, 2, []]);
      assert.equal(Object.keys(flow.hub('Book').bindings).length, 2);
    }
  });

for (const side of SIDES)
  test(`[M1] what is added in ${side} later under the SKU in other letters joins what the other shop has`, async () => {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: false } });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const other = otherSide(side);
    flow.stock([other], { title: 'Cup', handle: 'cup' }, [{ sku: 'CUP-1' }]);
    await flow.rest();
    flow.change({ createOn: { woocommerce: true, shopify: true } });
    flow.stock([side], { title: 'The cup', handle: 'the-cup' }, [{ sku: 'cup-1' }]);
    await flow.rest(5);
    assert.deepEqual(
      SIDES.map((each: Side) => flow.count(each)),
      [2, 2],
    );
    assert.deepEqual(flow.problems(), []);
  });

const GTIN = '4006381333931';

for (const first of SIDES)
  test(`[M1] the same goods are added to both shops under other SKUs, to ${first} first: the barcode tells that they are one`, async () => {
    for (const apartMs of [0, 2_000, 5_000]) {
      const flow = new EngineFlow();
      flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
      await flow.link();
      // The second one is not told: it has to be looked for.
      const shop = flow.shop(otherSide(first));
      shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
      const barcode = { woocommerce: GTIN, shopify: `0${GTIN}` };
      const add = (side: Side) =>
        flow.stock([side], { title: `Cup of ${side}`, handle: side }, [{ sku: `CUP-${side}`, barcode: barcode[side] }]);
      add(first);
      await flow.world.clock.runFor(apartMs);
      add(otherSide(first));
      await flow.rest(30);
      const counts = SIDES.map((side) => flow.count(side));
      assert.deepEqual([...counts, flow.problems()], [2, 2, []], `${apartMs} ms apart`);
    }
  });

for (const [how, settings] of [
  ['in one direction', { syncDirection: 'woocommerce_to_shopify' }],
  ['without creating in WooCommerce', { createOn: { woocommerce: false, shopify: true } }],
] as const)
  test(`[M1] kept the same ${how}, what Shopify alone had for long is found by its barcode when it comes into WooCommerce`, async () => {
    const flow = new EngineFlow(settings);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    flow.stock(['shopify'], { title: 'Cup', handle: 'cup' }, [{ sku: 'S-1', barcode: GTIN }]);
    await flow.link();
    await flow.world.clock.runFor(3_600_000);
    flow.stock(['woocommerce'], { title: 'The cup', handle: 'the-cup' }, [{ sku: 'W-1', barcode: GTIN }]);
    await flow.rest(30);
    const counts = SIDES.map((side) => flow.count(side));
    assert.deepEqual([...counts, flow.problems()], [2, 2, []]);
    assert.equal(flow.hub('The cup').bindings.shopify?.externalId, flow.product('shopify', 'The cup').id);
  });

test('[M2, M3] the barcode decides before the SKU; borne by two, it is left to a person, and what is typed meanwhile counts', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['shopify'], { title: 'Mug', handle: 'mug' }, [{ sku: 'MUG', barcode: GTIN }]);
  flow.stock(['shopify'], { title: 'Jug', handle: 'jug' }, [{ sku: 'JUG' }]);
  await flow.link();
  const mug = flow.product('shopify', 'Mug').id;
  await flow.world.clock.runFor(3_600_000);
  flow.stock(['woocommerce'], { title: 'New mug', handle: 'new' }, [{ sku: 'JUG', barcode: GTIN }]);
  await flow.rest(30);
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify'), flow.problems()], [2, 3, []], 'joined with one');
  assert.equal(flow.hub('New mug').bindings.shopify?.externalId, mug, 'with the mug, by its barcode');
  const other = '0036000291452';
  for (const sku of ['A', 'B'])
    flow.stock(['shopify'], { title: `Pan ${sku}`, handle: sku }, [{ sku, barcode: other }]);
  await flow.world.clock.runFor(3_600_000);
  flow.stock(['woocommerce'], { title: 'Pan', handle: 'pan' }, [{ sku: 'PAN', barcode: other }]);
  await flow.rest(30);
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [3, 5], 'nothing is made');
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
  const [problem] = flow.rows<{ message: string; remedy: string }>(
    "SELECT message, remedy FROM problem WHERE state = 'open'",
  );
  assert.match(problem?.message ?? '', /by its barcode \(0036000291452\)/);
  assert.match(problem?.remedy ?? '', /Make the barcode unique/);
});

test('[M5] each of the two has to lead to the other by its strongest key: the plan and the live path agree', async () => {
  for (const how of ['plan', 'live'] as const) {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    if (how === 'live') await flow.link();
    flow.stock(['woocommerce'], { title: 'A', handle: 'a' }, [{ sku: 'A', barcode: GTIN }]);
    flow.stock(['woocommerce'], { title: 'B', handle: 'b' }, [{ sku: 'M' }]);
    flow.stock(['shopify'], { title: 'X', handle: 'x' }, [{ sku: 'M', barcode: GTIN }]);
    const { id } = flow.product('shopify', 'X');
    if (how === 'plan') await flow.link();
    await flow.rest(30);
    assert.equal(flow.hub('A').bindings.shopify?.externalId, id, how);
  }
});

test('[M1] a product of sixty variants with a SKU and a barcode each is found by the last of them', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['shopify'], { title: 'Old shirt', handle: 'old', optionNames: ['Size'] }, [
    { sku: 'S-59', optionValues: ['59'] },
    { sku: 'S-X', optionValues: ['X'] },
  ]);
  await flow.link();
  await flow.world.clock.runFor(3_600_000);
  const variants = Array.from({ length: 60 }, (_, i) => ({
    sku: `S-${i}`,
    barcode: gtinOf(i),
    optionValues: [String(i)],
  }));
  flow.stock(['woocommerce'], { title: 'Shirt', handle: 'shirt', optionNames: ['Size'] }, variants);
  await flow.rest(30);
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [2, 2],
  );
});

test('[M3] two records of one shop whose SKUs differ by letters alone are ambiguous', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  for (const sku of ['MUG', 'mug']) flow.stock(['shopify'], { title: sku, handle: sku }, [{ sku }]);
  await flow.link();
  assert.deepEqual([...new Set(flow.problems())], ['AMBIGUOUS_MATCH']);
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [1, 2],
  );
  assert.match(flow.rows<{ message: string }>('SELECT message FROM problem')[0]?.message ?? '', /mug/i);
});
