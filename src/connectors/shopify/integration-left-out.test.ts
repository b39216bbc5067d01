import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Connector } from '../../ports/connector.ts';
import { connectTo } from './integration-support.test.ts';
import { createInProcessShop } from './sandbox-support.test.ts';

/** The product as a read by id and as a listing show it: they must say the same. */
async function shownBy(connector: Connector, externalId: string): Promise<ProductSnapshot[]> {
  const shown: ProductSnapshot[] = [];
  const [read] = await connector.readProducts([externalId]);
  if (read?.ok) shown.push(read.value);
  for await (const page of connector.scan({ resume: null }))
    shown.push(...page.snapshots.filter((snapshot) => snapshot.externalId === externalId));
  assert.equal(shown.length, 2);
  return shown;
}

test('[L5] a product that is sold by subscription only is refused whole, and fits once it is sold by itself', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const { productId } = shop.sandbox.controls.addProduct({ title: 'Coffee, monthly', price: '12', stock: 4 });
  const sell = (requiresSellingPlan: boolean) =>
    shop.graphql(
      'mutation($product: ProductUpdateInput!) { productUpdate(product: $product) { userErrors { message } } }',
      { product: { id: productId, requiresSellingPlan } },
    );
  await sell(true);
  for (const { unsyncable } of await shownBy(connector, productId))
    assert.deepEqual(unsyncable, { reason: 'unsupported_type', detail: 'it is sold by subscription only' });
  await sell(false);
  for (const { unsyncable } of await shownBy(connector, productId)) assert.equal(unsyncable, null);
  await shop.close();
});
