import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore, update } from './open-store.test.ts';

for (const lost of [2, 3])
  test(`[B1, W4] a variation and a product that change SKUs: what ends after request ${lost} is nobody's edit, and is brought to its end by the next write`, async () => {
    const { controls, read, connector, hooks, call } = await openStore();
    const shirt = controls.addProduct({
      title: 'Shirt',
      variations: ['A', 'L'].map((sku) => ({ sku, regularPrice: '1', options: { Size: sku } })),
    });
    const hat = controls.addProduct({ title: 'Hat', sku: 'B', regularPrice: '1' });
    const [variation = 0] = shirt.variationIds;
    const readBoth = () => Promise.all([read(shirt.productId), read(hat.productId)]);
    const write = async () => {
      const [own, other] = await readBoth();
      const writes = [
        update(own, { variants: [{ externalId: String(variation), fields: { sku: 'B' } }] }),
        update(other, { variants: [{ externalId: other.externalId, fields: { sku: 'A' } }] }),
      ];
      return (await connector.writeProducts(writes)).map(({ ok }) => ok);
    };
    const skus = async () => {
      const [own, other] = await readBoth();
      const first = own.variants.find(({ externalId }) => externalId === String(variation));
      return [first?.fields.sku, other.variants[0]?.fields.sku];
    };
    let batches = 0;
    hooks.answer = (path) => {
      if (path.endsWith('/batch')) batches += 1;
      return batches >= lost ? { status: 503, headers: {}, body: Buffer.from('away') } : null;
    };
    assert.equal((await write())[0], false);
    hooks.answer = () => null;
    const raw = () => call('GET', `/products/${shirt.productId}/variations/${variation}`);
    assert.notEqual((await raw()).sku, 'A', 'it has let go of it');
    assert.deepEqual(await skus(), ['A', lost === 2 ? 'B' : 'A'], 'read as if it were there');
    assert.deepEqual(await write(), [true, true]);
    assert.deepEqual(await skus(), ['B', 'A']);
    const { sku, meta_data } = await raw();
    const kept = meta_data.find(({ key }: { key: string }) => key === '_twinshelf_sku');
    assert.deepEqual([sku, kept?.value ?? ''], ['B', '']);
  });
