import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { create, openStore, update, variant } from './open-store.test.ts';

async function open(skus: readonly string[]) {
  const store = await openStore();
  const ids = skus.map((sku) => store.controls.addProduct({ title: sku, sku, regularPrice: '1' }).productId);
  const read = () => Promise.all(ids.map((id) => store.read(id)));
  const own = async () =>
    (await Promise.all(ids.map((id) => store.call('GET', `/products/${id}`)))).map(({ sku }) => sku);
  const seenSkus = async () => (await read()).map(({ variants }) => variants[0]?.fields.sku);
  const give = async (seen: readonly ProductSnapshot[], wanted: readonly string[]) => {
    const writes = seen.map(({ externalId }, i) =>
      update(seen[i]!, { variants: [{ externalId, fields: { sku: wanted[i] ?? '' } }] }),
    );
    return (await store.connector.writeProducts(writes)).map(({ ok }) => ok);
  };
  return { ...store, ids, read, own, seenSkus, give };
}

test('[B1] SKUs that pass round in a circle of products arrive, and nothing is kept on them afterwards', async () => {
  const { ids, read, own, give, call } = await open(['A', 'B', 'C', 'MUG']);
  assert.deepEqual(await give(await read(), ['B', 'C', 'A', 'mug-2']), [true, true, true, true]);
  assert.deepEqual(await own(), ['B', 'C', 'A', 'mug-2']);
  for (const id of ids) {
    const { meta_data } = await call('GET', `/products/${id}`);
    const kept = meta_data.find(({ key }: { key: string }) => key === '_twinshelf_sku');
    assert.equal(kept?.value ?? '', '');
  }
});

test('[B1] who is in no circle is refused as before, and nobody is cleared for it', async () => {
  const { read, own, give } = await open(['A', 'B', 'C', 'D']);
  // B wants what D has, which D keeps.
  assert.deepEqual(await give(await read(), ['B', 'D', 'C', 'D']), [false, false, true, true]);
  assert.deepEqual(await own(), ['A', 'B', 'C', 'D']);
});

for (const lost of [2, 3])
  test(`[B1] a swap that ends after its request ${lost} is nobody's edit, and is brought to its end by the next write`, async () => {
    const { hooks, read, seenSkus, own, give } = await open(['A', 'B']);
    let requests = 0;
    hooks.answer = (path) => {
      if (path.endsWith('/products/batch')) requests += 1;
      return requests >= lost ? { status: 503, headers: {}, body: Buffer.from('away') } : null;
    };
    const seen = await read();
    requests = 0;
    assert.deepEqual(await give(seen, ['B', 'A']), [false, false]);
    hooks.answer = () => null;
    assert.deepEqual(await seenSkus(), ['A', 'B']);
    assert.deepEqual(await own(), lost === 2 ? ['A', 'B'] : ['', '']);
    assert.deepEqual(await give(await read(), ['B', 'A']), [true, true]);
    assert.deepEqual(await own(), ['B', 'A']);
  });

test('[B1] what somebody types into a product while its SKU is cleared is theirs; where the swap is not due any more, the SKU is given back', async () => {
  const { hooks, read, seenSkus, own, give, call, connector, ids } = await open(['A', 'B']);
  let requests = 0;
  hooks.answer = (path) => {
    if (path.endsWith('/products/batch')) requests += 1;
    return requests >= 3 ? { status: 503, headers: {}, body: Buffer.from('away') } : null;
  };
  await give(await read(), ['B', 'A']);
  hooks.answer = () => null;
  await call('PUT', `/products/${ids[1]}`, { sku: 'TYPED' });
  assert.deepEqual(await seenSkus(), ['A', 'TYPED']);
  const seen = await read();
  await connector.writeProducts(seen.map((one) => update(one, { fields: { title: 'Other' } })));
  assert.deepEqual(await own(), ['A', 'TYPED']);
});

test('[B1] the shop is away just when a circle is to be cleared: that is tried again, and nobody is said to stand in the way', async () => {
  const { read, connector, hooks } = await open(['A', 'B']);
  const seen = await read();
  let batches = 0;
  hooks.answer = (path: string) => {
    if (path.endsWith('/products/batch')) batches += 1;
    return batches >= 2 ? { status: 503, headers: {}, body: Buffer.from('away') } : null;
  };
  const writes = seen.map((one, i) =>
    update(one, { variants: [{ externalId: one.externalId, fields: { sku: ['B', 'A'][i] ?? '' } }] }),
  );
  const answers = await connector.writeProducts(writes);
  assert.equal(batches >= 2, true);
  for (const answer of answers) assert.ok(!answer.ok && answer.error.kind !== 'rejected', 'to be tried again');
});

test("[B1] barcodes that pass round along with the SKUs arrive; what ends in between is nobody's edit, and is brought to its end by the next write", async () => {
  const { controls, read, connector, hooks, call } = await openStore();
  const codes = ['4006381333931', '4012345678901'];
  const ids = codes.map(
    (gtin, i) => controls.addProduct({ title: 'Mug', sku: `S${i}`, gtin, regularPrice: '1' }).productId,
  );
  const readAll = () => Promise.all(ids.map((id) => read(id)));
  const write = async () => {
    const writes = (await readAll()).map((one, i) => {
      const fields = { sku: `S${1 - i}`, barcode: codes[1 - i] ?? '' };
      return update(one, { variants: [{ externalId: one.externalId, fields }] });
    });
    return (await connector.writeProducts(writes)).map(({ ok }) => ok);
  };
  let batches = 0;
  hooks.answer = (path) => {
    if (path.endsWith('/products/batch')) batches += 1;
    return batches >= 5 ? { status: 503, headers: {}, body: Buffer.from('away') } : null;
  };
  assert.deepEqual(await write(), [false, false]);
  hooks.answer = () => null;
  const raw = () => Promise.all(ids.map((id) => call('GET', `/products/${id}`)));
  assert.deepEqual(
    (await raw()).map(({ global_unique_id }) => global_unique_id),
    ['', ''],
    'cleared',
  );
  assert.deepEqual(
    (await readAll()).map(({ variants: [own] }) => [own?.fields.sku, own?.fields.barcode]),
    [
      ['S0', codes[0]],
      ['S1', codes[1]],
    ],
  );
  assert.deepEqual(await write(), [true, true]);
  for (const [i, { sku, global_unique_id, meta_data }] of (await raw()).entries()) {
    assert.deepEqual([sku, global_unique_id], [`S${1 - i}`, codes[1 - i]]);
    const kept = meta_data.filter(({ key }: { key: string }) => /_twinshelf_(sku|barcode)/.test(key));
    assert.ok(kept.every(({ value }: { value: unknown }) => value === ''));
  }
});

test('a SKU that a variation gives up goes to a new one in the same write, and one that a product gives up to a new product', async () => {
  const { connector, controls, read, call } = await openStore();
  const { productId } = controls.addProduct({ title: 'Shirt', variations: [{ sku: 'S-1', options: { Size: 'S' } }] });
  const seen = await read(productId);
  const [outcome] = await connector.writeProducts([
    update(seen, {
      variants: [{ externalId: seen.variants[0]!.externalId, fields: { sku: 'S-2' } }],
      newVariants: [variant({ sku: 'S-1', optionValues: ['M'] })],
    }),
  ]);
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  assert.deepEqual(
    outcome.snapshot.variants.map(({ fields }) => [fields.sku, ...fields.optionValues]),
    [
      ['S-2', 'S'],
      ['S-1', 'M'],
    ],
  );
  assert.equal(outcome.newVariantIds[0], outcome.snapshot.variants[1]?.externalId);
  const mug = await read(controls.addProduct({ title: 'Mug', sku: 'MUG', regularPrice: '1' }).productId);
  const both = await connector.writeProducts([
    create({ title: 'New mug' }, [variant({ sku: 'MUG' })]),
    update(mug, { variants: [{ externalId: mug.externalId, fields: { sku: 'MUG-OLD' } }] }),
  ]);
  assert.deepEqual(
    both.map((one) => one.ok && one.snapshot.variants[0]?.fields.sku),
    ['MUG', 'MUG-OLD'],
  );
  assert.equal((await call('GET', `/products/${mug.externalId}`)).sku, 'MUG-OLD');
});
