import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, openStore, update, variant } from './open-store.test.ts';

test('[C29] a variation that somebody else has switched off keeps its SKU', async () => {
  const { connector, controls, call, read } = await openStore();
  const { productId, variationIds } = controls.addProduct({
    title: 'Shirt',
    variations: ['S', 'M'].map((size) => ({ sku: size, options: { Size: size } })),
  });
  const [small, medium] = variationIds;
  const path = (id: number | undefined) => `/products/${productId}/variations/${id}`;
  await call('PUT', path(small), { status: 'private' });
  const made = async (sku: string) => {
    const [outcome] = await connector.writeProducts([create({}, [variant({ sku })], `prd_${sku}`)]);
    return outcome?.ok === true ? null : (outcome?.error.details.conflictingId ?? '');
  };
  assert.equal(await made('S'), String(small));
  assert.equal((await call('GET', path(small))).sku, 'S');
  // One that we put away and somebody shows again is no longer ours to take it from.
  await connector.writeProducts([update(await read(productId), { archiveVariants: [String(medium)] })]);
  await call('PUT', path(medium), { status: 'publish' });
  assert.equal(await made('M'), String(medium));
  await call('PUT', path(medium), { status: 'private' });
  assert.equal(await made('M'), null);
  assert.equal((await call('GET', path(medium))).sku, '');
});
