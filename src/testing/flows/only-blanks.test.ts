// [L1] Two shops that both had their own texts and prices, linked so that only blanks are filled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import type { ConflictPolicy } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const PRICES = { woocommerce: 1200, shopify: 1500 } as const;

async function linked(conflictResolution: ConflictPolicy): Promise<EngineFlow> {
  const flow = new EngineFlow({ linkRule: 'fill_blanks', conflictResolution });
  for (const side of SIDES) {
    const texts = side === 'shopify' ? { descriptionHtml: '<p>Of Shopify</p>' } : { descriptionHtml: '' };
    const price = { regularMinor: PRICES[side], saleMinor: null };
    flow.stock([side], { title: `Mug of ${side}`, ...texts }, [{ sku: 'MUG', price }]);
  }
  return flow.link();
}

const only = (flow: EngineFlow, side: Side) => {
  const [product] = [...flow.shop(side).shelf.products.values()];
  if (product === undefined) throw new Error('there is one product');
  return product;
};
const titles = (flow: EngineFlow) => SIDES.map((side) => only(flow, side).fields.title);
const prices = (flow: EngineFlow) => SIDES.map((side) => only(flow, side).variants[0]?.fields.price.regularMinor);

for (const policy of ['newest', 'oldest', 'manual'] as const)
  test(`[L1] under "${policy}" each shop keeps its title and price, a person is asked, and the blank is filled`, async () => {
    const flow = await linked(policy);
    for (let look = 0; look < 2; look += 1) {
      assert.deepEqual(
        titles(flow),
        SIDES.map((side) => `Mug of ${side}`),
      );
      assert.deepEqual(
        prices(flow),
        SIDES.map((side) => PRICES[side]),
      );
      assert.deepEqual(flow.conflicts().length, 2);
      await flow.scan();
    }
    assert.equal(only(flow, 'woocommerce').fields.descriptionHtml, '<p>Of Shopify</p>');
    assert.equal(flow.ours('shopify', 'set_field'), 0);
  });

for (const side of SIDES)
  test(`[L1, R6] what is typed in ${side} afterwards is newer than what met there, and crosses`, async () => {
    const flow = await linked('newest');
    flow.shop(side).outside.editProduct(only(flow, side).id, 'title', 'New mug');
    await flow.rest();
    assert.deepEqual(titles(flow), ['New mug', 'New mug']);
    assert.equal(flow.conflicts().length, 1, 'the price still waits');
  });

test('[L1, R13] a person decides', async () => {
  const flow = await linked('newest');
  for (const { id, version } of flow.rows<{ id: string; version: number }>('SELECT id, version FROM conflict'))
    resolveConflict(flow.world.life().ctx, { conflictId: id, expectedVersion: version, choice: 'remote' });
  await flow.rest();
  assert.equal(new Set(titles(flow)).size, 1);
  assert.equal(new Set(prices(flow)).size, 1);
  assert.deepEqual(flow.conflicts(), []);
});
