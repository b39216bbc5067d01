import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { HttpResponse } from '../shared/transport.ts';
import { openStore } from './open-store.test.ts';

/** A host that puts a page of its own in place of each 404, with the status that it gives that page. */
async function openReplacing(status: number) {
  const store = await openStore();
  store.controls.setHost({ pageFor404: status });
  return store;
}

const kindsOf = (
  outcomes: readonly ({ readonly ok: true } | { readonly ok: false; readonly error: ConnectorError })[],
) => outcomes.map((outcome) => (outcome.ok ? 'shown' : outcome.error.kind));

for (const status of [404, 200, 410]) {
  test(`[C5] a host that gives a page with status ${status} in place of each 404: what is deleted is told exactly, beside what is there`, async () => {
    const { connector, controls } = await openReplacing(status);
    const mug = controls.addProduct({ title: 'Mug', stock: 3 }).productId;
    const cup = controls.addProduct({ title: 'Cup', stock: 4 }).productId;
    const bowl = controls.addProduct({ title: 'Bowl', stock: 5 }).productId;
    controls.deleteProduct(mug, true);
    controls.trashProduct(bowl);
    const ids = [mug, cup, bowl].map(String);
    assert.deepEqual(kindsOf(await connector.readProducts(ids)), ['not_found', 'shown', 'shown']);
    assert.deepEqual(kindsOf(await connector.readProducts([String(mug)])), ['not_found']);
    assert.deepEqual(kindsOf(await connector.readStock(ids.map((id) => `p:${id}`))), ['not_found', 'shown', 'shown']);
  });
}

test('[C5] the same of a variation that was deleted for good, and of all variations of a deleted product', async () => {
  const { connector, controls } = await openReplacing(404);
  const { productId, variationIds } = controls.addProduct({
    title: 'Shirt',
    variations: ['S', 'M'].map((size) => ({ options: { Size: size }, stock: 2 })),
  });
  const stockIds = variationIds.map((id) => `v:${productId}:${id}`);
  controls.removeVariation(variationIds[0] ?? 0);
  assert.deepEqual(kindsOf(await connector.readStock(stockIds)), ['not_found', 'shown']);
  controls.deleteProduct(productId, true);
  assert.deepEqual(kindsOf(await connector.readStock(stockIds)), ['not_found', 'not_found']);
});

for (const status of [404, 200, 410])
  test(`[C20] a version without a list of all variations, on a host that gives a page with status ${status} in place of each 404: each product is asked for its own`, async () => {
    const store = await openStore({ version: '9.9.5' });
    store.controls.setHost({ pageFor404: status });
    const stockIds = ['Shirt', 'Tee'].flatMap((title) => {
      const variations = ['S', 'M'].map((size) => ({ options: { Size: size }, stock: 2 }));
      const { productId, variationIds } = store.controls.addProduct({ title, variations });
      return variationIds.map((id) => `v:${productId}:${id}`);
    });
    let variants = 0;
    for await (const { snapshots } of store.connector.scan({ resume: null }))
      variants += snapshots.flatMap((one) => one.variants).length;
    assert.equal(variants, 4);
    assert.deepEqual(kindsOf(await store.connector.readStock(stockIds)), ['shown', 'shown', 'shown', 'shown']);
    let { cursor, hasMore } = { ...(await store.connector.listChanged(null)), hasMore: true };
    for (let pages = 0; hasMore && pages < 5; pages += 1)
      ({ cursor, hasMore } = await store.connector.listChanged(cursor));
    assert.equal(hasMore, false);
  });

/** A host that does so also with what is asked for in an envelope. */
async function openMute() {
  const store = await openStore();
  const page: HttpResponse = { status: 404, headers: {}, body: new TextEncoder().encode('<h1>Not found</h1>') };
  // Nor by the other way of asking, which has no id in its path.
  const gone = new Set(['']);
  store.hooks.answer = (path) => (gone.has(path.split('/').at(-1) ?? '') ? page : null);
  return { ...store, gone };
}

test('where a host lets nothing through of a 404, nobody is taken to be deleted, and nobody else is held up', async () => {
  const { connector, controls, gone } = await openMute();
  const [mug = 0, cup = 0] = ['Mug', 'Cup'].map((title) => controls.addProduct({ title, stock: 3 }).productId);
  controls.deleteProduct(mug, true);
  gone.add(String(mug));
  const ids = [mug, cup].map(String);
  assert.deepEqual(kindsOf(await connector.readProducts(ids)), ['unavailable', 'shown']);
  assert.deepEqual(kindsOf(await connector.readStock(ids.map((id) => `p:${id}`))), ['unavailable', 'shown']);
  // Alone it may as well be that the whole site has moved.
  const alone = connector.readProducts([String(mug)]);
  await assert.rejects(alone, (error) => error instanceof ConnectorError && error.kind === 'unavailable');
});
