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

/** From now on a shop tells of nothing. */
function silence(flow: EngineFlow, side: Side): void {
  const shop = flow.shop(side);
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
}

test('[R9, G1] what the target has sold out of its own goods does not halt the pair', async () => {
  for (const stockTwoWay of [true, false]) {
    const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify', stockTwoWay });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const skus = Array.from({ length: 12 }, (_, i) => `OWN-${i}`);
    for (const sku of skus) flow.stock(['shopify'], { title: sku, handle: sku }, [{ sku, quantity: 10 }]);
    await flow.rest(30);
    for (const sku of skus) flow.shop('shopify').outside.sell(flow.item('shopify', sku), 10);
    await flow.rest(10);
    assert.equal(flow.status(), 'active');
    assert.deepEqual(
      skus.map((sku) => flow.hubQuantity(sku)),
      skus.map(() => 0),
    );
  }
});

for (const target of SIDES)
  test(`[R9, L4] ${target}, the target, edits, sells or deletes its own, and before anybody hears of it its source has the product`, async () => {
    for (const isTold of [true, false])
      for (const what of ['edited and sold', 'deleted'] as const) {
        const words = `${what}, ${isTold ? 'told' : 'not told'}`;
        const flow = new EngineFlow({ syncDirection: DIRECTION[target], stockTwoWay: false });
        flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
        await flow.link();
        flow.stock([target], { title: 'Cup', handle: 'cup' }, [{ sku: 'CUP', quantity: 10 }]);
        await flow.rest(30);
        const { id } = flow.product(target, 'Cup');
        if (!isTold) silence(flow, target);
        if (what === 'deleted') flow.shop(target).outside.deleteProduct(id, 'hard');
        else {
          flow.shop(target).outside.editProduct(id, 'title', 'Typed');
          flow.shop(target).outside.sell(flow.item(target, 'CUP'), 3);
        }
        if (isTold) await flow.rest(10);
        flow.stock([otherSide(target)], { title: 'New cup', handle: 'cup' }, [{ sku: 'CUP', quantity: 20 }]);
        await flow.rest(30);
        await flow.scan();
        assert.deepEqual(flow.problems(), [], words);
        assert.deepEqual(
          SIDES.map((side) => flow.count(side)),
          [2, 2],
          words,
        );
        assert.equal(flow.product(target, 'New cup').id === id, what !== 'deleted', words);
        assert.deepEqual(flow.quantities('CUP'), [20, 20], words);
      }
  });

test('[M1, R9] the SKU that the target corrected is found though nobody has told of it', async () => {
  for (const target of SIDES) {
    const { flow, source, shop } = await open(target, { enforce: false, stockTwoWay: true });
    silence(flow, target);
    shop.outside.editVariant(flow.item(target, 'CUP-S'), 'sku', 'NEW-S');
    flow.product(target, 'Cup').searchableAt = 0;
    flow.stock([source], { title: 'New cup', handle: 'new-cup', optionNames: ['Size'] }, [
      { sku: 'NEW-S', optionValues: ['S'] },
    ]);
    await flow.rest(30);
    assert.deepEqual([flow.count(source), flow.count(target), flow.problems()], [2, 2, []]);
  }
});

for (const source of SIDES)
  for (const how of source === 'woocommerce' ? (['bin', 'hard'] as const) : (['hard'] as const))
    test(`[G8, R11] ${source} deleted the product (${how}) and the policy is keep: with enforce, too, what is typed at the target stays`, async () => {
      const target = otherSide(source);
      const syncDirection = source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
      const flow = new EngineFlow({ syncDirection, deletePolicy: 'keep', enforce: true });
      flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
      flow.stock(SIDES, { title: 'Witness' }, [{ sku: 'WITNESS' }]);
      await flow.link();
      const type = async (descriptionHtml: string) => {
        flow.shop(target).outside.editProduct(flow.product(target, 'Mug').id, 'descriptionHtml', descriptionHtml);
        await flow.rest();
      };
      const shown = () => flow.product(target, 'Mug').fields.descriptionHtml;
      const before = shown();
      await type('<p>Of the target</p>');
      assert.equal(shown(), before);
      const { id } = flow.product(source, 'Mug');
      flow.shop(source).outside.deleteProduct(id, how);
      await flow.rest();
      await type('<p>Sold off</p>');
      await flow.scan();
      assert.equal(shown(), '<p>Sold off</p>');
      if (how === 'hard') return;
      flow.shop(source).outside.restore(id);
      await flow.rest();
      await flow.scan();
      assert.equal(shown(), before);
    });
