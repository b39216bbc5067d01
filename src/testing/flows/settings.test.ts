// What a changed setting sets off by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { applyPlan } from '../../engine/runs/request-run.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { CONFLICT_POLICIES, LINK_RULES, type PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(['woocommerce'], { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  return flow.link();
}

async function change(flow: EngineFlow, patch: Partial<PairSettings>): Promise<void> {
  updatePairSettings(flow.world.life().ctx, PAIR_ID, patch);
  await flow.rest();
}

test('[T1] a changed setting is carried out at once, without anything else happening', async () => {
  const flow = await linked({ createOn: { woocommerce: true, shopify: false } });
  await change(flow, { stockBuffer: 3 });
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  await change(flow, { createOn: { woocommerce: true, shopify: true } });
  assert.equal(flow.quantity('shopify', 'BOWL'), 7);
});

test('[T1] settings that are sent as they are already change nothing, and are no news; of others those that changed are named', async () => {
  const flow = await linked({ stockBuffer: 3 });
  await change(flow, {});
  await change(flow, { stockBuffer: 3, syncPrices: true });
  await change(flow, { stockBuffer: 3, stockCap: 5 });
  assert.deepEqual(
    flow.rows("SELECT payload ->> 'changed' AS changed FROM event WHERE type = 'pair_settings_changed'"),
    [{ changed: '["stockCap"]' }],
  );
});

test('[T1, R11] enforcing a one-way pair puts right what had drifted', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>Drift</p>');
  await flow.rest();
  assert.deepEqual(flow.problems(), ['DRIFT']);
  await change(flow, { enforce: true });
  assert.notEqual(flow.product('shopify', 'Mug').fields.descriptionHtml, '<p>Drift</p>');
  assert.deepEqual(flow.problems(), []);
});

test('[P1, T1] a problem that a changed setting makes untrue is closed by the look that follows', async () => {
  const flow = await linked({ createOn: { woocommerce: true, shopify: false } });
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'No more products in this plan') }));
  await change(flow, { createOn: { woocommerce: true, shopify: true } });
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  await change(flow, { createOn: { woocommerce: true, shopify: false } });
  assert.deepEqual(flow.problems(), []);
});

test('[T1] what changes nothing that is due, or belongs to a pair that is synced by hand, starts nothing', async () => {
  const flow = await linked();
  const runs = () => flow.rows('SELECT 1 FROM run').length;
  const before = runs();
  await change(flow, { syncInterval: 30, retryAttempts: 5 });
  await change(flow, { stockBuffer: 0 });
  await change(flow, { syncSchedule: 'manual', stockBuffer: 2 });
  assert.equal(runs(), before);
});

test('[T3, R10] what is switched off while a pass reads slowly is neither taken over nor written by it', async () => {
  const flow = await linked();
  const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
  const written: string[] = [];
  for (const side of SIDES) {
    const { readProducts, readStock, writeProducts, writeStock } = flow.connector(side);
    const slow = () => flow.world.clock.sleep(60_000);
    Object.assign(flow.hands[side], {
      readProducts: async (ids: never, signal: never) => slow().then(() => readProducts(ids, signal)),
      readStock: async (ids: never, signal: never) => slow().then(() => readStock(ids, signal)),
      writeProducts: (writes: never, signal: never) => {
        written.push(`${side} product`);
        return writeProducts(writes, signal);
      },
      writeStock: (writes: never, signal: never) => {
        written.push(`${side} stock`);
        return writeStock(writes, signal);
      },
    });
  }
  flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG'), 'price', price(4_200));
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.world.clock.runFor(30_000);
  flow.change({ syncPrices: false, syncInventory: false });
  await flow.rest(30);
  assert.deepEqual(written, []);
  assert.equal(flow.hubQuantity('MUG'), 10);
  await change(flow, { syncPrices: true, syncInventory: true });
  await flow.rest(30);
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
  assert.deepEqual(flow.product('woocommerce', 'Mug').variants[0]?.fields.price, price(4_200));
});

test('[T2, R10] inventory switched off: a sale is not counted; switched on again, it is', async () => {
  const flow = await linked();
  await change(flow, { syncInventory: false });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 4);
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [10, 10, 6]);
  await change(flow, { syncInventory: true });
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [6, 6, 6]);
});

for (const how of ['bin', 'hard'] as const)
  test(`[R10, G8, G9] details switched off: a delete (${how}) puts nothing away, then or later, and no edit is held against it`, async () => {
    const flow = await linked({ conflictResolution: 'manual', syncProducts: false });
    const { id } = flow.product('woocommerce', 'Mug');
    const price = { regularMinor: 1300, saleMinor: null };
    flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG'), 'price', price);
    flow.shop('woocommerce').outside.deleteProduct(id, how);
    await flow.rest(30);
    for (let look = 0; look < 3; look += 1) await flow.scan();
    assert.deepEqual(flow.conflicts(), []);
    assert.deepEqual(
      flow.changes('deleted').map(({ cause, to }) => [cause, to]),
      [['delete', null]],
    );
    const kept = () => {
      const { fields, variants } = flow.product('shopify', 'Mug');
      return [fields.status, variants[0]?.fields.price.regularMinor];
    };
    assert.deepEqual(kept(), ['active', 1300]);
    await change(flow, { syncProducts: true });
    assert.deepEqual(kept(), ['active', 1300]);
    if (how === 'hard') return;
    flow.shop('woocommerce').outside.restore(id);
    await flow.rest();
    assert.deepEqual(kept(), ['active', 1300]);
    const { fields, variants } = flow.product('woocommerce', 'Mug');
    assert.deepEqual([fields.status, variants[0]?.fields.price.regularMinor], ['active', 1300]);
  });

test('[R10, G12] details switched off: what is put on sale again is seen when they are switched on', async () => {
  const flow = await linked({ conflictResolution: 'newest' });
  const { id } = flow.product('woocommerce', 'Mug');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
  await change(flow, { syncProducts: false });
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'active');
  await flow.rest();
  assert.equal(flow.hub('Mug').row.state, 'deleted');
  assert.equal(flow.product('woocommerce', 'Mug').isTrashed, true);
  await change(flow, { syncProducts: true });
  assert.equal(flow.hub('Mug').row.state, 'live');
  assert.deepEqual(
    SIDES.map((side) => [flow.product(side, 'Mug').fields.status, flow.product(side, 'Mug').isTrashed]),
    [
      ['active', false],
      ['active', false],
    ],
  );
});

test('[G9, R10] linked while details were switched off: what both had then is no edit that a later delete had not seen', async () => {
  for (const linkRule of LINK_RULES) {
    const flow = await linked({ syncProducts: false, linkRule, conflictResolution: 'manual' });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
    await change(flow, { syncProducts: true });
    assert.deepEqual(flow.conflicts(), []);
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
  }
});

const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
const leadBy = (source: Side) =>
  ({ syncDirection: source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce' }) as const;
const setPrice = (flow: EngineFlow, side: Side, minor: number) =>
  flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'price', price(minor));
const prices = (flow: EngineFlow) =>
  SIDES.map((side) => flow.product(side, 'Mug').variants[0]?.fields.price.regularMinor);

for (const conflictResolution of CONFLICT_POLICIES)
  for (const source of SIDES)
    test(`[R9, R11] a one-way pair is turned round after both sides were edited: ${source} leads from now on, whatever "${conflictResolution}" says`, async () => {
      const flow = await linked({ ...leadBy(otherSide(source)), conflictResolution });
      setPrice(flow, source, 2100);
      await flow.rest();
      setPrice(flow, otherSide(source), 2200);
      await flow.rest();
      assert.deepEqual(flow.problems(), ['DRIFT']);
      await change(flow, leadBy(source));
      assert.deepEqual([prices(flow), flow.problems(), flow.conflicts()], [[2100, 2100], [], []]);
      const lost = flow.changes('price').filter(({ cause }) => cause === 'conflict_remote');
      assert.deepEqual(
        lost.map(({ from, to }) => [from, to]),
        [[price(2200), price(2100)]],
        'what was lost stands in the history, once',
      );
    });

for (const source of SIDES)
  test(`[R7, R9] a pair becomes one-way while a conflict is open: it closes, and ${source} goes on`, async () => {
    const flow = await linked({ conflictResolution: 'manual' });
    for (const side of SIDES) setPrice(flow, side, side === 'woocommerce' ? 2100 : 2200);
    await flow.rest();
    assert.equal(flow.conflicts().length, 1);
    await change(flow, { ...leadBy(source), enforce: true });
    const own = source === 'woocommerce' ? 2100 : 2200;
    assert.deepEqual([prices(flow), flow.problems(), flow.conflicts()], [[own, own], [], []]);
    setPrice(flow, source, 3000);
    await flow.rest();
    assert.deepEqual(prices(flow), [3000, 3000]);
  });

for (const source of SIDES)
  test(`[R2, R9] what ${source} refused to be given before it became the source is taken back from the hub and the other side`, async () => {
    const flow = await linked();
    flow.hands[source].writeProducts = async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
    setPrice(flow, otherSide(source), 1500);
    await flow.rest();
    const { price: before } = flow.product(source, 'Mug').variants[0]?.fields ?? {};
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
    await change(flow, leadBy(source));
    await flow.scan();
    assert.deepEqual([prices(flow), flow.problems()], [SIDES.map(() => before?.regularMinor), []]);
    assert.equal(flow.changes('price').filter(({ cause }) => cause === 'conflict_remote').length, 1);
  });

for (const source of SIDES)
  for (const [conflictResolution, isAgain, wins] of [
    ['newest', false, 2100],
    ['newest', true, 2300],
    ['oldest', false, 2200],
    ['oldest', true, 2100],
  ] as const)
    test(`[R6, R11] ${source} led and moved a price after its target had drifted${isAgain ? ' (which moved once more)' : ''}: both lead now, and "${conflictResolution}" goes by when each was seen`, async () => {
      const flow = await linked({ ...leadBy(source), conflictResolution });
      setPrice(flow, otherSide(source), 2200);
      await flow.rest(60);
      setPrice(flow, source, 2100);
      await flow.rest(60);
      if (isAgain) setPrice(flow, otherSide(source), 2300);
      await flow.rest(60);
      await flow.scan();
      assert.deepEqual(flow.problems(), ['DRIFT']);
      await change(flow, { syncDirection: 'bidirectional' });
      assert.deepEqual([prices(flow), flow.problems()], [[wins, wins], []]);
      const lost = wins === 2100 ? (isAgain ? 2300 : 2200) : 2100;
      assert.ok(
        flow.changes('price').some(({ from, to }) => stableJson([from, to]) === stableJson([price(lost), price(wins)])),
        'what was lost stands in the history',
      );
    });

for (const [conflictResolution, winner] of [
  ['newest', 2300],
  ['oldest', 2200],
] as const)
  test(`[R6, R7] an open conflict whose policy becomes "${conflictResolution}" is settled by when each value was first seen`, async () => {
    const flow = await linked({ conflictResolution: 'manual' });
    const type = async (side: Side, regularMinor: number) => {
      flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'price', { regularMinor, saleMinor: null });
      await flow.rest(60);
    };
    // Both at once: the first is seen before the second has told of itself.
    flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG'), 'price', {
      regularMinor: 2100,
      saleMinor: null,
    });
    await type('shopify', 2200);
    assert.equal(flow.conflicts().length, 1);
    await type('woocommerce', 2300);
    await change(flow, { conflictResolution });
    await flow.scan();
    const prices = SIDES.map((side) => flow.shop(side).shelf.items.get(flow.item(side, 'MUG'))?.variant.fields.price);
    assert.deepEqual(
      prices.map((price) => price?.regularMinor),
      [winner, winner],
    );
    assert.deepEqual(flow.conflicts(), []);
  });

for (const source of SIDES)
  for (const [what, settings, isTurned] of [
    ['a cap', { stockCap: 4 }, false],
    ['a buffer', { stockBuffer: 2 }, false],
    ['a cap', { stockCap: 4 }, true],
  ] as const)
    test(`[S11, L4, S1] ${source} becomes the source of ${isTurned ? 'stock that went the other way' : 'one-way stock'} with ${what}: when it has sold out, its target has too`, async () => {
      const directions = { woocommerce: 'woocommerce_to_shopify', shopify: 'shopify_to_woocommerce' } as const;
      const flow = await linked(
        isTurned ? { ...settings, syncDirection: directions[otherSide(source)], stockTwoWay: false } : settings,
      );
      await change(flow, { syncDirection: directions[source], stockTwoWay: false });
      const shown = flow.quantity(source, 'MUG');
      assert.equal(shown, 'stockCap' in settings ? 4 : 8);
      assert.deepEqual(
        [flow.hubQuantity('MUG'), flow.quantity(otherSide(source), 'MUG')],
        [shown, 'stockCap' in settings ? 4 : 6],
      );
      flow.shop(source).outside.sell(flow.item(source, 'MUG'), shown);
      await flow.rest();
      assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [0, 0, 0]);
    });

test('[T1] a pair that was synced by hand gets another schedule: what was done and set meanwhile is carried out', async () => {
  const flow = await linked({ syncSchedule: 'manual' });
  await change(flow, { stockBuffer: 2 });
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [9, 10]);
  await change(flow, { syncSchedule: 'realtime' });
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
});

for (const source of SIDES)
  for (const [what, before, then] of [
    ['sold one', { stockCap: 4 }, {}],
    ['was to be given what the buffer kept back', { stockBuffer: 2 }, { stockBuffer: 0 }],
  ] as const)
    test(`[S11, L4, S1] ${source} ${what}, and nobody could write it before it became the source of one-way stock: when it has sold out, its target has too`, async () => {
      const flow = await linked(before);
      flow.hands[source].writeStock = async (writes) =>
        writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unavailable', 'away') }));
      if ('stockCap' in before) flow.shop(source).outside.sell(flow.item(source, 'MUG'), 1);
      else updatePairSettings(flow.world.life().ctx, PAIR_ID, then);
      await flow.rest(1);
      const left = flow.quantity(source, 'MUG');
      const syncDirection = source === 'shopify' ? 'shopify_to_woocommerce' : 'woocommerce_to_shopify';
      await change(flow, { syncDirection, stockTwoWay: false });
      delete flow.hands[source].writeStock;
      await flow.rest(30);
      assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [left, left, left]);
      flow.shop(source).outside.sell(flow.item(source, 'MUG'), left);
      await flow.rest();
      assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [0, 0, 0]);
    });

for (const source of SIDES)
  test(`[R13, R9] a pair goes one way, from ${source}, before a conflict is decided: no choice is taken that nothing would come of`, async () => {
    const flow = await linked({ conflictResolution: 'manual', syncSchedule: 'manual' });
    for (const side of SIDES)
      flow.shop(side).outside.editProduct(flow.product(side, 'Mug').id, 'descriptionHtml', `<p>${side}</p>`);
    await flow.scan();
    const [conflict] = flow.conflicts();
    assert.ok(conflict);
    await change(flow, {
      syncDirection: source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce',
    });
    const { ctx } = flow.world.life();
    for (const choice of ['hub', 'remote'] as const)
      assert.throws(
        () => resolveConflict(ctx, { conflictId: conflict.id, expectedVersion: conflict.version, choice }),
        /goes one way by now/,
      );
    await flow.scan();
    assert.deepEqual(flow.conflicts(), []);
    assert.equal(flow.product(source, 'Mug').fields.descriptionHtml, `<p>${source}</p>`);
  });

for (const syncSchedule of ['hourly', 'daily', 'weekly'] as const)
  test(`[T1] a pair that was synced ${syncSchedule} becomes realtime: what its shops told of before is looked at at once`, async () => {
    const flow = await linked({ syncSchedule });
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 10);
    // Another pair of the same shops is realtime: what they are asked for by it is not told to this one.
    for (let poll = 0; poll < 2; poll += 1) await flow.poll(60);
    assert.deepEqual(flow.quantities('MUG'), [10, 0]);
    await change(flow, { syncSchedule: 'realtime' });
    assert.deepEqual(flow.quantities('MUG'), [0, 0]);
  });

test('[P1, R10] a refused price: the problem closes when prices are switched off, and is back with them', async () => {
  const flow = await linked();
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
  setPrice(flow, 'woocommerce', 1500);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  await change(flow, { syncPrices: false });
  assert.deepEqual(flow.problems(), []);
  await change(flow, { syncPrices: true });
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  delete flow.hands.shopify.writeProducts;
  await flow.scan();
  assert.deepEqual([prices(flow), flow.problems()], [[1500, 1500], []]);
});

test('[P1, R10] a refused title and a refused price: with prices off the problem stays, for the title', async () => {
  const flow = await linked();
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
  setPrice(flow, 'woocommerce', 1500);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'descriptionHtml', '<p>New</p>');
  await flow.rest();
  await change(flow, { syncPrices: false });
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
});

for (const [what, patch, seen] of [
  ['a buffer', { stockBuffer: 3 }, [7, 7]],
  ['one-way stock with a buffer', { stockBuffer: 3, ...leadBy('woocommerce'), stockTwoWay: false }, [10, 7]],
] as const)
  test(`[T1, T3] ${what}, set while a first link is under way, holds for what was linked before it, as soon as the link has ended`, async () => {
    const flow = new EngineFlow();
    const titles = Array.from({ length: 250 }, (_, i) => `Cup ${i}`);
    for (const [i, title] of titles.entries()) {
      flow.stock(['woocommerce'], { title }, [{ sku: title }]);
      // Some are written, which takes time.
      flow.stock(['shopify'], { title: i % 20 === 0 ? `${title} small` : title }, [{ sku: title }]);
    }
    await flow.plan();
    const { readProducts } = flow.connector('shopify');
    flow.hands.shopify.readProducts = (ids, signal) =>
      flow.world.clock.sleep(2_000).then(() => readProducts(ids, signal));
    const { ctx } = flow.world.life();
    const [plan] = flow.rows<{ id: never; hash: string }>('SELECT id, hash FROM plan');
    assert.ok(plan);
    applyPlan(ctx, plan.id, plan.hash);
    await flow.world.clock.runFor(1_000);
    assert.equal(flow.status(), 'linking');
    const linkedBefore = flow.rows('SELECT 1 FROM product').length;
    assert.ok(linkedBefore > 0 && linkedBefore < titles.length, `${linkedBefore}`);
    await change(flow, patch);
    assert.equal(flow.status(), 'active');
    for (const title of titles) assert.deepEqual(flow.quantities(title), seen, title);
  });
