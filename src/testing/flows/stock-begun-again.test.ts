// Stock around deletes, links that are made anew, drift and backups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { openStockIntent, settleStockBase, updateVariant } from '../../db/writers/products.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { enqueueRestored } from '../../engine/stock/resume-stock.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { Connector } from '../../ports/connector.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

async function linked(settings: Partial<PairSettings> = {}, quantity = 10): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity }]);
  flow.stock(SIDES, { title: 'Witness' }, [{ sku: 'WITNESS', quantity: 10 }]);
  return flow.link();
}

/** Tries again what a person is asked. */
async function tryAgain(flow: EngineFlow): Promise<void> {
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest();
}

for (const [why, settings] of [
  ['the policy is keep', { deletePolicy: 'keep' }],
  ['details are off', { syncProducts: false }],
] as const) {
  test(`[S2] ${why}: what was sold before the record went into the bin is sold, the other shop goes on selling`, async () => {
    const flow = await linked(settings);
    const shop = flow.shop('woocommerce');
    untold(flow, 'woocommerce', () => shop.outside.sell(flow.item('woocommerce', 'MUG'), 3));
    shop.outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
    await flow.rest(30);
    await flow.scan();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'active');
    assert.equal(flow.quantity('shopify', 'MUG'), 7);
  });

  for (const how of ['bin', 'hard'] as const)
    test(`[S3] ${why}: what was counted and not written yet when the record was deleted (${how}) is written`, async () => {
      const flow = await linked(settings);
      flow.hands.shopify.writeStock = async (writes) =>
        writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unavailable', 'away') }));
      const shop = flow.shop('woocommerce');
      shop.outside.sell(flow.item('woocommerce', 'MUG'), 3);
      await flow.rest(1);
      assert.equal(flow.hubQuantity('MUG'), 7);
      shop.outside.deleteProduct(flow.product('woocommerce', 'Mug').id, how);
      await flow.rest(2);
      delete flow.hands.shopify.writeStock;
      await flow.rest(30);
      await flow.scan();
      assert.equal(flow.product('shopify', 'Mug').fields.status, 'active');
      assert.equal(flow.quantity('shopify', 'MUG'), 7);
    });
}

test('[S7, S6] stock that was one before is not summed after a person was asked about its zero', async () => {
  const flow = await linked({ stockLinkRule: 'sum' }, 5);
  assert.equal(flow.hubQuantity('MUG'), 5);
  const { outside } = flow.shop('shopify');
  outside.setTracked(flow.item('shopify', 'MUG'), false);
  await flow.rest();
  outside.setTracked(flow.item('shopify', 'MUG'), true);
  outside.recount(flow.item('shopify', 'MUG'), 0);
  await flow.rest();
  await tryAgain(flow);
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  outside.recount(flow.item('shopify', 'MUG'), 4);
  await flow.rest();
  assert.deepEqual([flow.problems(), flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [[], 4, 4, 4]);
});

test('[S7, V5] a variant that was added again with zero is not summed with its own number', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'sum' });
  const sizes = (quantity: number) =>
    ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size], quantity }));
  flow.stock(['woocommerce'], { title: 'Mug', optionNames: ['Size'] }, sizes(4));
  flow.stock(['shopify'], { title: 'Mug', optionNames: ['Size'] }, sizes(6));
  await flow.link();
  assert.deepEqual(flow.quantities('MUG-M'), [10, 10]);
  const { outside } = flow.shop('shopify');
  const { id, variants } = flow.product('shopify', 'Mug');
  const own = variants.find(({ fields }) => fields.sku === 'MUG-M');
  assert.ok(own);
  outside.deleteVariant(own.stockId);
  outside.addVariant(id, { fields: own.fields, stock: { tracked: true, quantity: 0 } });
  await flow.rest();
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  outside.recount(flow.item('shopify', 'MUG-M'), 9);
  await flow.rest();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG-M')], [[], 9, 9]);
});

for (const [what, settings, quantity, shown] of [
  ['the buffer', { stockBuffer: 2 }, 10, 8],
  ['the cap', { stockCap: 20 }, 100, 20],
] as const)
  test(`[S1, S6] ${what} is not taken off once more when stock that did not move is linked anew`, async () => {
    const flow = await linked(settings, quantity);
    assert.deepEqual(flow.quantities('MUG'), [shown, shown]);
    const { outside } = flow.shop('shopify');
    for (let i = 0; i < 2; i += 1) {
      outside.setTracked(flow.item('shopify', 'MUG'), false);
      await flow.rest();
      outside.setTracked(flow.item('shopify', 'MUG'), true);
      await flow.rest();
      await tryAgain(flow);
    }
    assert.deepEqual(
      [flow.problems(), flow.hubQuantity('MUG'), ...flow.quantities('MUG')],
      [[], quantity, shown, shown],
    );
  });

test('[L4, S1] the source of one-way stock shows all that it has, also when it is linked anew', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false, stockBuffer: 2 });
  assert.deepEqual(flow.quantities('MUG'), [10, 8]);
  const { outside } = flow.shop('shopify');
  outside.setTracked(flow.item('shopify', 'MUG'), false);
  await flow.rest();
  outside.setTracked(flow.item('shopify', 'MUG'), true);
  await flow.rest();
  await tryAgain(flow);
  assert.deepEqual([flow.problems(), flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [[], 10, 10, 8]);
});

test('[V5, S1] variants that an import deletes and adds again lose no buffer', async () => {
  const flow = new EngineFlow({ stockBuffer: 2 });
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size], quantity: 10 }));
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, sizes);
  await flow.link();
  const { outside } = flow.shop('shopify');
  for (let i = 0; i < 3; i += 1) {
    const { id, variants } = flow.product('shopify', 'Mug');
    const own = variants.find(({ fields }) => fields.sku === 'MUG-M');
    assert.ok(own);
    outside.deleteVariant(own.stockId);
    outside.addVariant(id, { fields: own.fields, stock: { tracked: true, quantity: own.quantity } });
    await flow.rest();
  }
  assert.deepEqual(flow.quantities('MUG-M'), [8, 8]);
});

for (const [rule, settings] of [
  ['sum', { stockLinkRule: 'sum' }],
  ['smaller, with a buffer', { stockBuffer: 2 }],
] as const)
  test(`[S7, M1] a product that is deleted and made again by an import (${rule}) does not have more or less than before`, async () => {
    const flow = await linked(settings, 10);
    const [shown = 0] = flow.quantities('MUG');
    const { outside } = flow.shop('woocommerce');
    const old = flow.product('woocommerce', 'Mug');
    outside.deleteProduct(old.id, 'hard');
    await flow.rest(1);
    const sold = rule === 'sum' ? 1 : 0;
    outside.addProduct({
      fields: old.fields,
      variants: old.variants.map(({ fields, quantity }) => ({
        fields,
        stock: { tracked: true, quantity: quantity - sold },
      })),
    });
    await flow.rest(30);
    await flow.scan();
    assert.deepEqual(flow.quantities('MUG'), [shown - sold, shown - sold]);
  });

for (const side of SIDES)
  for (const when of ['before', 'after'] as const)
    for (const sold of [0, 2])
      test(`[S11] ${side}, which only receives stock, sells ${sold} while a write to it (${when}) has no answer: that is recorded`, async () => {
        const other = otherSide(side);
        const direction = { woocommerce: 'shopify_to_woocommerce', shopify: 'woocommerce_to_shopify' } as const;
        const flow = await linked({ syncDirection: direction[side], stockTwoWay: false });
        faultOnce(flow.shop(side), 'write_stock', { type: 'timeout', when });
        flow.shop(other).outside.sell(flow.item(other, 'MUG'), 1);
        await flow.world.clock.runFor(5_000);
        if (sold > 0) flow.shop(side).outside.sell(flow.item(side, 'MUG'), sold);
        await flow.rest(30);
        await flow.scan();
        const drift = flow.changes('stock').filter(({ cause }) => cause === 'drift');
        assert.equal(drift.length, sold > 0 ? 1 : 0);
        assert.equal(flow.quantity(other, 'MUG'), 9);
        const isLeft = flow.problems().includes('DRIFT');
        assert.equal(flow.quantity(side, 'MUG'), isLeft ? 7 : 9);
      });

for (const rule of ['woocommerce', 'shopify'] as const)
  test(`[S7, S6] linked anew the smaller number counts (${rule}): what was sold meanwhile is sold`, async () => {
    const flow = await linked({ stockLinkRule: rule });
    const paused: Side = rule;
    flow.shop(paused).outside.setTracked(flow.item(paused, 'MUG'), false);
    await flow.rest();
    flow.shop(otherSide(paused)).outside.sell(flow.item(otherSide(paused), 'MUG'), 2);
    flow.shop(paused).outside.setTracked(flow.item(paused, 'MUG'), true);
    await flow.rest();
    await tryAgain(flow);
    assert.deepEqual([flow.problems(), ...flow.quantities('MUG')], [[], 8, 8]);
  });

test('[S9, P1] an oversell that neither shop counts any more is no problem', async () => {
  const flow = await linked({}, 1);
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  for (const side of SIDES) flow.shop(side).outside.setTracked(flow.item(side, 'MUG'), false);
  await flow.rest();
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

/** Puts the stock of before back as `restore` leaves it. */
async function fromBackup(flow: EngineFlow, since: () => Promise<void>, also: () => void): Promise<void> {
  const variants = flow.rows<{ id: VariantId; quantity: number }>('SELECT id, quantity FROM variant');
  const bases = flow.rows<Base>('SELECT * FROM variant_binding');
  await since();
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => {
    for (const { id, quantity } of variants) updateVariant(tx, id, { quantity, stockState: 'restored' });
    for (const base of bases) settleStockBase(tx, base.variant_id, base.side, base.base_quantity, true);
  });
  also();
  enqueueRestored(ctx);
  await flow.rest();
}
interface Base {
  readonly variant_id: VariantId;
  readonly side: Side;
  readonly base_quantity: number;
}

test('[S14, S5] an intent that was open in the backup hides no sale', async () => {
  const flow = await linked();
  const id = flow.rows<{ id: VariantId }>("SELECT id FROM variant WHERE sku = 'MUG'")[0]?.id as VariantId;
  await fromBackup(
    flow,
    async () => {
      // Carried by the server of before; one more in WooCommerce that nobody saw.
      flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 4);
      await flow.rest();
      untold(flow, 'woocommerce', () => flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1));
    },
    () => {
      // In the backup: one was sold in Shopify (9), and the write of it was under way to WooCommerce.
      const { ctx } = flow.world.life();
      transact(ctx.db, (tx) => {
        updateVariant(tx, id, { quantity: 9 });
        settleStockBase(tx, id, 'shopify', 9, true);
        const at = ctx.clock.now() - 600_000;
        openStockIntent(tx, id, 'woocommerce', {
          from: 10,
          to: 9,
          key: 'stk_old.1/1',
          sentAt: at,
          fencedUntil: at + 60_000,
        });
      });
    },
  );
  await flow.scan();
  const left = flow.hubQuantity('MUG');
  // Where the two moved differently the larger fall counts, and a person is told.
  assert.ok(left <= 5 && left >= 4, `${left}`);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[left, left], ['STOCK_DOUBT']]);
});

test('[S7, M1] a record that was not counted is made again with a number: its stock is linked, as at a first link', async () => {
  const flow = new EngineFlow();
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 4 }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 0, tracked: false }]);
  flow.stock(SIDES, { title: 'Witness' }, [{ sku: 'WITNESS', quantity: 10 }]);
  await flow.link();
  assert.deepEqual(flow.problems(), ['STOCK_TRACKING_DIFFERS']);
  const old = flow.product('woocommerce', 'Mug');
  const { outside } = flow.shop('woocommerce');
  outside.deleteProduct(old.id, 'hard');
  await flow.rest(1);
  outside.addProduct({
    fields: old.fields,
    variants: old.variants.map(({ fields }) => ({ fields, stock: { tracked: true, quantity: 3 } })),
  });
  await flow.rest(30);
  await flow.scan();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG')], [[], 3, 3]);
});

test('[P1] a stock write that was refused is no problem of a product that is deleted', async () => {
  const flow = await linked();
  flow.hands.shopify.writeStock = async (writes) =>
    writes.map(() => ({ outcome: 'failed', error: new ConnectorError('rejected', 'no', { platformMessage: 'no' }) }));
  const { outside } = flow.shop('woocommerce');
  outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  delete flow.hands.shopify.writeStock;
  outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  await flow.rest();
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

test('[S11] drift that was told is left alone also where inventory was off for a while', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['DRIFT']);
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: false });
  await flow.rest();
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: true });
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG')], [['DRIFT'], 10, 7]);
});

test('[S2, S11] ... and once stock goes both ways, what was sold there is sold', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: false });
  await flow.rest();
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { stockTwoWay: true });
  await flow.rest();
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory: true });
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG')], [[], 7, 7]);
});
test('[S2] a sale that is told of after its record went into the bin is sold (keep)', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [120_000], isLate: true }) };
  shop.outside.sell(flow.item('woocommerce', 'MUG'), 3);
  shop.faults = calm;
  shop.outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  await flow.rest(30);
  assert.equal(flow.quantity('shopify', 'MUG'), 7);
});

/** What an import does: the record is deleted for good, and added again with a number of its own. */
async function remake(flow: EngineFlow, side: Side, quantity: number): Promise<void> {
  const { outside } = flow.shop(side);
  const old = flow.product(side, 'Mug');
  outside.deleteProduct(old.id, 'hard');
  await flow.rest(1);
  outside.addProduct({
    fields: old.fields,
    variants: old.variants.map(({ fields }) => ({ fields, stock: { tracked: true, quantity } })),
  });
  await flow.rest(30);
  await flow.scan();
}

test('[S7, S8] made again with 0, and counted after a person was asked: it is not summed', async () => {
  const flow = await linked({ stockLinkRule: 'sum' });
  await remake(flow, 'woocommerce', 0);
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  flow.shop('woocommerce').outside.recount(flow.item('woocommerce', 'MUG'), 4);
  await flow.rest(30);
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [4, 4]]);
});

for (const [what, settings, quantity, made, hub] of [
  ['the buffer', { stockBuffer: 2 }, 10, 7, 9],
  ['the cap', { stockCap: 20 }, 100, 19, 99],
] as const)
  test(`[S7, S1] made again with one sold: ${what} is not taken off once more`, async () => {
    const flow = await linked(settings, quantity);
    await remake(flow, 'woocommerce', made);
    assert.equal(flow.hubQuantity('MUG'), hub);
  });

test('[S7] a variant that was never one before is linked by the rule, also of a product that was made again', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'sum' });
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, sizes);
  flow.stock(SIDES, { title: 'Witness' }, [{ sku: 'WITNESS' }]);
  await flow.link();
  await remake(flow, 'woocommerce', 10);
  for (const side of SIDES) {
    const { id, variants } = flow.product(side, 'Mug');
    const fields = { ...present(variants[0], 'a variant').fields, sku: 'MUG-L', barcode: '', optionValues: ['L'] };
    const quantity = side === 'shopify' ? 3 : 4;
    flow.shop(side).outside.addVariant(id, { fields, stock: { tracked: true, quantity } });
  }
  await flow.rest(30);
  assert.deepEqual(flow.quantities('MUG-L'), [7, 7]);
});

for (const [stockLinkRule, linkedAt] of [
  ['shopify', 9],
  ['sum', 13],
] as const)
  test(`[S7] a first link that had to wait for its tracking goes by the rule (${stockLinkRule})`, async () => {
    const flow = new EngineFlow({ stockLinkRule });
    flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 0 }]);
    flow.shop('woocommerce').outside.setTracked(flow.item('woocommerce', 'MUG'), false);
    flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 9 }]);
    await flow.link();
    assert.deepEqual(flow.problems(), ['STOCK_TRACKING_DIFFERS']);
    flow.shop('woocommerce').outside.setTracked(flow.item('woocommerce', 'MUG'), true);
    flow.shop('woocommerce').outside.recount(flow.item('woocommerce', 'MUG'), 4);
    await flow.rest(30);
    if (flow.problems().length > 0) await tryAgain(flow);
    assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [linkedAt, linkedAt]]);
  });

const failing = (kind: 'rejected' | 'unavailable'): Connector['writeStock'] => {
  const error = new ConnectorError(kind, 'not now');
  return async (writes) => writes.map(() => ({ outcome: 'failed', error }));
};

test('[S2, P1] what the shop that sells on alone refuses is told of, and written when it lets us', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  flow.hands.shopify.writeStock = failing('rejected');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest(1);
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
  await flow.rest(30);
  await flow.scan();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  delete flow.hands.shopify.writeStock;
  await flow.scan();
  await flow.rest(60);
  assert.deepEqual([flow.problems(), flow.quantity('shopify', 'MUG')], [[], flow.hubQuantity('MUG')]);
});

test('[S2, T2] ... and is not forgotten while inventory is off', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  const before = flow.hubQuantity('MUG');
  flow.hands.shopify.writeStock = failing('unavailable');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest(1);
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
  await flow.rest(2);
  const switchTo = (syncInventory: boolean) => updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncInventory });
  switchTo(false);
  await flow.rest(10);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest(10);
  delete flow.hands.shopify.writeStock;
  await flow.scan();
  switchTo(true);
  await flow.rest(60);
  await flow.scan();
  assert.equal(flow.quantity('shopify', 'MUG'), before - 4);
});

for (const [what, before, after, quantity, shown] of [
  ['a buffer is set', {}, { stockBuffer: 2 }, 10, 8],
  ['a cap is set', {}, { stockCap: 5 }, 10, 5],
  ['the buffer is taken away', { stockBuffer: 2 }, { stockBuffer: 0 }, 10, 10],
] as const)
  test(`[S7, S1] ${what} while stock is paused: linked anew, there is neither more nor less of it`, async () => {
    const flow = await linked(before, quantity);
    const { outside } = flow.shop('shopify');
    const pause = async () => {
      for (const isTracked of [false, true]) {
        outside.setTracked(flow.item('shopify', 'MUG'), isTracked);
        await flow.rest();
      }
    };
    await pause();
    updatePairSettings(flow.world.life().ctx, PAIR_ID, after);
    await flow.rest();
    await tryAgain(flow);
    const settled = [[], quantity, shown, shown];
    assert.deepEqual([flow.problems(), flow.hubQuantity('MUG'), ...flow.quantities('MUG')], settled);
    // What was kept back then says nothing of another time.
    await pause();
    await tryAgain(flow);
    assert.deepEqual([flow.problems(), flow.hubQuantity('MUG'), ...flow.quantities('MUG')], settled);
  });

test('[V5, S7, S1] a buffer is set while a variant is removed in one shop: added again, there is no more of it', async () => {
  const flow = new EngineFlow();
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size], quantity: 10 }));
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, sizes);
  await flow.link();
  const { outside } = flow.shop('woocommerce');
  const { id, variants } = flow.product('woocommerce', 'Mug');
  const own = present(
    variants.find(({ fields }) => fields.sku === 'MUG-M'),
    'MUG-M',
  );
  outside.deleteVariant(own.stockId);
  await flow.rest();
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { stockBuffer: 2 });
  await flow.rest();
  outside.addVariant(id, { fields: own.fields, stock: { tracked: true, quantity: 10 } });
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG-M'), ...flow.quantities('MUG-M')], [10, 8, 8]);
});

for (const enforce of [false, true])
  test(`[G8, S11] what is counted at a counterpart that a deleted source has left as it was stays${enforce ? ', also with enforce' : ''}`, async () => {
    const flow = await linked({
      ...{ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false, deletePolicy: 'keep', enforce },
    });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
    await flow.rest();
    for (const counted of [30, 3]) {
      flow.shop('shopify').outside.recount(flow.item('shopify', 'MUG'), counted);
      await flow.rest();
      await flow.scan();
      assert.equal(flow.quantity('shopify', 'MUG'), counted);
    }
  });
