import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore } from './test-client.ts';

async function withProduct(fields: object = {}) {
  const store = createTestStore();
  const { body } = await store.call('POST', '/products', { name: 'p', sku: 'P-1', regular_price: '10.00', ...fields });
  const put = async (change: object) => (await store.call('PUT', `/products/${body.id}`, change)).body;
  return { ...store, id: body.id as number, put };
}

test('prices: a comma makes 1999, letters make nothing', async () => {
  const { put } = await withProduct();
  assert.equal((await put({ regular_price: '19,99' })).regular_price, '1999');
  assert.equal((await put({ regular_price: 'abc' })).regular_price, '');
  assert.equal((await put({ regular_price: '1.234.56' })).regular_price, '1234.56');
});

test('a sale for nothing that is written "0" is answered as none by products, and charged; variations answer it', async () => {
  const { put, call } = await withProduct({ type: 'simple' });
  const sold = async (sale_price: string) => {
    const { sale_price: told, price, on_sale } = await put({ sale_price });
    return [told, Number(price), on_sale];
  };
  assert.deepEqual(await sold('0'), ['', 0, true]);
  assert.deepEqual(await sold('0.00'), ['0.00', 0, true]);
  assert.deepEqual(await sold(''), ['', 10, false]);
  const attributes = [{ name: 'Size', options: ['S'], variation: true }];
  const { body: parent } = await call('POST', '/products', { name: 'v', type: 'variable', attributes });
  const { body: child } = await call('POST', `/products/${parent.id}/variations`, {
    regular_price: '10',
    sale_price: '0',
    attributes: [{ name: 'Size', option: 'S' }],
  });
  assert.deepEqual([child.sale_price, child.price, child.on_sale], ['0', '0', true]);
});

test('a store with a decimal comma understands it', async () => {
  const { call } = createTestStore({ decimalSeparator: ',' });
  const { body } = await call('POST', '/products', { name: 'p', regular_price: '19,99' });
  assert.equal(body.regular_price, '19.99');
});

test('stock without manage_stock is ignored; null becomes 0', async () => {
  const { put } = await withProduct();
  const ignored = await put({ stock_quantity: 5 });
  assert.equal(ignored.stock_quantity, null);
  assert.equal(ignored.manage_stock, false);
  assert.equal((await put({ manage_stock: true, stock_quantity: 5 })).stock_quantity, 5);
  const emptied = await put({ stock_quantity: null });
  assert.equal(emptied.stock_quantity, 0);
  assert.equal(emptied.stock_status, 'outofstock');
});

test('sku: null erases the SKU, and frees it', async () => {
  const { put, call } = await withProduct();
  assert.equal((await put({ sku: null })).sku, '');
  assert.equal((await call('POST', '/products', { name: 'q', sku: 'P-1' })).status, 201);
});

test('in a batch null is "not set" and types are not checked', async () => {
  const { call, id } = await withProduct();
  const { body } = await call('POST', '/products/batch', { update: [{ id, sku: null, regular_price: 12.5 }] });
  assert.equal(body.update[0].sku, 'P-1');
  assert.equal(body.update[0].regular_price, '12.5');
});

test('an unknown category makes Uncategorized, an unknown tag id nothing', async () => {
  const { put } = await withProduct();
  const changed = await put({ categories: [{ id: 4711 }], tags: [{ id: 4711 }] });
  assert.deepEqual(
    changed.categories.map((item: { slug: string }) => item.slug),
    ['uncategorized'],
  );
  assert.deepEqual(changed.tags, []);
});

test('a GTIN keeps its digits only', async () => {
  const { put } = await withProduct();
  assert.equal((await put({ global_unique_id: 'no number' })).global_unique_id, '');
  assert.equal((await put({ global_unique_id: '4006381333931' })).global_unique_id, '4006381333931');
});

test('a duplicate SKU is refused with the id of the holder, and nothing else is written', async () => {
  const { call, id } = await withProduct();
  const refused = await call('POST', '/products', { name: 'q', sku: 'p-1' });
  assert.equal(refused.status, 400);
  assert.deepEqual([refused.body.code, refused.body.data.resource_id], ['product_invalid_sku', id]);
  const other = (await call('POST', '/products', { name: 'before', sku: 'Q' })).body;
  await call('PUT', `/products/${other.id}`, { name: 'after', sku: 'P-1' });
  assert.equal((await call('GET', `/products/${other.id}`)).body.name, 'before');
});

test('what is in the bin keeps its SKU from new products alone, by words and without an id, and its GTIN from nobody', async () => {
  const { call, put, id } = await withProduct();
  await put({ global_unique_id: '4006381333931' });
  await call('DELETE', `/products/${id}`);
  assert.equal((await call('GET', '/products?sku=P-1')).body.length, 0, 'hidden from the look-up');
  const refused = await call('POST', '/products', { name: 'q', sku: 'p-1' });
  assert.deepEqual([refused.status, refused.body.code], [400, 'woocommerce_rest_product_not_created']);
  assert.match(refused.body.message, /SKU \(p-1\) .* already present in the lookup table/);
  assert.equal(refused.body.data.resource_id, undefined);
  const other = (await call('POST', '/products', { name: 'q', sku: 'Q', global_unique_id: '4006381333931' })).body;
  assert.equal((await call('PUT', `/products/${other.id}`, { sku: 'P-1' })).status, 200);
  const parent = (await call('POST', '/products', { name: 'v', type: 'variable' })).body;
  assert.equal(
    (await call('POST', `/products/${parent.id}/variations`, { sku: 'P-1' })).status,
    400,
    'of one that is there',
  );
  await call('PUT', `/products/${other.id}`, { sku: 'Q' });
  assert.equal((await call('POST', `/products/${parent.id}/variations`, { sku: 'P-1' })).status, 201);
  // By the API it comes out of the bin as it was, and both bear the code.
  await put({ status: 'publish' });
  assert.deepEqual(
    (await call('GET', '/products?global_unique_id=4006381333931')).body.map((hit: { id: number }) => hit.id).sort(),
    [id, other.id].sort(),
  );
});

test('a person takes it out of the bin: a product whose codes are taken gives way, a variation does not', async () => {
  const { call, sandbox } = createTestStore();
  const codes = { sku: 'P-1', global_unique_id: '4006381333931' };
  const { id } = (await call('POST', '/products', { name: 'p', ...codes })).body;
  const parent = (await call('POST', '/products', { name: 'v', type: 'variable' })).body;
  const own = { sku: 'V-1', global_unique_id: '96385074' };
  const { id: variation } = (await call('POST', `/products/${parent.id}/variations`, own)).body;
  for (const each of [id, parent.id]) sandbox.controls.trashProduct(each);
  const { id: first } = (
    await call('POST', '/products', { name: 'q', sku: 'Q', global_unique_id: codes.global_unique_id })
  ).body;
  await call('PUT', `/products/${first}`, { sku: 'P-1' });
  const { id: second } = (
    await call('POST', '/products', { name: 'r', sku: 'R', global_unique_id: own.global_unique_id })
  ).body;
  await call('PUT', `/products/${second}`, { sku: 'V-1' });
  for (const each of [id, parent.id]) sandbox.controls.restoreProduct(each);
  const codesOf = ({ sku, global_unique_id }: typeof codes) => [sku, global_unique_id];
  assert.deepEqual(codesOf((await call('GET', `/products/${id}`)).body), ['P-1-1', '']);
  assert.deepEqual(codesOf((await call('GET', `/products/${parent.id}/variations/${variation}`)).body), [
    'V-1',
    '96385074',
  ]);
});

test('meta: scalars come back as strings, null is dropped, a key replaces, an id changes', async () => {
  const { put } = await withProduct({
    meta_data: [
      { key: 'n', value: 5 },
      { key: 'b', value: true },
      { key: 'gone', value: null },
    ],
  });
  const first = (await put({})).meta_data;
  assert.deepEqual(
    first.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    [
      ['n', '5'],
      ['b', '1'],
    ],
  );
  const second = (
    await put({
      meta_data: [
        { key: 'n', value: [1, { a: 2 }] },
        { id: first[1].id, key: 'b', value: 0.5 },
      ],
    })
  ).meta_data;
  assert.deepEqual(second, [
    { id: first[0].id, key: 'n', value: [1, { a: 2 }] },
    { id: first[1].id, key: 'b', value: '0.5' },
  ]);
});

test('a sale that is none is dropped, also by a regular price that is sent alone', async () => {
  const { put } = await withProduct({ regular_price: '10' });
  const sold = async (change: object) => (await put(change)).sale_price;
  assert.deepEqual([await sold({ sale_price: '10' }), await sold({ sale_price: '8' })], ['', '8']);
  assert.equal(await sold({ regular_price: '7' }), '');
});

test('titles keep entities, HTML is filtered, reading adds paragraphs, editing does not', async () => {
  const { put, call, id } = await withProduct();
  const changed = await put({
    name: ' Salt & "Pepper" ',
    description: 'one\n\ntwo<script>x()</script><p onclick="y">three</p>',
    short_description: "it's",
  });
  assert.equal(changed.name, 'Salt &amp; "Pepper"');
  assert.equal(changed.description, 'one\n\ntwox()<p>three</p>');
  const viewed = (await call('GET', `/products/${id}`)).body;
  assert.equal(viewed.description, '<p>one</p>\n<p>twox()</p>\n<p>three</p>\n');
  assert.equal(viewed.short_description, '<p>it&#8217;s</p>\n');
  assert.equal((await call('GET', `/products/${id}?context=edit`)).body.short_description, "it's");
});

test('what stands between a bare "<" and the next ">" is taken for a tag, unless another "<" comes before', async () => {
  const { put } = await withProduct();
  const { description } = await put({ description: '<p>4 < 5 and 7 > 6</p><!-- c --> 5 < <b>6\u0007</b> > 3' });
  assert.equal(description, '<p>4  6</p><!-- c --> 5 &lt; <b>6</b> &gt; 3');
});

test('a comment that holds a tag is shown, one that nothing ends swallows what follows, and of a name the first attribute counts', async () => {
  const { put } = await withProduct();
  const described = async (description: string) => (await put({ description })).description;
  assert.equal(await described('a<!-- <b>x</b> -->'), 'a&lt;!-- <b>x</b> --&gt;');
  assert.equal(await described('<!--[if x]>a<!-->b'), '<!--[if x]&gt;a&gt;-->b');
  assert.equal(await described('<!--[if x]>a'), '<!--[if x]&gt;a-->');
  assert.equal(await described('<p title="a"class=b title="c" "d">x</p>'), '<p title="a" class="b">x</p>');
});

test('a blank title kills the request, an empty one becomes "Product"', async () => {
  const { call, put } = await withProduct();
  assert.equal((await call('POST', '/products', { name: '   ' })).status, 500);
  const batch = await call('POST', '/products/batch', { create: [{ name: 'applied', sku: 'FIRST' }, { name: '   ' }] });
  assert.equal(batch.status, 500);
  assert.equal((await call('GET', '/products?sku=FIRST')).body.length, 1);
  assert.equal((await call('POST', '/products', { name: '' })).body.name, 'Product');
  assert.equal((await call('POST', '/products', { name: '0' })).body.name, 'Product');
  assert.equal((await put({ name: '  ' })).name, 'p');
});

test('the modification date moves on every kind of write, an empty one too', async () => {
  const { put, clock, call, id } = await withProduct({ manage_stock: true, stock_quantity: 3 });
  let last = (await call('GET', `/products/${id}`)).body.date_modified_gmt;
  for (const change of [{}, { meta_data: [{ key: 'k', value: 'v' }] }, { stock_quantity: 3 }]) {
    clock.nowMs += 1000;
    const { date_modified_gmt: now } = await put(change);
    assert.ok(now > last);
    last = now;
  }
  clock.nowMs += 1000;
  await call('POST', '/orders', { status: 'processing', line_items: [{ product_id: id, quantity: 1 }] });
  assert.ok((await call('GET', `/products/${id}`)).body.date_modified_gmt > last, 'a sale moves it too');
});

async function withVariation(parent: object = {}, variation: object = {}) {
  const store = createTestStore();
  const attributes = [{ name: 'Size', visible: true, variation: true, options: ['S', 'M'] }];
  const product = (
    await store.call('POST', '/products', { name: 'v', type: 'variable', sku: 'V', attributes, ...parent })
  ).body;
  const path = `/products/${product.id}/variations`;
  const child = (
    await store.call('POST', path, { regular_price: '5.00', attributes: [{ name: 'Size', option: 'S' }], ...variation })
  ).body;
  return { ...store, product, child, path };
}

test("a variation without a SKU or weight reports its parent's", async () => {
  const { child, call, path } = await withVariation({ weight: '2' });
  assert.equal(child.sku, 'V');
  assert.equal(child.weight, '2');
  const own = (await call('PUT', `${path}/${child.id}`, { sku: 'V-S', weight: '1' })).body;
  assert.equal(own.sku, 'V-S');
  assert.equal(own.weight, '1');
});

test('manage_stock "parent" shows when the parent counts, and writing it counts as no', async () => {
  const { child, call, path } = await withVariation({ manage_stock: true, stock_quantity: 9 });
  assert.equal(child.manage_stock, 'parent');
  assert.equal(child.stock_quantity, 9);
  const written = (await call('PUT', `${path}/${child.id}`, { manage_stock: 'parent', stock_quantity: 4 })).body;
  assert.equal(written.manage_stock, 'parent');
  assert.equal(written.stock_quantity, 9);
  const own = (await call('PUT', `${path}/${child.id}`, { manage_stock: true, stock_quantity: 4 })).body;
  assert.equal(own.manage_stock, true);
  assert.equal(own.stock_quantity, 4);
});

test('a variation PUT touches its parent; duplicate combinations are accepted', async () => {
  const { product, child, call, path, clock } = await withVariation();
  clock.nowMs += 5000;
  await call('PUT', `${path}/${child.id}`, { regular_price: '6.00' });
  const parent = (await call('GET', `/products/${product.id}`)).body;
  assert.ok(parent.date_modified_gmt > product.date_modified_gmt);
  const twin = await call('POST', path, { attributes: [{ name: 'Size', option: 'S' }] });
  assert.equal(twin.status, 201);
});

test('a variation that is written in a batch of another product is moved there; a write of it alone is refused', async () => {
  const { call } = createTestStore();
  const attributes = [{ name: 'Size', options: ['S'], variation: true }];
  const [{ body: from }, { body: to }] = [
    await call('POST', '/products', { name: 'a', type: 'variable', attributes }),
    await call('POST', '/products', { name: 'b', type: 'variable', attributes }),
  ];
  const { body: own } = await call('POST', `/products/${from.id}/variations`, { regular_price: '1' });
  const variationsOf = async ({ id }: { id: number }) => (await call('GET', `/products/${id}`)).body.variations;
  assert.equal((await call('PUT', `/products/${to.id}/variations/${own.id}`, { regular_price: '2' })).status, 400);
  assert.deepEqual([await variationsOf(from), await variationsOf(to)], [[own.id], []]);
  const update = [{ id: own.id, regular_price: '2' }];
  const { body } = await call('POST', `/products/${to.id}/variations/batch`, { update });
  assert.deepEqual([body.update[0].regular_price, body.update[0].parent_id], ['2', to.id]);
  assert.deepEqual([await variationsOf(from), await variationsOf(to)], [[], [own.id]]);
  assert.equal((await call('GET', `/products/${from.id}/variations/${own.id}`)).status, 404);
});

test('variations are not to be written through /products', async () => {
  const { child, call } = await withVariation();
  const single = await call('PUT', `/products/${child.id}`, { name: 'x' });
  assert.equal(single.status, 404);
  assert.equal(single.body.code, 'woocommerce_rest_invalid_product_id');
  const batch = await call('POST', '/products/batch', { update: [{ id: child.id, name: 'x' }] });
  assert.equal(batch.body.update[0].error.code, 'woocommerce_rest_invalid_product_id');
  assert.equal((await call('GET', `/products/${child.id}`)).body.type, 'variation', 'reading works');
});

test('two inventory deltas at once can lose one of them', async () => {
  const exact = await withProduct({ manage_stock: true, stock_quantity: 10 });
  await Promise.all([exact.put({ inventory_delta: -1 }), exact.put({ inventory_delta: -1 })]);
  assert.equal((await exact.put({})).stock_quantity, 8);
  const store = createTestStore({ racyDelta: true });
  const { id } = (await store.call('POST', '/products', { name: 'p', manage_stock: true, stock_quantity: 10 })).body;
  await Promise.all([1, 2].map(() => store.call('PUT', `/products/${id}`, { inventory_delta: -1 })));
  assert.equal((await store.call('GET', `/products/${id}`)).body.stock_quantity, 9);
});

test('a new status takes a product out of the trash and leaves its variations in it; the admin area takes both', async () => {
  const { call, sandbox } = createTestStore();
  const { controls } = sandbox;
  const { productId, variationIds } = controls.addProduct({
    title: 'Shirt',
    variations: ['S', 'M'].map((size) => ({ regularPrice: '9', options: { Size: size } })),
  });
  const shown = async () => (await call('GET', `/products/${productId}`)).body.variations;
  controls.trashProduct(productId);
  const [inTrash] = (await call('GET', `/products/${productId}/variations?status=trash`)).body;
  assert.equal(
    inTrash.meta_data.find((entry: { key: string }) => entry.key === '_wp_trash_meta_status')?.value,
    'publish',
  );
  await call('PUT', `/products/${productId}`, { status: 'publish' });
  assert.deepEqual(await shown(), []);
  controls.trashProduct(productId);
  controls.restoreProduct(productId);
  assert.deepEqual(await shown(), variationIds);
  assert.equal((await call('GET', `/products/${productId}`)).body.status, 'publish');
});
