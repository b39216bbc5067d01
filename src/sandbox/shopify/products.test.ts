import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore, type TestStore } from './test-store.ts';

const sizes = (...names: string[]) => ({
  productOptions: [{ name: 'Size', values: names.map((name) => ({ name })) }],
  variants: names.map((name) => ({ optionValues: [{ optionName: 'Size', name }], sku: `S-${name}`, price: '10' })),
});

async function setProduct(store: TestStore, input: Record<string, unknown>, identifier?: Record<string, unknown>) {
  const { body } = await store.run('product-set', { input, ...(identifier ? { identifier } : {}) });
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  return body.data.productSet as {
    product: {
      id: string;
      handle: string;
      variants: { nodes: { id: string; sku: string | null; inventoryItem: { tracked: boolean } }[] };
    } | null;
    userErrors: { code: string; field: string[]; message: string }[];
  };
}

const errorOf = (answer: { userErrors: { code: string; field: string[]; message: string }[] }) => {
  const error = answer.userErrors[0];
  return error ? [error.code, error.field?.join('.'), error.message] : null;
};

test('productSet creates with defaults: untracked, stocked with 0 at the first location, ACTIVE but not published', async () => {
  const store = createTestStore();
  const { product } = await setProduct(store, { title: 'Tee', ...sizes('S', 'M') });
  assert.ok(product);
  const row = (
    await store.call(
      'query ($id: ID!) { product(id: $id) { status publishedAt handle availablePublicationsCount { count } variants(first: 5) { nodes { title price inventoryItem { tracked inventoryLevels(first: 5) { nodes { quantities(names: ["available"]) { quantity } location { id } } } } } } } }',
      { id: product.id },
    )
  ).body.data.product;
  assert.equal(row.status, 'ACTIVE');
  assert.equal(row.publishedAt, null);
  assert.equal(row.availablePublicationsCount.count, 0);
  assert.equal(row.handle, 'tee');
  assert.deepEqual(row.variants.nodes[0], {
    title: 'S',
    price: '10.00',
    inventoryItem: {
      tracked: false,
      inventoryLevels: { nodes: [{ quantities: [{ quantity: 0 }], location: { id: store.locationId() } }] },
    },
  });
});

test('productSet: lists replace, omitted lists stay, ids survive', async () => {
  const store = createTestStore();
  const first = await setProduct(store, { title: 'Tee', tags: ['b', 'A', 'a'], ...sizes('S', 'M') });
  const id = first.product?.id ?? '';
  const kept = first.product?.variants.nodes[1]?.id;
  const second = await setProduct(store, { ...sizes('M', 'L') }, { id });
  assert.deepEqual(second.userErrors, []);
  assert.equal(second.product?.variants.nodes[0]?.id, kept);
  assert.deepEqual(
    second.product?.variants.nodes.map((variant) => variant.sku),
    ['S-M', 'S-L'],
  );
  const third = await setProduct(store, { title: 'Other title' }, { id });
  assert.equal(third.product?.variants.nodes.length, 2);
  assert.equal(third.product?.handle, 'tee');
  const tags = (await store.call('query ($id: ID!) { product(id: $id) { tags } }', { id })).body.data.product.tags;
  assert.deepEqual(tags, ['A', 'b']);
});

test('productSet refuses what the real one refuses', async () => {
  const store = createTestStore();
  const { product } = await setProduct(store, { title: 'Tee', ...sizes('S') });
  const id = product?.id ?? '';
  const options = sizes('S').productOptions;
  assert.deepEqual(errorOf(await setProduct(store, { productOptions: options }, { id })), [
    'VARIANTS_INPUT_MISSING',
    'input.variants',
    'Variants input is required when updating product options',
  ]);
  assert.deepEqual(errorOf(await setProduct(store, { id, title: 'x' }, { id })), [
    'ID_NOT_ALLOWED',
    'input',
    'The id field is not allowed if identifier is provided.',
  ]);
  assert.deepEqual(errorOf(await setProduct(store, { title: 'x' }, { id: 'gid://shopify/Product/1' })), [
    'PRODUCT_DOES_NOT_EXIST',
    'identifier.id',
    'Product does not exist',
  ]);
  assert.equal(errorOf(await setProduct(store, { title: 'x', ...sizes('S', 'S') }))?.[0], 'DUPLICATED_OPTION_VALUE');
  const twice = sizes('M');
  const duplicate = await setProduct(store, {
    title: 'x',
    productOptions: twice.productOptions,
    variants: [...twice.variants, ...twice.variants],
  });
  assert.deepEqual(errorOf(duplicate)?.slice(1), [
    'input.variants.1',
    "The variant 'M' already exists. Please change at least one option value.",
  ]);
  const slash = await setProduct(store, {
    title: 'x',
    productOptions: [{ name: 'A / B', values: [{ name: '1' }] }],
    variants: [{ optionValues: [{ optionName: 'A / B', name: '1' }] }],
  });
  assert.deepEqual(errorOf(slash), [
    'INVALID_INPUT',
    'input.productOptions.0.name',
    "The name contains unsupported sequence ' / '",
  ]);
  const four = {
    productOptions: ['a', 'b', 'c', 'd'].map((name) => ({ name, values: [{ name: '1' }] })),
    variants: [{ optionValues: ['a', 'b', 'c', 'd'].map((optionName) => ({ optionName, name: '1' })) }],
  };
  assert.equal(errorOf(await setProduct(store, { title: 'x', ...four }))?.[0], 'OPTIONS_OVER_LIMIT');
  assert.equal(
    errorOf(await setProduct(store, { title: 'x'.repeat(256) }))?.[2],
    'is too long (maximum is 255 characters)',
  );
  const taken = await setProduct(store, { title: 'Other', handle: ' TEE ' });
  assert.deepEqual(errorOf(taken), [
    'HANDLE_NOT_UNIQUE',
    'input.handle',
    "Handle ' TEE ' already in use. Please provide a new handle.",
  ]);
  assert.equal(taken.product, null);
  const other = await setProduct(store, { title: 'Other' });
  const clash = await setProduct(store, { handle: 'tee' }, { id: other.product?.id ?? '' });
  assert.equal(clash.product?.id, other.product?.id, 'a refused update hands back the unchanged product');
  assert.equal(clash.userErrors.length, 1);
});

test('generated handles count up, Unicode stays, a blank one is made anew', async () => {
  const store = createTestStore();
  const handle = async (input: Record<string, unknown>, identifier?: Record<string, unknown>) =>
    (await setProduct(store, input, identifier)).product?.handle;
  assert.equal(await handle({ title: 'Café 100% Größe!' }), 'café-100-größe');
  assert.equal(await handle({ title: 'Mug' }), 'mug');
  assert.equal(await handle({ title: 'Mug' }), 'mug-1');
  assert.equal(await handle({ title: 'Mug' }), 'mug-2');
  const { product } = await setProduct(store, { title: 'Bowl' });
  assert.equal(await handle({ title: 'Plate' }, { id: product?.id }), 'bowl');
  assert.equal(await handle({ handle: '' }, { id: product?.id }), 'plate');
});

test('custom ids need a definition of type id, then they upsert', async () => {
  const store = createTestStore();
  const customId = { namespace: 'twinshelf', key: 'woo_id', value: '5' };
  const missing = await store.run('product-set', { identifier: { customId }, input: { title: 'a' } });
  assert.equal(missing.body.errors[0].extensions.code, 'NOT_FOUND');
  assert.match(missing.body.errors[0].message, /definition of type 'id' is required/);
  const definition = { name: 'Woo', namespace: 'twinshelf', key: 'woo_id', ownerType: 'PRODUCT', type: 'id' };
  const off = await store.run('metafield-definition-create', {
    definition: { ...definition, capabilities: { uniqueValues: { enabled: false } } },
  });
  assert.equal(off.body.data.metafieldDefinitionCreate.userErrors[0].code, 'CAPABILITY_REQUIRED_BUT_DISABLED');
  await store.run('metafield-definition-create', { definition });
  const created = await setProduct(store, { title: 'a' }, { customId });
  const again = await setProduct(store, { title: 'b' }, { customId });
  assert.equal(again.product?.id, created.product?.id);
  const mismatch = await setProduct(
    store,
    { metafields: [{ namespace: 'twinshelf', key: 'woo_id', type: 'id', value: '6' }] },
    { customId },
  );
  assert.equal(errorOf(mismatch)?.[0], 'METAFIELD_MISMATCH');
  const other = await setProduct(store, { title: 'other' });
  const stolen = await store.run('metafields-set', {
    metafields: [{ ownerId: other.product?.id, namespace: 'twinshelf', key: 'woo_id', type: 'id', value: '5' }],
  });
  assert.equal(stolen.body.data.metafieldsSet.userErrors[0].code, 'CAPABILITY_VIOLATION');
});

test('metafieldsSet compares digests: create only, stale, absent', async () => {
  const store = createTestStore();
  const ownerId = (await setProduct(store, { title: 'a' })).product?.id;
  const base = { ownerId, namespace: 'custom', key: 'note', type: 'single_line_text_field' };
  const set = async (metafield: Record<string, unknown>) =>
    (await store.run('metafields-set', { metafields: [{ ...base, ...metafield }] })).body.data.metafieldsSet;
  assert.equal((await set({ value: 'x', compareDigest: 'abc' })).userErrors[0].code, 'INVALID_COMPARE_DIGEST');
  const { compareDigest } = (await set({ value: 'x', compareDigest: null })).metafields[0];
  assert.equal((await set({ value: 'y', compareDigest: null })).userErrors[0].code, 'STALE_OBJECT');
  assert.deepEqual((await set({ value: 'x', compareDigest: 'wrong' })).userErrors, []);
  assert.deepEqual((await set({ value: 'y', compareDigest })).userErrors, []);
  assert.equal((await set({ value: 'z', compareDigest })).userErrors[0].code, 'STALE_OBJECT');
});

test('productVariantsBulkCreate DEFAULT drops the lone default variant, update refuses quantities', async () => {
  const store = createTestStore();
  const { productId, variantIds } = store.sandbox.controls.addProduct({ title: 'Mug', sku: 'M' });
  const create = async (variables: Record<string, unknown>) =>
    (await store.run('product-variants-bulk-create', { productId, ...variables })).body.data.productVariantsBulkCreate;
  const added = await create({ variants: [{ optionValues: [{ optionName: 'Title', name: 'Blue' }] }] });
  assert.deepEqual(added.userErrors, []);
  assert.deepEqual(
    store.sandbox.controls.listShelf().map((row) => row.variantTitle),
    ['Blue'],
  );
  assert.equal(
    (await create({ variants: [{ optionValues: [{ optionName: 'Title', name: 'Blue' }] }] })).userErrors[0].code,
    'VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE',
  );
  assert.equal((await create({ variants: [{ optionValues: [] }] })).userErrors[0].code, 'NEED_TO_ADD_OPTION_VALUES');
  const update = async (variant: Record<string, unknown>) =>
    (await store.run('product-variants-bulk-update', { productId, variants: [variant] })).body.data
      .productVariantsBulkUpdate.userErrors[0];
  assert.equal((await update({ id: variantIds[0], price: '1' })).code, 'PRODUCT_VARIANT_DOES_NOT_EXIST');
  assert.equal((await update({ price: '1' })).code, 'PRODUCT_VARIANT_ID_MISSING');
  const id = added.productVariants[0].id;
  assert.equal((await update({ id, price: '-1' })).code, 'GREATER_THAN_OR_EQUAL_TO');
  assert.equal(
    (await update({ id, inventoryQuantities: [{ locationId: store.locationId(), availableQuantity: 1 }] })).code,
    'NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE',
  );
  const last = (await store.run('product-variants-bulk-delete', { productId, variantsIds: [id] })).body.data
    .productVariantsBulkDelete;
  assert.equal(last.userErrors[0].code, 'CANNOT_DELETE_LAST_VARIANT');
});

test('deleting: unknown id is a user error, an asynchronous delete refuses a second one', async () => {
  const store = createTestStore();
  const unknown = (await store.run('product-delete', { id: 'gid://shopify/Product/1' })).body.data.productDelete;
  assert.equal(unknown.userErrors[0].message, 'Product does not exist');
  const { productId } = store.sandbox.controls.addProduct({ title: 'a' });
  const remove =
    'mutation ($id: ID!) { productDelete(input: { id: $id }, synchronous: false) { userErrors { message } } }';
  assert.deepEqual((await store.call(remove, { id: productId })).body.data.productDelete.userErrors, []);
  assert.match(
    (await store.call(remove, { id: productId })).body.data.productDelete.userErrors[0].message,
    /^Another operation already in progress/,
  );
  await store.advance(1_000);
  assert.equal(
    (await store.call('query ($id: ID!) { product(id: $id) { id } }', { id: productId })).body.data.product,
    null,
  );
});

test('descriptions are stored as sent, bad media kill a create, media become READY', async () => {
  const store = createTestStore();
  const create =
    'mutation ($product: ProductCreateInput!, $media: [CreateMediaInput!]) { productCreate(product: $product, media: $media) { product { id descriptionHtml media(first: 5) { nodes { status ... on MediaImage { image { url } } } } } userErrors { field message } } }';
  const html = '<p>x</p><script>alert(1)</script>';
  const made = (await store.call(create, { product: { title: 'a', descriptionHtml: html } })).body.data.productCreate;
  assert.equal(made.product.descriptionHtml, html);
  const media = [{ mediaContentType: 'IMAGE', originalSource: 'not a url' }];
  const refused = (await store.call(create, { product: { title: 'b' }, media })).body.data.productCreate;
  assert.equal(refused.product, null);
  assert.deepEqual(refused.userErrors[0].field, ['media', '0', 'originalSource']);
  const media2 = [{ mediaContentType: 'IMAGE', originalSource: 'https://example.com/broken.jpg' }];
  const failing = (await store.call(create, { product: { title: 'c' }, media: media2 })).body.data.productCreate
    .product;
  assert.deepEqual(failing.media.nodes[0], { status: 'UPLOADED', image: null });
  await store.advance(1_000);
  const later = await store.call('query ($id: ID!) { product(id: $id) { media(first: 1) { nodes { status } } } }', {
    id: failing.id,
  });
  assert.equal(later.body.data.product.media.nodes[0].status, 'FAILED');
});
