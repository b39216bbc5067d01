import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Connector } from '../../ports/connector.ts';
import { connectTo, createOf, written } from './integration-support.test.ts';
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

test('[L5] what only shows other products together is left out whole, and they are not', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  for (const [combinedListingRole, expected] of [
    ['PARENT', 'unsupported_type'],
    ['CHILD', undefined],
  ] as const) {
    const { productCreate } = (await shop.graphql(
      'mutation($product: ProductCreateInput!) { productCreate(product: $product) { product { id } userErrors { message } } }',
      { product: { title: `Shorts ${combinedListingRole}`, combinedListingRole } },
    )) as unknown as { productCreate: { product: { id: string } } };
    for (const { unsyncable } of await shownBy(connector, productCreate.product.id))
      assert.equal(unsyncable?.reason, expected, combinedListingRole);
  }
  await shop.close();
});

test('what is for sale and not in the online store is withheld, until it is published there', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const { controls } = shop.sandbox;
  const { productId } = controls.addProduct({ title: 'For dealers', price: '12', stock: 4 });
  const withheld = async () => (await shownBy(connector, productId)).map((snapshot) => snapshot.withheld);
  const never = 'It is not published to the Online Store.';
  assert.deepEqual(await withheld(), [undefined, undefined]);

  controls.setPublished(productId, false);
  assert.deepEqual(await withheld(), [never, never]);
  controls.updateProduct(productId, { status: 'UNLISTED' });
  assert.deepEqual(await withheld(), [never, never]);
  controls.updateProduct(productId, { status: 'DRAFT' });
  assert.deepEqual(await withheld(), [undefined, undefined], 'a draft is as hidden in the other shop');
  controls.updateProduct(productId, { status: 'ACTIVE' });
  controls.setPublished(productId, true);
  assert.deepEqual(await withheld(), [undefined, undefined]);
  await shop.close();
});

test('what is to be published on a day to come is withheld until that day, by the shop’s clock', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const { controls } = shop.sandbox;
  const { productId } = controls.addProduct({ title: 'Next season', price: '12' });
  controls.setPublished(productId, false);
  const publications = (await shop.graphql('{ publications(first: 1) { nodes { id } } }')) as unknown as {
    publications: { nodes: { id: string }[] };
  };
  const publishDate = new Date(Math.ceil(shop.time.now() / 1000) * 1000 + 3_600_000).toISOString();
  await shop.graphql(
    'mutation($id: ID!, $input: [PublicationInput!]!) { publishablePublish(id: $id, input: $input) { userErrors { message } } }',
    { id: productId, input: [{ publicationId: publications.publications.nodes[0]?.id, publishDate }] },
  );
  for (const { withheld, turnsAt } of await shownBy(connector, productId))
    assert.deepEqual([withheld, turnsAt], ['It is not published to the Online Store yet.', [Date.parse(publishDate)]]);
  await shop.time.advance(3_601_000);
  for (const { withheld } of await shownBy(connector, productId)) assert.equal(withheld, undefined);
  await shop.close();
});

test('what we make is published as before, and is not withheld', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  for (const status of ['active', 'unlisted', 'draft', 'archived'] as const) {
    const { withheld } = await written(connector, createOf(1, { status, handle: status }));
    assert.equal(withheld, undefined, status);
  }
  await shop.close();
});
