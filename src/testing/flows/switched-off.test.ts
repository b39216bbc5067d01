// What waits while an area is switched off: questions and drift that were told before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: Partial<PairSettings>): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  return flow.link();
}

async function change(flow: EngineFlow, patch: Partial<PairSettings>): Promise<void> {
  updatePairSettings(flow.world.life().ctx, PAIR_ID, patch);
  await flow.rest();
}

function type(flow: EngineFlow, side: Side, regularMinor: number): void {
  flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'price', { regularMinor, saleMinor: null });
}

const prices = (flow: EngineFlow) =>
  SIDES.map((side) => flow.shop(side).shelf.items.get(flow.item(side, 'MUG'))?.variant.fields.price.regularMinor);

/** Two prices that a person is asked about; WooCommerce's is the newer one by now. */
async function asked(): Promise<EngineFlow> {
  const flow = await linked({ conflictResolution: 'manual' });
  type(flow, 'woocommerce', 2100);
  type(flow, 'shopify', 2200);
  await flow.rest(60);
  type(flow, 'woocommerce', 2300);
  await flow.rest(60);
  assert.equal(flow.conflicts().length, 1);
  return flow;
}

for (const [policy, winner] of [
  ['newest', 2300],
  ['oldest', 2200],
] as const)
  test(`[R7, R10, R6] prices are switched off while a person is asked about one: the question stays, and "${policy}" goes by when each was seen`, async () => {
    const flow = await asked();
    await change(flow, { syncPrices: false });
    await flow.scan();
    assert.equal(flow.conflicts().length, 1);
    await change(flow, { syncPrices: true, conflictResolution: policy });
    await flow.scan();
    assert.deepEqual([prices(flow), flow.conflicts()], [[winner, winner], []]);
  });

test('[R7, R10, R13] what a person decides about a price that is switched off is carried out once it is on', async () => {
  const flow = await asked();
  await change(flow, { syncPrices: false });
  const { id, side, version } = present(flow.conflicts()[0], 'a conflict');
  resolveConflict(flow.world.life().ctx, { conflictId: id, expectedVersion: version, choice: 'remote' });
  await flow.rest();
  assert.deepEqual([prices(flow), flow.conflicts()], [[2300, 2200], []]);
  await change(flow, { syncPrices: true });
  const chosen = side === 'shopify' ? 2200 : 2300;
  assert.deepEqual([prices(flow), flow.conflicts()], [[chosen, chosen], []]);
});

test('[R7, R10, R9] the pair becomes one-way meanwhile: nobody is asked any more', async () => {
  const flow = await asked();
  await change(flow, { syncPrices: false });
  await change(flow, { syncDirection: 'woocommerce_to_shopify' });
  assert.deepEqual([prices(flow), flow.conflicts()], [[2300, 2200], []]);
});

test('[R11, R10, R6] drift that was told stays told while prices are switched off, and is no newer for it', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
  type(flow, 'shopify', 2200);
  await flow.rest(60);
  type(flow, 'woocommerce', 2100);
  await flow.rest(60);
  await change(flow, { syncPrices: false });
  await flow.scan();
  assert.deepEqual(flow.problems(), ['DRIFT']);
  await change(flow, { syncPrices: true });
  await change(flow, { syncDirection: 'bidirectional' });
  assert.deepEqual([prices(flow), flow.problems()], [[2100, 2100], []]);
});

for (const side of SIDES)
  test(`[R10, G8] put away, then restored and deleted again in ${side} while details are off: nothing goes on sale once they are on`, async () => {
    const flow = await linked({});
    flow.stock(SIDES, { title: 'Bowl', status: 'active' }, [{ sku: 'BOWL' }]);
    await flow.rest(30);
    const other = otherSide(side);
    const { outside } = flow.shop(side);
    const { id } = flow.product(side, 'Bowl');
    // Shopify has no bin: what is deleted there is made again.
    const remake = () => flow.stock([side], { title: 'Bowl', status: 'active' }, [{ sku: 'BOWL' }]);
    outside.deleteProduct(id, 'bin');
    await flow.rest();
    const away = flow.product(other, 'Bowl').fields.status;
    assert.notEqual(away, 'active');
    await change(flow, { syncProducts: false });
    if (side === 'woocommerce') outside.restore(id);
    else remake();
    await flow.rest();
    outside.deleteProduct(flow.product(side, 'Bowl').id, 'bin');
    await flow.rest();
    await change(flow, { syncProducts: true });
    await flow.scan();
    assert.deepEqual([flow.product(other, 'Bowl').fields.status, flow.problems()], [away, []]);
    if (side === 'woocommerce') outside.restore(id);
    else remake();
    await flow.rest(30);
    for (const each of SIDES) assert.equal(flow.product(each, 'Bowl').fields.status, 'active', each);
  });

test('[G8] with "keep": a product that was to be put on sale, and is not yet when its other half is deleted, stays as it is', async () => {
  const flow = new EngineFlow({ deletePolicy: 'keep' });
  flow.stock(SIDES, { title: 'Mug', status: 'draft' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
  const { id } = flow.product('woocommerce', 'Mug');
  flow.shop('woocommerce').outside.editProduct(id, 'status', 'active');
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest();
  assert.equal(flow.hub('Mug').row.state, 'deleted');
  delete flow.hands.shopify.writeProducts;
  await flow.scan();
  assert.deepEqual([flow.product('shopify', 'Mug').fields.status, flow.problems()], ['draft', []]);
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest();
  for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.status, 'active', side);
});
