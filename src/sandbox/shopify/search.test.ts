import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore } from './test-store.ts';

test('search: fields, comparators, unknown fields give every row and a warning', async () => {
  const store = createTestStore();
  const { controls } = store.sandbox;
  controls.seed(30, 1);
  controls.addProduct({ title: 'Red shoe', sku: 'AB-1', status: 'DRAFT', tags: ['sale'] });
  controls.addProduct({ title: 'Red hat', sku: 'AB-1-X' });
  const find = async (query: string) => {
    const { body } = await store.call(
      'query ($query: String!) { products(first: 250, query: $query) { nodes { title } } }',
      { query },
    );
    return {
      titles: body.data?.products.nodes.map((node: { title: string }) => node.title),
      search: body.extensions?.search,
      errors: body.errors,
    };
  };
  assert.deepEqual(
    (await find("sku:'AB-1'")).titles,
    ['Red shoe', 'Red hat'],
    'sku search is by words, so compare afterwards',
  );
  assert.deepEqual((await find('sku:ab-1-x')).titles, ['Red hat'], 'letter case is not minded');
  assert.deepEqual((await find('status:draft tag:SALE')).titles, ['Red shoe']);
  assert.deepEqual((await find('red -tag:sale')).titles, ['Red hat']);
  assert.deepEqual((await find('(title:hat OR title:shoe) AND NOT status:DRAFT')).titles, ['Red hat']);
  assert.equal((await find('title:sam*')).titles.length, 30);
  assert.equal((await find("updated_at:>='2026-11-21T10:00:00Z'")).titles.length, 2, 'the seeded catalogue is older');
  assert.equal((await find("updated_at:>='2020-01-01T00:00:00Z'")).titles.length, 32);
  assert.equal((await find("updated_at:>'2026-11-21T10:00:00Z'")).titles.length, 0, 'the index holds whole seconds');
  const unknown = await find('colour:red');
  assert.equal(unknown.titles.length, 32);
  assert.deepEqual(unknown.search[0].warnings, [
    { field: 'colour', message: 'Invalid search field for this query.', code: 'invalid_field' },
  ]);
  assert.equal((await find('updated_at:yesterday')).errors[0].extensions.code, 'BAD_REQUEST');
});

test('the search lags behind writes, reads by id do not; totalInventory lags too', async () => {
  const store = createTestStore({ searchIndexLagMs: 2_000, totalInventoryLagMs: 3_000 });
  const { productId } = store.sandbox.controls.addProduct({ title: 'New', sku: 'N-1', stock: 5 });
  const search = async () =>
    (
      await store.call(
        '{ products(first: 5, query: "sku:N-1") { nodes { id } } productVariants(first: 5, query: "sku:N-1") { nodes { id } } }',
      )
    ).body.data;
  assert.equal((await search()).products.nodes.length, 0);
  assert.equal((await search()).productVariants.nodes.length, 0);
  assert.equal(
    (await store.call('query ($id: ID!) { product(id: $id) { id } }', { id: productId })).body.data.product.id,
    productId,
  );
  await store.advance(2_000);
  assert.equal((await search()).products.nodes.length, 1);
  await store.advance(2_000);
  store.sandbox.controls.restock('N-1', 3);
  const totals = async () =>
    (
      await store.call(
        'query ($id: ID!) { product(id: $id) { totalInventory variants(first: 1) { nodes { inventoryQuantity } } } }',
        { id: productId },
      )
    ).body.data.product;
  assert.deepEqual(await totals(), { totalInventory: 5, variants: { nodes: [{ inventoryQuantity: 8 }] } });
  await store.advance(3_000);
  assert.equal((await totals()).totalInventory, 8);
});

test('pages walk every product once, in both directions, also while sorted by update', async () => {
  const store = createTestStore();
  store.sandbox.controls.seed(25, 1);
  for (const args of ['', ', sortKey: UPDATED_AT', ', reverse: true', ', sortKey: TITLE']) {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = (
        await store.call(
          `query ($after: String) { products(first: 10, after: $after${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
          { after },
        )
      ).body.data.products;
      seen.push(...page.nodes.map((node) => node.id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    assert.equal(new Set(seen).size, 25, args);
    assert.equal(seen.length, 25, args);
  }
});
