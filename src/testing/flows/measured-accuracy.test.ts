import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPair } from '../../db/readers/pairs.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

/** Of a product with one variant, by side: title, description, status, tags, options; SKU, barcode, price, weight, option values, backorders; stock. */
const FIELDS = 12;

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow({ syncSchedule: 'manual', ...settings });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 10 }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL', quantity: 4 }]);
  return flow.link();
}

const accuracy = (flow: EngineFlow) => {
  const { compared, equal } = findPair(flow.world.db, PAIR_ID)?.accuracy ?? {};
  return { compared, equal };
};

test('two stores that agree are measured as equal in every field', async () => {
  const flow = await linked();
  assert.deepEqual(accuracy(flow), { compared: undefined, equal: undefined }, 'a first link compares nothing');
  await flow.scan();
  assert.deepEqual(accuracy(flow), { compared: 4 * FIELDS, equal: 4 * FIELDS });
});

test('what differs when both catalogues are read is told, although the same scan puts it right', async () => {
  const flow = await linked();
  for (const side of SIDES) {
    const shop = flow.shop(side);
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  }
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
  // In the shop that is read last: what was seen in the first is on its way to it by then.
  flow.shop('shopify').outside.sell(flow.item('shopify', 'BOWL'), 1);
  await flow.scan();
  assert.deepEqual(accuracy(flow), { compared: 4 * FIELDS, equal: 4 * FIELDS - 2 });
  await flow.scan();
  assert.deepEqual(accuracy(flow), { compared: 4 * FIELDS, equal: 4 * FIELDS });
});

test('areas that are switched off are not part of it', async () => {
  const flow = await linked({ syncInventory: false, syncPrices: false });
  await flow.scan();
  assert.deepEqual(accuracy(flow), { compared: 4 * (FIELDS - 2), equal: 4 * (FIELDS - 2) });
});
