// What the guard stops may not oversell: a pair that was halted for what was put away or cut in price goes on with its stock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { guard, HaltSignal } from '../../engine/guard.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import { haltPair, pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { type HaltReason, isStockAtWork } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const COUNT = 40;
const CHEAP = { regularMinor: 100, saleMinor: null };

async function linked(settings: ConstructorParameters<typeof EngineFlow>[0] = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (let i = 1; i <= COUNT; i += 1) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const sell = (flow: EngineFlow, side: Side, i: number, count: number) =>
  flow.shop(side).outside.sell(flow.item(side, `MUG-${i}`), count);

const cut = (flow: EngineFlow, side: Side, i: number) =>
  flow.shop(side).outside.editVariant(flow.item(side, `MUG-${i}`), 'price', CHEAP);

const cheap = (flow: EngineFlow, side: Side) =>
  numbers(1, COUNT).filter((i) => flow.product(side, `Mug ${i}`).variants[0]?.fields.price.regularMinor === 100).length;

const resume = (flow: EngineFlow) => resumePair(flow.world.life().ctx, PAIR_ID);

const HARMS: Readonly<Record<'mass_price_cut' | 'mass_draft' | 'mass_delete', typeof cut>> = {
  mass_price_cut: cut,
  mass_draft: (flow, side, i) =>
    flow.shop(side).outside.editProduct(flow.product(side, `Mug ${i}`).id, 'status', 'draft'),
  mass_delete: (flow, side, i) => flow.shop(side).outside.deleteProduct(flow.product(side, `Mug ${i}`).id, 'bin'),
};

for (const [reason, harm] of Object.entries(HARMS))
  for (const side of SIDES)
    test(`[G1, G10] ${reason} in ${side} halts the pair: what is sold in either shop is carried over meanwhile, and nothing else is`, async () => {
      const flow = await linked();
      for (const i of numbers(1, 12)) harm(flow, side, i);
      await flow.rest();
      assert.equal(flow.halt()?.reason, reason);
      for (const shop of SIDES) sell(flow, shop, 20, shop === 'shopify' ? 2 : 3);
      // It is told of in the same breath as the sale.
      sell(flow, side, 21, 4);
      flow.shop(side).outside.editProduct(flow.product(side, 'Mug 21').id, 'descriptionHtml', '<p>New.</p>');
      flow.stock([side], { title: 'Jug' }, [{ sku: 'JUG' }]);
      const written = flow.ours(otherSide(side), 'set_field');
      await flow.rest();
      assert.deepEqual(
        [flow.quantities('MUG-20'), flow.quantities('MUG-21')],
        [
          [5, 5],
          [6, 6],
        ],
      );
      assert.equal(flow.halt()?.reason, reason);
      assert.equal(flow.ours(otherSide(side), 'set_field'), written, 'no field');
      assert.equal(flow.count(otherSide(side)), COUNT, 'no product');
      resume(flow);
      await flow.rest();
      await flow.scan();
      assert.equal(flow.status(), 'active');
      assert.equal(flow.product(otherSide(side), 'Mug 21').fields.descriptionHtml, '<p>New.</p>');
      assert.deepEqual(
        [flow.quantities('MUG-20'), flow.quantities('MUG-21')],
        [
          [5, 5],
          [6, 6],
        ],
        'counted once',
      );
      assert.deepEqual([flow.quantities('JUG'), flow.problems()], [[10, 10], []]);
    });

test('[G1] a sale whose webhook brings the halt itself is carried over', async () => {
  for (const side of SIDES) {
    const flow = await linked();
    for (const i of numbers(1, 12)) {
      sell(flow, side, i, 1);
      cut(flow, side, i);
    }
    await flow.rest();
    assert.equal(flow.halt()?.reason, 'mass_price_cut');
    for (const i of numbers(1, 12)) assert.deepEqual(flow.quantities(`MUG-${i}`), [9, 9]);
    assert.ok(cheap(flow, otherSide(side)) <= 10);
  }
});

test('[G1] a product of more variants than are looked at beside its turn has its sales carried over while it has none', async () => {
  const flow = await linked();
  const sizes = numbers(1, 101).map((i) => ({ sku: `SIZE-${i}`, optionValues: [`${i}`] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  await flow.rest();
  await flow.scan();
  for (const i of numbers(1, 12)) cut(flow, 'shopify', i);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_price_cut');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'SIZE-70'), 3);
  await flow.rest();
  assert.deepEqual(flow.quantities('SIZE-70'), [7, 7]);
});

test('[G1, G3, G10] under such a halt zeros have a budget of their own, and halt the stock as well; one resume lets all go on', async () => {
  const flow = await linked();
  for (const i of numbers(1, 24)) cut(flow, 'woocommerce', i);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_price_cut');
  const carried = cheap(flow, 'shopify');
  for (const i of numbers(25, 34)) sell(flow, 'shopify', i, 10);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_price_cut');
  for (const i of numbers(25, 34)) assert.deepEqual(flow.quantities(`MUG-${i}`), [0, 0]);
  sell(flow, 'shopify', 35, 10);
  await flow.rest();
  assert.deepEqual(flow.halt(), { ...flow.halt(), reason: 'mass_zero', count: 11, limit: 10 });
  sell(flow, 'shopify', 36, 1);
  await flow.rest();
  assert.deepEqual([flow.quantity('woocommerce', 'MUG-35'), flow.quantity('woocommerce', 'MUG-36')], [10, 10]);
  assert.equal(cheap(flow, 'shopify'), carried);
  resume(flow);
  await flow.rest();
  assert.deepEqual(
    [flow.quantities('MUG-35'), flow.quantities('MUG-36')],
    [
      [0, 0],
      [9, 9],
    ],
  );
  assert.equal(flow.halt()?.reason, 'mass_price_cut', 'consent to empty shelves is none to prices');
  assert.ok(cheap(flow, 'shopify') <= 20);
  resume(flow);
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.status(), cheap(flow, 'shopify')], ['active', 24]);
});

test('[G1] halted in its first link, a pair has no stock that could go on', () => {
  const halt = { reason: 'mass_price_cut', side: 'shopify', count: 11, limit: 10, at: 0 } as const;
  const isAtWork = (linkedAt: number | null) => isStockAtWork({ status: 'halted', halt, linkedAt });
  assert.deepEqual([isAtWork(null), isAtWork(1)], [false, true]);
});

test('[G1] a pass that still ends after a halt which stops stock too draws on the one budget of all harm', async () => {
  for (const [reason, isRefused] of [
    ['empty_listing', true],
    ['mass_draft', false],
  ] as const) {
    const flow = await linked();
    const { ctx } = flow.world.life();
    const view = loadPairView(ctx, PAIR_ID);
    assert.ok(view !== null);
    for (const i of numbers(1, 10)) HARMS.mass_draft(flow, 'woocommerce', i);
    await flow.rest();
    assert.equal(flow.halt(), null);
    haltPair(ctx, PAIR_ID, { reason, side: 'woocommerce', count: 11, limit: 10, at: ctx.clock.now() });
    const sellOut = () =>
      transact(ctx.db, (tx) => guard(ctx, tx, view, flow.hub('Mug 20').row.id, 'woocommerce', 'zero'));
    if (isRefused) assert.throws(sellOut, HaltSignal);
    else sellOut();
  }
});

for (const reason of ['mass_zero', 'empty_listing', 'shrunken_listing', 'paused'] as const)
  test(`[G1] ${reason}: the stock waits as well, and counts when the pair goes on`, async () => {
    const flow = await linked();
    const { ctx } = flow.world.life();
    const halt = (why: HaltReason) =>
      haltPair(ctx, PAIR_ID, { reason: why, side: 'shopify', count: 11, limit: 10, at: ctx.clock.now() });
    if (reason === 'paused') pausePair(ctx, PAIR_ID);
    else {
      // It takes the place of a halt that leaves stock alone, and does not give way to one.
      for (const why of ['mass_draft', reason, 'mass_delete'] as const) halt(why);
      assert.equal(flow.halt()?.reason, reason);
    }
    for (const side of SIDES) sell(flow, side, 1, 3);
    await flow.rest();
    await flow.poll();
    assert.deepEqual(flow.quantities('MUG-1'), [7, 7]);
    assert.equal(flow.hubQuantity('MUG-1'), 10);
    resume(flow);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-1'), [4, 4]);
  });
