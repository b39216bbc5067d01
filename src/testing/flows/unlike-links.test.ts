// Two that only their handles tie: a handle stays when a product gets another title, and another product may have been given it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPlan } from '../../db/writers/runs.ts';
import { EngineFlow } from './engine-flow.ts';

/** One product of each shop, without a key in common. */
function two(titles: { readonly woocommerce: string; readonly shopify: string }, skus = ['W-1', 'S-1']): EngineFlow {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: titles.woocommerce, handle: 'mill' }, [{ sku: skus[0] ?? '', quantity: 5 }]);
  flow.stock(['shopify'], { title: titles.shopify, handle: 'mill' }, [{ sku: skus[1] ?? '', quantity: 5 }]);
  return flow;
}

async function unlike(flow: EngineFlow) {
  const items = await flow.plan();
  const plan = findPlan(flow.world.db, flow.planStatus().id);
  return [plan?.counts.unlike, ...items.map(({ action, data }) => [action, data.reason, data.unlike])];
}

test('[M1] a plan shows a link as one to be looked at twice where a handle alone ties two of different titles', async () => {
  const titles = { woocommerce: 'Hand mill', shopify: 'Pepper mill' };
  assert.deepEqual(await unlike(two(titles)), [1, ['link', 'handle', titles]]);
});

test('[M1] two of one title, or of one SKU, are linked without a word', async () => {
  assert.deepEqual(await unlike(two({ woocommerce: 'Caf\u00e9 mill', shopify: 'cafe  mill' })), [
    0,
    ['link', 'handle', undefined],
  ]);
  assert.deepEqual(await unlike(two({ woocommerce: 'Hand mill', shopify: 'Pepper mill' }, ['M-1', 'm-1'])), [
    0,
    ['link', 'sku', undefined],
  ]);
});
