import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore, readOperation, type TestStore } from './test-store.ts';

const BULK_PRODUCTS = readOperation('bulk-query-products');

async function startQuery(store: TestStore, query: string) {
  return (await store.run('bulk-operation-run-query', { query })).body.data.bulkOperationRunQuery;
}

async function finished(store: TestStore, id: string) {
  await store.advance(5_000);
  return (await store.run('bulk-operation', { id })).body.data.bulkOperation;
}

async function download(store: TestStore, url: string) {
  const response = await store.sandbox.app.inject({ url: new URL(url).pathname });
  assert.equal(response.statusCode, 200);
  return response.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a bulk query comes out flat, children naming the row they hang under', async () => {
  const store = createTestStore();
  store.sandbox.controls.seed(300, 2);
  // Six connections are one too many: the sample document without its media.
  const text = BULK_PRODUCTS.replace(/^\s*media \{.*$/m, '');
  const started = await startQuery(store, text);
  assert.deepEqual(started.userErrors, []);
  assert.equal(started.bulkOperation.status, 'CREATED');
  const operation = await finished(store, started.bulkOperation.id);
  assert.equal(operation.status, 'COMPLETED');
  assert.equal(operation.rootObjectCount, '300');
  assert.equal(operation.objectCount, String(300 + 600 + 600));
  const rows = await download(store, operation.url);
  assert.equal(rows.length, 1_500);
  const byId = new Map(rows.map((row) => [row['id'], row]));
  const variant = rows.find((row) => String(row['id']).includes('/ProductVariant/'));
  assert.match(String(byId.get(variant?.['__parentId'])?.['title']), /^Sample product/);
  const level = rows.find((row) => String(row['id']).includes('/InventoryLevel/'));
  assert.match(String(level?.['__parentId']), /\/ProductVariant\//);
  assert.equal('variants' in (byId.get(variant?.['__parentId']) ?? {}), false);
});

test('bulk_operations/finish tells when it is over; an empty result has no url', async () => {
  const store = createTestStore();
  await store.run('webhook-subscription-create', {
    topic: 'BULK_OPERATIONS_FINISH',
    webhookSubscription: { uri: 'https://example.com/h' },
  });
  const { bulkOperation } = await startQuery(store, '{ products { edges { node { id } } } }');
  const operation = await finished(store, bulkOperation.id);
  assert.deepEqual([operation.status, operation.url, operation.objectCount], ['COMPLETED', null, '0']);
  assert.equal(JSON.parse(store.hooks[0]?.body ?? '{}').admin_graphql_api_id, bulkOperation.id);
});

test('what cannot run in bulk is refused with its reason', async () => {
  const store = createTestStore();
  const reason = async (query: string) => (await startQuery(store, query)).userErrors[0]?.message;
  assert.equal(await reason('{ shop { id } }'), 'Bulk queries must contain at least one connection.');
  assert.match(
    await reason('{ products { nodes { id } } }'),
    /^All connection fields in a bulk query must select their contents using 'edges' > 'node'/,
  );
  assert.match(
    await reason('{ products { edges { node { title variants { edges { node { id } } } } } } }'),
    /^The parent 'node' field for a nested connection must select the 'id' field/,
  );
  assert.equal(
    await reason('mutation { tagsAdd(id: "gid://shopify/Product/1", tags: []) { node { id } } }'),
    'Invalid operation type. Only `query` operations are supported.',
  );
  assert.equal(
    await reason(BULK_PRODUCTS.replace('metafields {', 'collections { edges { node { id } } } metafields {')),
    'Bulk queries cannot contain more than 5 connections.',
  );
  assert.match(await reason('{ products { edges {'), /^Invalid bulk query: syntax error, unexpected end of file/);
  assert.match(await reason(`{ products { edges { node { id } } } } # ${'x'.repeat(65_600)}`), /^Query is too large/);
});

test('five may run at once', async () => {
  const store = createTestStore({ bulkDelayMs: 1_000 });
  const started = [];
  for (let count = 0; count < 5; count += 1)
    started.push((await startQuery(store, '{ products { edges { node { id } } } }')).bulkOperation.id);
  const sixth = (await startQuery(store, '{ products { edges { node { id } } } }')).userErrors[0];
  assert.equal(sixth.code, 'OPERATION_IN_PROGRESS');
  for (const id of started) assert.ok(sixth.message.includes(id));
  await store.advance(10_000);
  assert.deepEqual((await startQuery(store, '{ products { edges { node { id } } } }')).userErrors, []);
});

async function upload(store: TestStore, content: string): Promise<string> {
  const staged = (
    await store.run('staged-uploads-create', {
      input: [{ resource: 'BULK_MUTATION_VARIABLES', filename: 'v.jsonl', mimeType: 'text/jsonl', httpMethod: 'POST' }],
    })
  ).body.data.stagedUploadsCreate.stagedTargets[0];
  const form = new FormData();
  for (const { name, value } of staged.parameters) form.append(name, value);
  form.append('file', new Blob([content], { type: 'text/jsonl' }), 'v.jsonl');
  const request = new Request(staged.url, { method: 'POST', body: form });
  const response = await store.sandbox.app.inject({
    method: 'POST',
    url: new URL(staged.url).pathname,
    headers: { 'Content-Type': request.headers.get('Content-Type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.equal(response.statusCode, 201);
  return staged.parameters.find((parameter: { name: string }) => parameter.name === 'key').value;
}

test('a bulk mutation runs its lines and numbers the answers', async () => {
  const store = createTestStore();
  const lines = [
    { input: { title: 'One' } },
    { input: { title: '' } },
    { input: { nope: 1 } },
    ...Array.from({ length: 120 }, (_, index) => ({ input: { title: `P ${index}` } })),
  ];
  const stagedUploadPath = await upload(store, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const mutation =
    'mutation call($input: ProductSetInput!) { productSet(input: $input) { product { id title } userErrors { field message } } }';
  const started = (await store.run('bulk-operation-run-mutation', { mutation, stagedUploadPath })).body.data
    .bulkOperationRunMutation;
  assert.deepEqual(started.userErrors, []);
  const operation = await finished(store, started.bulkOperation.id);
  assert.equal(operation.status, 'COMPLETED');
  const rows = await download(store, operation.url);
  assert.equal(rows.length, lines.length);
  assert.deepEqual(
    rows.map((row) => row['__lineNumber']),
    lines.map((_, index) => index),
  );
  const [first, second, third] = rows as {
    data?: { productSet: { product: { title: string } | null; userErrors: unknown[] } };
    errors?: unknown[];
  }[];
  assert.equal(first?.data?.productSet.product?.title, 'One');
  assert.equal(second?.data?.productSet.userErrors.length, 1);
  assert.equal(third?.errors?.length, 1);
  assert.equal(store.sandbox.controls.listShelf().length, 121);
});

test('bulk mutations are checked: file, single root, allowed name', async () => {
  const store = createTestStore();
  const reason = async (mutation: string, stagedUploadPath = 'tmp/none') =>
    (await store.run('bulk-operation-run-mutation', { mutation, stagedUploadPath })).body.data.bulkOperationRunMutation
      .userErrors[0];
  const tags = 'tagsAdd(id: "gid://shopify/Product/1", tags: []) { userErrors { message } }';
  assert.equal((await reason(`mutation { ${tags} }`)).code, 'NO_SUCH_FILE');
  assert.equal((await reason(`mutation { ${tags} }`, await upload(store, ''))).code, 'INVALID_STAGED_UPLOAD_FILE');
  assert.equal(
    (await reason(`mutation { a: ${tags} b: ${tags} }`)).message,
    'You must specify a single top level mutation.',
  );
  assert.equal(
    (await reason('mutation { bulkOperationCancel(id: "gid://shopify/BulkOperation/1") { userErrors { message } } }'))
      .message,
    'You must use an allowed mutation name.',
  );
  assert.match((await reason('mutation { tagsAdd')).message, /^Failed to parse the mutation - syntax error/);
});
