// What becomes of the variants that were removed on the other side, told in the history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFault } from '../../connectors/memory/fault-plan.ts';
import { transact } from '../../db/database.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { updatePairSettings } from '../../engine/create-pair.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

for (const [answer, fault] of [
  ['is answered', null],
  ['landed and has no answer', { type: 'timeout', when: 'after' }],
  ['did not land and has no answer', { type: 'timeout', when: 'before' }],
] as const)
  test(`[V4, W6] a removed variant is put away with a write that ${answer}: the history and the activity tell of it, once`, async () => {
    const flow = new EngineFlow();
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    if (fault !== null) faultOnce(flow, fault);
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    const away = flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M');
    assert.equal(away?.isArchived, true);
    const lines = flow.rows(
      'SELECT sku, "from", "to", cause FROM change JOIN variant ON variant.id = variant_id WHERE target = \'woocommerce\'',
    );
    assert.deepEqual(lines, [{ sku: 'M', from: '"active"', to: '"archived"', cause: 'written' }]);
    const told = flow.rows("SELECT 1 FROM event WHERE type = 'product_written' AND payload LIKE '%archived%'");
    assert.equal(told.length, 1);
  });

for (const [why, off, on] of [
  ['policy says keep', { deletePolicy: 'keep' }, { deletePolicy: 'archive' }],
  ['products are not synced', { syncProducts: false }, { syncProducts: true }],
] as const)
  test(`[V4, T1, P1] a variant that was removed while the ${why} stays and is told, and is put away once the settings allow it`, async () => {
    const flow = new EngineFlow(off);
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    const isAway = () =>
      flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M')?.isArchived;
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    assert.equal(isAway(), false);
    assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
    updatePairSettings(flow.world.life().ctx, PAIR_ID, on);
    await flow.rest();
    assert.equal(isAway(), true);
    assert.deepEqual(flow.problems(), []);
  });

test('[V4, P1] a problem closes with the write that puts the variant away, whatever comes after', async () => {
  const flow = new EngineFlow({ deletePolicy: 'keep' });
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  await flow.link();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  const { woocommerce } = flow.world.shops;
  const calm = woocommerce.faults;
  woocommerce.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  transact(flow.world.db, (tx) =>
    updatePair(tx, PAIR_ID, { settings: { ...flow.world.settings, deletePolicy: 'archive' } }),
  );
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Shirt').id, 'title', 'Shirt 2');
  await flow.rest(5);
  assert.deepEqual(flow.problems(), []);
});

function faultOnce(flow: EngineFlow, fault: RequestFault): void {
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'write_variants') return calm.request(facts);
      shop.faults = calm;
      return { ...calm.request(facts), fault };
    },
  };
}
