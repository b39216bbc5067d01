// What is in neither shop any more: it asks nobody anything, and stands in nobody's way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

function deleteOn(flow: EngineFlow, side: Side, titles: readonly string[], how: 'bin' | 'hard' = 'hard'): void {
  for (const title of titles) flow.shop(side).outside.deleteProduct(flow.product(side, title).id, how);
}

async function look(flow: EngineFlow): Promise<void> {
  await flow.rest();
  for (let i = 0; i < 3; i += 1) await flow.scan();
}

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
