import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, openStore, variant } from './open-store.test.ts';

const MUG = { sku: 'MUG', gtin: '4006381333931' };
const SHIRT = { sku: 'SHIRT', gtin: '036000291452' };

/** A mug, and a shirt with one variation that has a GTIN. */
async function openShop(version: string) {
  const store = await openStore({ version });
  const { call, connector, hooks } = store;
  const { id: mug } = await call('POST', '/products', { name: 'Mug', sku: MUG.sku, global_unique_id: MUG.gtin });
  const attributes = [{ name: 'Size', options: ['S'], variation: true, visible: true }];
  const { id: shirt } = await call('POST', '/products', { name: 'Shirt', type: 'variable', attributes });
  await call('POST', `/products/${shirt}/variations`, {
    sku: SHIRT.sku,
    global_unique_id: SHIRT.gtin,
    attributes: [{ name: 'Size', option: 'S' }],
  });
  let listed = 0;
  hooks.onSent = (path) => {
    if (path === '/wp-json/wc/v3/products') listed += 1;
  };
  const idsOf = (found: readonly { externalId: string }[]) => found.map(({ externalId }) => externalId).toSorted();
  return { connector, mug: String(mug), shirt: String(shirt), idsOf, countListed: () => listed };
}

test('products and variations are found by their GTIN since WooCommerce 9.6', async () => {
  for (const version of ['9.6.0', '10.5.0']) {
    const { connector, mug, shirt, idsOf } = await openShop(version);
    const found = await connector.findByKeys(['gtin:04006381333931', 'gtin:00036000291452']);
    assert.deepEqual(idsOf(found), [mug, shirt].toSorted(), version);
  }
});

test('an older WooCommerce, which would list everything, is asked for SKUs alone', async () => {
  for (const version of ['9.1.0', '9.3.0', '9.5.2']) {
    const { connector, mug, idsOf, countListed } = await openShop(version);
    assert.deepEqual(await connector.findByKeys(['gtin:04006381333931', 'gtin:00036000291452']), [], version);
    assert.equal(countListed(), 0, `${version}: nothing is asked for`);
    assert.deepEqual(idsOf(await connector.findByKeys(['sku:mug', 'gtin:00036000291452'])), [mug], version);
  }
});

test('[C18] what was made last is found by its mark in one listing, however much was made before it', async () => {
  const { connector, controls, hooks } = await openStore();
  controls.seed(350, 1);
  const [made] = await connector.writeProducts([create({}, [variant()])]);
  assert.ok(made?.ok);
  let listed = 0;
  hooks.onSent = (path) => {
    if (path === '/wp-json/wc/v3/products') listed += 1;
  };
  const found = await connector.findByMark({ pairId: 'pair_1', hubId: 'prd_1' }, 0);
  assert.deepEqual([found?.externalId, listed], [made.snapshot.externalId, 1]);
  // One of the first, which a create that was long delayed may be as well.
  const [first] = controls.listShelf();
  await connector.writeProducts([
    {
      ...{ type: 'update', externalId: String(first?.productId), fields: {}, variants: [], newVariants: [] },
      ...{ archiveVariants: [], mark: { pairId: 'pair_1', hubId: 'prd_2' }, seen: made.snapshot },
    },
  ]);
  const marked = await connector.findByMark({ pairId: 'pair_1', hubId: 'prd_2' }, 0);
  assert.equal(marked?.externalId, String(first?.productId));
});

test('[C18] a first listing that gives fewer records than there are is not taken for all of them', async () => {
  const { connector, controls, hooks } = await openStore();
  controls.seed(30, 1);
  const [made] = await connector.writeProducts([create({}, [variant()])]);
  assert.ok(made?.ok);
  let listed = 0;
  // A host that caps the page, or a plugin that takes something out of it.
  hooks.answer = (path) => {
    if (path !== '/wp-json/wc/v3/products') return null;
    listed += 1;
    if (listed > 1) return null;
    const body = new TextEncoder().encode('[{"id":9999,"meta_data":[]}]');
    return { status: 200, headers: { 'x-wp-total': '31' }, body };
  };
  const found = await connector.findByMark({ pairId: 'pair_1', hubId: 'prd_1' }, 0);
  assert.equal(found?.externalId, made.snapshot.externalId);
});
