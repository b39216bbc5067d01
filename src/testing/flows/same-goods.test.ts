// The same goods, written down in two ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

for (const [what, keys] of [
  ['SKUs in other letters', { woocommerce: { sku: 'mug-blue' }, shopify: { sku: 'MUG-Blue' } }],
  [
    'barcodes with and without a zero before them',
    { woocommerce: { sku: '', barcode: '0036000291452' }, shopify: { sku: '', barcode: '036000291452' } },
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
