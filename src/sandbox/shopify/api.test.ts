import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore } from './test-store.ts';

const code = (answer: { body: { errors?: { extensions?: { code?: string } }[] } }) =>
  answer.body.errors?.[0]?.extensions?.code;

test('a wrong token is refused with 401 and the text of the API', async () => {
  const { call } = createTestStore();
  const answer = await call('{ shop { id } }', {}, { token: 'nope' });
  assert.equal(answer.status, 401);
  assert.deepEqual(answer.body, {
    errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
  });
});

test('answers carry version, request id and the date of the sandbox clock', async () => {
  const { call } = createTestStore();
  const answer = await call('{ shop { id } }');
  assert.equal(answer.headers['x-shopify-api-version'], '2026-10');
  assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers['date'], 'Sat, 21 Nov 2026 10:00:00 GMT');
});

test('an expired version falls forward to the oldest supported one; a future one is unknown', async () => {
  const { call } = createTestStore();
  assert.equal((await call('{ shop { id } }', {}, { version: '2024-01' })).headers['x-shopify-api-version'], '2026-01');
  assert.equal((await call('{ shop { id } }', {}, { version: '2027-04' })).status, 404);
});

test('client credentials give a token that lives for the configured time', async () => {
  const { sandbox, call, advance } = createTestStore({ clientId: 'id', clientSecret: 'secret', tokenLifeSeconds: 60 });
  const ask = (secret: string) =>
    sandbox.app.inject({
      method: 'POST',
      url: '/admin/oauth/access_token',
      payload: { client_id: 'id', client_secret: secret, grant_type: 'client_credentials' },
    });
  assert.equal((await ask('wrong')).statusCode, 400);
  const granted = (await ask('secret')).json();
  assert.equal(granted.expires_in, 59);
  assert.match(granted.scope, /write_products/);
  assert.equal((await call('{ shop { id } }', {}, { token: granted.access_token })).status, 200);
  await advance(60_000);
  assert.equal((await call('{ shop { id } }', {}, { token: granted.access_token })).status, 401);
});

test('an app of another organisation is not permitted', async () => {
  const { sandbox } = createTestStore({
    clientCredentials: 'shop_not_permitted',
    clientId: 'id',
    clientSecret: 'secret',
  });
  const form = new URLSearchParams({
    client_id: 'id',
    client_secret: 'secret',
    grant_type: 'client_credentials',
  }).toString();
  const answer = await sandbox.app.inject({
    method: 'POST',
    url: '/admin/oauth/access_token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    payload: form,
  });
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json().error, 'shop_not_permitted');
});

test('static mistakes are answered in Shopify shapes, without data', async () => {
  const { call } = createTestStore();
  const cases: [string, Record<string, unknown>][] = [
    [
      '{ product(id: "gid://shopify/Product/1") { foo } }',
      {
        message: "Field 'foo' doesn't exist on type 'Product'",
        path: ['query', 'product', 'foo'],
        extensions: { code: 'undefinedField', typeName: 'Product', fieldName: 'foo' },
      },
    ],
    [
      'query Q { product { id } }',
      {
        message: "Field 'product' is missing required arguments: id",
        path: ['query Q', 'product'],
        extensions: { code: 'missingRequiredArguments', className: 'Field', name: 'product', arguments: 'id' },
      },
    ],
    [
      '{ shop(x: 1) { id } }',
      {
        message: "Field 'shop' doesn't accept argument 'x'",
        path: ['query', 'shop', 'x'],
        extensions: { code: 'argumentNotAccepted', name: 'shop', typeName: 'Field', argumentName: 'x' },
      },
    ],
    [
      '{ products(first: "a") { nodes { id } } }',
      {
        message: "Argument 'first' on Field 'products' has an invalid value (\"a\"). Expected type 'Int'.",
        path: ['query', 'products', 'first'],
        extensions: { code: 'argumentLiteralsIncompatible', typeName: 'Field', argumentName: 'first' },
      },
    ],
    [
      'mutation { productDelete(input: {}) { deletedProductId } }',
      {
        message: "Argument 'id' on InputObject 'ProductDeleteInput' is required. Expected type ID!",
        path: ['mutation', 'productDelete', 'input'],
        extensions: {
          code: 'missingRequiredInputObjectAttribute',
          argumentName: 'id',
          argumentType: 'ID!',
          inputObjectType: 'ProductDeleteInput',
        },
      },
    ],
    [
      'mutation { productDelete(input: { id: null }) { deletedProductId } }',
      {
        message: "Argument 'id' on InputObject 'ProductDeleteInput' has an invalid value (null). Expected type 'ID!'.",
        path: ['mutation', 'productDelete', 'input', 'id'],
        extensions: { code: 'argumentLiteralsIncompatible', typeName: 'InputObject', argumentName: 'id' },
      },
    ],
    [
      '{ shop @nope { id } }',
      {
        message: 'Directive @nope is not defined',
        path: ['query', 'shop'],
        extensions: { code: 'undefinedDirective', directiveName: 'nope' },
      },
    ],
    [
      'query Q($a: Int) { shop { id } }',
      {
        message: 'Variable $a is declared by Q but not used',
        path: ['query Q'],
        extensions: { code: 'variableNotUsed', variableName: 'a' },
      },
    ],
    [
      '{ product(id: "abc") { id } }',
      {
        message: "Invalid global id 'abc'",
        path: ['query', 'product', 'id'],
        extensions: { code: 'argumentLiteralsIncompatible', typeName: 'CoercionError' },
      },
    ],
  ];
  for (const [query, expected] of cases) {
    const { status, body } = await call(query);
    assert.equal(status, 200, query);
    assert.equal('data' in body, false, query);
    const { locations, ...rest } = body.errors[0];
    assert.deepEqual(rest, expected, query);
    assert.ok(locations[0].line >= 1);
  }
  assert.match((await call('{ shop {')).body.errors[0].message, /^syntax error, unexpected end of file/);
  assert.equal((await call('{ shop }')).body.errors[0].extensions.code, 'selectionMismatch');
});

test('variables that do not fit are INVALID_VARIABLE with one problem each', async () => {
  const { run } = createTestStore();
  const answer = await run('inventory-set-quantities', {
    idempotencyKey: 'k',
    input: {
      name: 'available',
      reason: 'correction',
      ignoreCompareQuantity: true,
      quantities: [{ inventoryItemId: 'x', locationId: 'gid://shopify/Location/1', quantity: '9' }],
    },
  });
  assert.equal(code(answer), 'INVALID_VARIABLE');
  assert.match(
    answer.body.errors[0].message,
    /^Variable \$input of type InventorySetQuantitiesInput! was provided invalid value for ignoreCompareQuantity \(Field is not defined on InventorySetQuantitiesInput\)/,
  );
  assert.deepEqual(
    answer.body.errors[0].extensions.problems.map((problem: { path: unknown[] }) => problem.path),
    [['ignoreCompareQuantity'], ['quantities', 0, 'inventoryItemId'], ['quantities', 0, 'quantity']],
  );
});

test('@oneOf identifiers take exactly one key', async () => {
  const { run } = createTestStore();
  assert.equal(
    code(await run('product-by-identifier', { identifier: { handle: 'a', id: 'gid://shopify/Product/1' } })),
    'INVALID_VARIABLE',
  );
});

test('a missing scope denies its field and leaves the rest', async () => {
  const { call, sandbox } = createTestStore();
  sandbox.controls.seed(1, 1);
  sandbox.controls.setGrantedScopes(['read_products']);
  const answer = await call('{ shop { name } location { id } products(first: 1) { nodes { id } } }');
  assert.equal(answer.body.errors.length, 1);
  assert.equal(
    answer.body.errors[0].message,
    'Access denied for location field. Required access: `read_locations` access scope, `read_inventory` access scope or `read_markets_home` access scope.',
  );
  assert.equal(code(answer), 'ACCESS_DENIED');
  assert.equal(answer.body.data.location, null);
  assert.equal(answer.body.data.products.nodes.length, 1);
  assert.equal(
    code(await call('mutation { tagsAdd(id: "gid://shopify/Product/1", tags: ["a"]) { userErrors { message } } }')),
    'ACCESS_DENIED',
  );
});

test('a wrong kind of id is RESOURCE_NOT_FOUND, a deleted product null', async () => {
  const { call, sandbox } = createTestStore();
  const answer = await call('{ product(id: "gid://shopify/Order/1") { id } }');
  assert.equal(code(answer), 'RESOURCE_NOT_FOUND');
  assert.equal(answer.body.errors[0].message, 'Invalid id: gid://shopify/Order/1');
  const { productId } = sandbox.controls.addProduct({ title: 'gone' });
  sandbox.controls.deleteProduct(productId);
  const gone = await call('query ($id: ID!) { product(id: $id) { id } }', { id: productId });
  assert.deepEqual(gone.body.data, { product: null });
  assert.equal(gone.body.errors, undefined);
});

test('what the sandbox does not do is an error, never invented data', async () => {
  const { run } = createTestStore();
  const answer = await run('customer-by-id', { id: 'gid://shopify/Customer/1' });
  assert.equal(code(answer), 'INTERNAL_SERVER_ERROR');
  assert.match(answer.body.errors[0].message, /not supported by this sandbox/);
  const mutation = await run('order-close', { id: 'gid://shopify/Order/1' });
  assert.ok(mutation.body.errors?.length);
});

test('pages need first or last, not both, at most 250', async () => {
  const { call } = createTestStore();
  const message = async (args: string) =>
    (await call(`{ products${args} { nodes { id } } }`)).body.errors?.[0]?.message;
  assert.equal(await message(''), 'you must provide one of first or last');
  assert.equal(await message('(first: 1, last: 1)'), 'providing both first and last is not supported');
  assert.equal(await message('(first: 251)'), 'first cannot exceed 250');
});
