// What only the target of a one-way pair has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const DIRECTION = { shopify: 'woocommerce_to_shopify', woocommerce: 'shopify_to_woocommerce' } as const;

/** A pair whose target has a cup in two sizes that its source never had. */
async function open(target: Side, settings: { readonly enforce: boolean; readonly stockTwoWay: boolean }) {
  const flow = new EngineFlow({ syncDirection: DIRECTION[target], ...settings });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.stock([target], { title: 'Cup', handle: 'cup', optionNames: ['Size'] }, [
    { sku: 'CUP-S', optionValues: ['S'], quantity: 10 },
    { sku: 'CUP-L', optionValues: ['L'], quantity: 10 },
  ]);
  await flow.rest(30);
  return { flow, source: otherSide(target), shop: flow.shop(target) };
}

const SETTINGS = [
  { enforce: false, stockTwoWay: true },
  { enforce: true, stockTwoWay: true },
  { enforce: false, stockTwoWay: false },
  { enforce: true, stockTwoWay: false },
];

for (const target of SIDES)
  test(`[R9, R11] what only ${target}, the target, has is its own: edited, sold and deleted as its people like`, async () => {
    for (const settings of SETTINGS) {
      const words = JSON.stringify(settings);
      const { flow, source, shop } = await open(target, settings);
      const { id } = flow.product(target, 'Cup');
      shop.outside.editProduct(id, 'title', 'Tea cup');
      shop.outside.editVariant(flow.item(target, 'CUP-S'), 'sku', 'TEA-S');
      shop.outside.sell(flow.item(target, 'CUP-L'), 3);
      await flow.rest(5);
      await flow.scan();
      await flow.rest(5);
      const cup = flow.product(target, 'Tea cup');
      assert.deepEqual(
        cup.variants.map(({ fields, quantity }) => [fields.sku, quantity]),
        [
          ['TEA-S', 10],
          ['CUP-L', 7],
        ],
        words,
      );
      assert.equal(flow.hubQuantity('CUP-L'), 7, words);
      shop.outside.deleteVariant(flow.item(target, 'CUP-L'));
      await flow.rest(5);
      shop.outside.deleteProduct(id, 'hard');
      await flow.rest(5);
      await flow.scan();
      assert.deepEqual([flow.count(source), flow.count(target), flow.problems()], [1, 1, []], words);
      assert.equal(flow.rows<{ status: string }>('SELECT status FROM pair')[0]?.status, 'active', words);
    }
  });

test('[M1, R9] what only the target had is found under the SKU that it was given since, and its source leads from then on', async () => {
  for (const enforce of [false, true]) {
    const { flow, shop } = await open('shopify', { enforce, stockTwoWay: true });
    shop.outside.editVariant(flow.item('shopify', 'CUP-S'), 'sku', 'W-S');
    shop.outside.editVariant(flow.item('shopify', 'CUP-L'), 'sku', 'W-L');
    await flow.rest(5);
    flow.stock(['woocommerce'], { title: 'New cup', handle: 'new-cup', optionNames: ['Size'] }, [
      { sku: 'W-S', optionValues: ['S'] },
      { sku: 'W-L', optionValues: ['L'] },
    ]);
    await flow.rest(30);
    assert.deepEqual([flow.count('woocommerce'), flow.count('shopify'), flow.problems()], [2, 2, []]);
    const { id } = flow.product('shopify', 'New cup');
    assert.equal(flow.hub('New cup').bindings.shopify?.externalId, id);
    shop.outside.editProduct(id, 'title', 'Typed at the target');
    await flow.rest(5);
    assert.equal(flow.hub('New cup').row.title, 'New cup', 'the target has no say any more');
    assert.deepEqual(flow.problems(), enforce ? [] : ['DRIFT']);
  }
});

test('[R9] what the source had and deleted is not the target’s own', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  for (const sku of ['BOWL', 'CUP']) flow.stock(SIDES, { title: sku, handle: sku }, [{ sku }]);
  await flow.link();
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'CUP').id, 'hard');
  await flow.rest(5);
  const cup = flow.product('shopify', 'CUP');
  assert.equal(cup.fields.status, 'archived');
  flow.shop('shopify').outside.editProduct(cup.id, 'title', 'Typed');
  await flow.rest(5);
  await flow.scan();
  assert.equal(flow.rows<{ title: string }>("SELECT title FROM product WHERE state = 'deleted'")[0]?.title, 'CUP');
});
