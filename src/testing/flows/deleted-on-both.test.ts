// What is in neither shop any more: it asks nobody anything, and stands in nobody's way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const SIZES = [
  { sku: 'MUG-S', optionValues: ['S'] },
  { sku: 'MUG-M', optionValues: ['M'] },
];

function deleteOn(flow: EngineFlow, side: Side, titles: readonly string[], how: 'bin' | 'hard' = 'hard'): void {
  for (const title of titles) flow.shop(side).outside.deleteProduct(flow.product(side, title).id, how);
}

async function look(flow: EngineFlow): Promise<void> {
  await flow.rest();
  for (let i = 0; i < 3; i += 1) await flow.scan();
}

async function linked(...titles: readonly string[]): Promise<EngineFlow> {
  const flow = new EngineFlow();
  for (const sku of [...titles, 'X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  return flow.link();
}

const skus = (flow: EngineFlow, side: Side, title: string) =>
  flow.product(side, title).variants.map(({ fields }) => fields.sku);

async function inConflict(): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  for (const sku of ['MUG', 'X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  await flow.link();
  for (const [i, side] of SIDES.entries()) {
    const shop = flow.shop(side);
    const usual = shop.faults;
    shop.faults = { ...usual, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.editVariant(flow.item(side, 'MUG'), 'price', { regularMinor: 2000 + i, saleMinor: null });
    shop.faults = usual;
  }
  await flow.lookAt('MUG');
  assert.deepEqual(
    flow.conflicts().map(({ field }) => field.split('.').at(-1)),
    ['price'],
  );
  return flow;
}

for (const how of ['bin', 'hard'] as const)
  test(`[P2, R7, G8] conflict, deleted on both (${how}): there is nothing to decide any more`, async () => {
    const flow = await inConflict();
    for (const side of SIDES) deleteOn(flow, side, ['MUG'], how);
    await look(flow);
    assert.deepEqual(flow.conflicts(), []);
    assert.deepEqual(flow.rows("SELECT resolution FROM conflict WHERE field LIKE '%price'"), [
      { resolution: 'lapsed' },
    ]);
    assert.deepEqual(flow.rows("SELECT state FROM product WHERE title = 'MUG'"), [{ state: 'deleted' }]);
  });

for (const side of SIDES) {
  const other = otherSide(side);

  test(`[M3] merge on ${side}, and the old ones are deleted in both shops: the one that they became is made`, async () => {
    const flow = await linked('MUG-S', 'MUG-M');
    deleteOn(flow, side, ['MUG-S', 'MUG-M']);
    flow.stock([side], { title: 'Mug', optionNames: ['Size'] }, SIZES);
    await look(flow);
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH'], 'the old ones are still there, put away');
    deleteOn(flow, other, ['MUG-S', 'MUG-M']);
    await look(flow);
    assert.deepEqual(flow.problems(), []);
    assert.deepEqual(skus(flow, other, 'Mug'), ['MUG-S', 'MUG-M']);
    assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [3, 3]);
  });

  test(`[M3] merge on ${side} while one of the old ones is put away on ${other}: it becomes the one that is there`, async () => {
    const flow = await linked('MUG-S', 'MUG-M');
    for (const each of SIDES) deleteOn(flow, each, ['MUG-M']);
    deleteOn(flow, side, ['MUG-S']);
    await look(flow);
    const kept = flow.product(other, 'MUG-S').id;
    flow.stock([side], { title: 'Mug', optionNames: ['Size'] }, SIZES);
    await look(flow);
    assert.deepEqual(flow.problems(), []);
    const joined = flow.shop(other).shelf.products.get(kept);
    assert.deepEqual(
      [joined?.fields.status, joined?.variants.map(({ fields }) => fields.sku)],
      ['active', ['MUG-S', 'MUG-M']],
    );
    assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [3, 3]);
  });

  test(`[M3] split on ${side}, and the old one is deleted in both shops: those that it became are made`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, SIZES);
    for (const sku of ['X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
    await flow.link();
    deleteOn(flow, side, ['Mug']);
    for (const sku of ['MUG-S', 'MUG-M']) flow.stock([side], { title: sku }, [{ sku, quantity: 4 }]);
    await look(flow);
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH'], 'the old one is still there, put away');
    deleteOn(flow, other, ['Mug']);
    await look(flow);
    assert.deepEqual(flow.problems(), []);
    for (const sku of ['MUG-S', 'MUG-M']) {
      assert.deepEqual(skus(flow, other, sku), [sku]);
      assert.deepEqual(flow.quantities(sku), [4, 4]);
    }
    assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [4, 4]);
  });

  test(`[M3, B1] split on ${side} into two that share a SKU, and the old one is deleted in both shops: a person is asked`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, SIZES);
    for (const sku of ['X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
    await flow.link();
    for (const each of SIDES) deleteOn(flow, each, ['Mug']);
    await look(flow);
    for (const title of ['One', 'Two']) flow.stock([side], { title }, [{ sku: 'MUG-S' }]);
    await look(flow);
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH']);
    assert.equal(flow.count(other), 2);
  });
}

for (const how of ['bin', 'hard'] as const)
  test(`[G9, R9] what the source of a one-way pair never had is no edit against its delete (${how})`, async () => {
    const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    flow.stock(['shopify'], { title: 'Mug', tags: ['gift'] }, [{ sku: 'MUG' }]);
    await flow.rest();
    flow.stock(['woocommerce'], { title: 'Mug', tags: ['kitchen'] }, [{ sku: 'MUG' }]);
    await flow.rest();
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, how);
    await flow.rest();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
    assert.deepEqual([flow.changes('deleted').map(({ cause }) => cause), flow.problems()], [['delete'], []]);
  });
