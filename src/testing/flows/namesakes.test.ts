// Products of one title in both shops that no key ties: nobody can tell but a person whether they are one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const TITLES = { woocommerce: 'Kaffeem&#252;hle', shopify: 'KAFFEEMÜHLE' };
const HANDLES = { woocommerce: 'kaffeemuehle', shopify: 'kaffeemuhle' };

function grind(flow: EngineFlow, side: Side, sku = ''): void {
  flow.stock([side], { title: TITLES[side], handle: HANDLES[side] }, [{ sku, quantity: 5 }]);
}

function twoMills(): EngineFlow {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  for (const side of SIDES) grind(flow, side);
  return flow;
}

const counts = (flow: EngineFlow) => SIDES.map((side) => flow.count(side));

function give(flow: EngineFlow, side: Side, sku: string): void {
  const { variants } = flow.product(side, TITLES[side]);
  flow.shop(side).outside.renameSku(variants[0]?.stockId ?? '', sku);
}

function retitle(flow: EngineFlow, side: Side): void {
  flow.shop(side).outside.editProduct(flow.product(side, TITLES[side]).id, 'title', 'Another mill');
}

test('[M1, P1] two of one title that no key ties are planned as a question, told once that is applied, and made in neither shop', async () => {
  const flow = twoMills();
  const planned = await flow.plan();
  assert.deepEqual(
    planned.map(({ action, title, data }) => [action, title, data.reason, data.side, data.candidates?.[0]?.side]),
    [
      ['link', 'Bowl', 'sku', null, undefined],
      ['ambiguous', TITLES.woocommerce, 'title', 'woocommerce', 'shopify'],
      ['ambiguous', TITLES.shopify, 'title', 'shopify', 'woocommerce'],
    ],
  );
  await flow.apply();
  assert.deepEqual(
    [flow.problems(), counts(flow)],
    [
      ['SAME_TITLE', 'SAME_TITLE'],
      [2, 2],
    ],
  );
  for (const side of SIDES) flow.shop(side).outside.editProduct(flow.product(side, TITLES[side]).id, 'tags', ['new']);
  await flow.rest();
  await flow.scan();
  assert.deepEqual(
    [flow.problems(), counts(flow)],
    [
      ['SAME_TITLE', 'SAME_TITLE'],
      [2, 2],
    ],
    'whatever else moves',
  );
  // The first plan's items stand before these.
  const again = (await flow.plan()).slice(planned.length);
  assert.deepEqual(
    again.map(({ action, data }) => [action, data.reason]),
    [
      ['ambiguous', 'title'],
      ['ambiguous', 'title'],
    ],
  );
});

test('[M1, P1] given one SKU the two are linked', async () => {
  const flow = twoMills();
  await flow.link();
  for (const side of SIDES) give(flow, side, 'MILL');
  await flow.rest();
  assert.deepEqual([flow.problems(), counts(flow)], [[], [2, 2]]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MILL'), 2);
  await flow.rest();
  assert.deepEqual(flow.quantities('MILL'), [3, 3]);
});

for (const side of SIDES)
  test(`[M1, M3] given another title in ${side} each is made in the other shop`, async () => {
    const flow = twoMills();
    await flow.link();
    retitle(flow, side);
    await flow.rest();
    assert.deepEqual([flow.problems(), counts(flow)], [[], [3, 3]]);
  });

for (const how of ['hard', 'bin'] as const)
  test(`[M1, M3] once one of them is gone (${how}) the other is made`, async () => {
    const flow = twoMills();
    await flow.link();
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', TITLES.woocommerce).id, how);
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
    assert.equal(flow.product('woocommerce', TITLES.shopify).variants.length, 1);
  });

test('[M1, M3] once one of them is linked with another one of its title the third is made', async () => {
  const flow = twoMills();
  flow.stock(['shopify'], { title: 'Mill of steel', handle: 'steel' }, [{ sku: 'STEEL', quantity: 5 }]);
  flow.change({ createOn: { woocommerce: false, shopify: true } });
  await flow.link();
  assert.deepEqual([flow.problems(), counts(flow)], [['SAME_TITLE'], [2, 3]]);
  give(flow, 'shopify', 'MILL');
  await flow.rest();
  flow.stock(['woocommerce'], { title: TITLES.shopify, handle: 'wood' }, [{ sku: 'MILL', quantity: 5 }]);
  await flow.rest();
  assert.deepEqual([flow.problems(), counts(flow)], [[], [3, 4]]);
});

test('[P1] it is told no longer than there are two, also where the other one is not made for another reason', async () => {
  const flow = twoMills();
  await flow.link();
  flow.withheld.set(TITLES.woocommerce, 'It is hidden.');
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', TITLES.shopify).id, 'hard');
  await flow.rest();
  assert.deepEqual([flow.problems(), counts(flow)], [[], [2, 1]]);
});

test('[M1] where a run is cut off between the two, the other one is known all the same', async () => {
  const flow = twoMills();
  await flow.plan();
  const { connection } = flow.world.db;
  assert.equal(connection.prepare("DELETE FROM plan_item WHERE title = 'KAFFEEMÜHLE'").run().changes, 1);
  const away = new ConnectorError('timeout', 'no answer');
  flow.hands.shopify = { readProducts: async (ids) => ids.map(() => ({ ok: false, error: away })) };
  await flow.apply();
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', TITLES.woocommerce).id, 'tags', ['new']);
  await flow.rest();
  assert.equal(flow.count('shopify'), 2);
});

for (const side of SIDES)
  test(`[M1] what is added to ${side} later is not made while the other shop has an unlinked one of its title`, async () => {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: false } });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    grind(flow, otherSide(side), 'OLD');
    await flow.link();
    flow.change({ createOn: { woocommerce: side === 'shopify', shopify: side === 'woocommerce' } });
    grind(flow, side);
    await flow.rest();
    assert.deepEqual([flow.problems(), counts(flow)], [['SAME_TITLE'], [2, 2]]);
    retitle(flow, side);
    await flow.rest();
    assert.deepEqual([flow.problems(), flow.count(otherSide(side))], [[], 3]);
  });

test('[M1] what is added to both shops at once, without a SKU and with other handles, is made in neither', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  for (const side of SIDES) grind(flow, side);
  await flow.rest();
  assert.deepEqual(
    [flow.problems(), counts(flow)],
    [
      ['SAME_TITLE', 'SAME_TITLE'],
      [2, 2],
    ],
  );
});

test('[M1] one that appears between plan and apply is found, and told', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  grind(flow, 'woocommerce');
  assert.deepEqual(
    (await flow.plan()).map(({ action }) => action),
    ['link', 'create'],
  );
  grind(flow, 'shopify');
  await flow.apply();
  await flow.rest();
  assert.deepEqual(
    [flow.problems(), counts(flow)],
    [
      ['SAME_TITLE', 'SAME_TITLE'],
      [2, 2],
    ],
  );
});

test('[M1] a title that a linked product of the other shop has, or another one of its own shop, is in nobody’s way', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  for (const sku of ['MUG-2', 'MUG-3']) flow.stock(['shopify'], { title: 'Mug', handle: sku }, [{ sku }]);
  await flow.link();
  assert.deepEqual([flow.problems(), counts(flow)], [[], [3, 3]]);
  flow.stock(['woocommerce'], { title: 'Mug', handle: 'mug-4' }, [{ sku: 'MUG-4' }]);
  await flow.rest();
  assert.deepEqual([flow.problems(), counts(flow)], [[], [4, 4]]);
});
