import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldBy } from '../../engine/held-by.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [
    { sku: 'MUG', quantity: 10 },
    { sku: 'MUG-RED', quantity: 3 },
  ]);
  return flow.link();
}

function held(flow: EngineFlow) {
  const { woocommerce, shopify } = heldBy(flow.world.life().ctx, flow.hub('Mug').row.id);
  assert.ok(woocommerce && shopify);
  return { woocommerce, shopify };
}

test('what a side holds is told as its platform shows it, and what it can’t show otherwise is no difference', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'archived');
  await flow.rest();
  const { woocommerce, shopify } = held(flow);
  assert.equal(shopify.product.fields.status, 'archived');
  assert.equal(woocommerce.product.fields.status, 'draft', 'it has no archive');
  assert.deepEqual([woocommerce.apart, shopify.apart], [[], []]);
});

test('a variant that is not bound on a side is not held by it', async () => {
  const flow = await linked();
  const red = flow.rows<{ id: VariantId }>("SELECT id FROM variant WHERE sku = 'MUG-RED'")[0]?.id;
  assert.ok(red);
  flow.world.db.connection.prepare("DELETE FROM variant_binding WHERE variant_id = ? AND side = 'shopify'").run(red);
  const { woocommerce, shopify } = held(flow);
  assert.ok(woocommerce.product.variants[red]);
  assert.equal(shopify.product.variants[red], undefined);
});

test('fields that should be the same and are not are named; what is not kept the same is not', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify', syncPrices: false });
  const { outside } = flow.shop('shopify');
  outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
  outside.editVariant(flow.item('shopify', 'MUG-RED'), 'barcode', '4006381333931');
  outside.editVariant(flow.item('shopify', 'MUG-RED'), 'price', { regularMinor: 2900, saleMinor: null });
  await flow.rest();
  const red = flow.rows<{ id: string }>("SELECT id FROM variant WHERE sku = 'MUG-RED'")[0]?.id;
  const { woocommerce, shopify } = held(flow);
  assert.equal(shopify.product.fields.title, 'Cup');
  assert.deepEqual([woocommerce.apart, shopify.apart], [[], ['title', `variant.${red}.barcode`]]);
});

test('stock that still has to be written is named', async () => {
  const flow = await linked();
  const [row] = flow.rows<{ id: string }>("SELECT id FROM variant WHERE sku = 'MUG'");
  flow.world.db.connection.prepare('UPDATE variant SET quantity = 8 WHERE id = ?').run(row?.id);
  const { woocommerce, shopify } = held(flow);
  const path = `variant.${row?.id}.stock`;
  assert.deepEqual([woocommerce.apart, shopify.apart], [[path], [path]]);
});

test('a product that is deleted is kept the same as nothing', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug').id, 'hard');
  await flow.rest();
  const { woocommerce, shopify } = heldBy(flow.world.life().ctx, flow.hub('Mug').row.id);
  assert.equal(shopify, null);
  assert.deepEqual([woocommerce?.product.fields.status, woocommerce?.apart], ['draft', []]);
});
