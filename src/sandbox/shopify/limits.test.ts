import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Kind } from 'graphql';
import { requestedQueryCost, type VariableValues } from './graphql/query-cost.ts';
import { prepareDocument } from './graphql/run-request.ts';
import { loadSchema } from './schema/load-schema.ts';
import { createTestStore, readOperation, TEST_TOKEN } from './test-store.ts';

const code = (answer: { body: { errors?: { extensions?: { code?: string } }[] } }) =>
  answer.body.errors?.[0]?.extensions?.code;

test('the requested cost of the 80 operations with an estimate is that estimate, refundCreate apart', () => {
  const { schema } = loadSchema();
  const text = readFileSync(new URL('./fixtures/operations-costs.txt', import.meta.url), 'utf8');
  const expected = new Map(
    [...text.matchAll(/^(\S+)\.graphql \| (\d+) \|/gm)].map((match) => [match[1] ?? '', Number(match[2])]),
  );
  // The estimate has 10 for refundCreate; twenty was recorded live.
  expected.set('refund-create', 20);
  assert.equal(expected.size, 80);
  for (const [name, cost] of expected) {
    const { operations, fragments, errors } = prepareDocument(readOperation(name));
    assert.deepEqual(errors, [], name);
    const operation = operations[0];
    assert.ok(operation);
    const coerced: Record<string, unknown> = {};
    for (const definition of operation.variableDefinitions ?? []) {
      if (definition.defaultValue?.kind === Kind.INT)
        coerced[definition.variable.name.value] = Number(definition.defaultValue.value);
    }
    assert.equal(
      requestedQueryCost(schema, operation, fragments, { coerced, sources: {} } as VariableValues),
      cost,
      name,
    );
  }
});

test('the actual cost follows what came back and the difference is given back', async () => {
  const { call, sandbox } = createTestStore();
  sandbox.controls.seed(1, 1);
  const { cost } = (await call('{ products(first: 10) { nodes { id } pageInfo { hasNextPage } } }')).body.extensions;
  assert.deepEqual(cost, {
    requestedQueryCost: 6,
    actualQueryCost: 3,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1997, restoreRate: 100 },
  });
});

test('nodes(ids) is charged as one object', async () => {
  const { run, sandbox } = createTestStore();
  sandbox.controls.seed(3, 1);
  const ids = sandbox.controls.listShelf().map((row) => row.productId);
  const answer = await run('products-by-ids', { ids });
  assert.equal(answer.body.data.nodes.length, 3);
  assert.equal(answer.body.extensions.cost.requestedQueryCost, 6);
});

test('an empty bucket answers THROTTLED with HTTP 200 and fills up again', async () => {
  const { call, advance, sandbox } = createTestStore({ bucketPoints: 12, restorePointsPerSecond: 5 });
  const query = '{ products(first: 50) { nodes { id } } }';
  assert.equal(code(await call(query)), undefined);
  await call('mutation { tagsAdd(id: "gid://shopify/Product/1", tags: ["a"]) { userErrors { message } } }');
  const throttled = await call(query);
  assert.equal(throttled.status, 200);
  assert.equal(code(throttled), 'THROTTLED');
  assert.equal(throttled.body.extensions.cost.actualQueryCost, null);
  assert.equal('data' in throttled.body, false);
  await advance(2_000);
  assert.equal(code(await call(query)), undefined);
  assert.equal(sandbox.stats.throttled, 1);
});

test('unthrottled stores still count', async () => {
  const { call, sandbox } = createTestStore({ unthrottled: true, bucketPoints: 1 });
  assert.equal(code(await call('{ products(first: 250) { nodes { id } } }')), undefined);
  assert.equal(sandbox.stats.requestedCost, 13);
});

test('one query may not cost more than 1000 points', async () => {
  const { call } = createTestStore();
  const answer = await call(
    '{ products(first: 250) { nodes { id variants(first: 250) { nodes { id inventoryItem { id } media(first: 50) { nodes { id } } } } } } }',
  );
  assert.equal(code(answer), 'MAX_COST_EXCEEDED');
  assert.equal(answer.body.errors[0].extensions.maxCost, 1000);
});

test('input arrays hold 250, variants of productSet 2048', async () => {
  const { run } = createTestStore();
  const tooMany = await run('products-by-ids', {
    ids: Array.from({ length: 251 }, (_, index) => `gid://shopify/Product/${index}`),
  });
  assert.equal(
    tooMany.body.errors[0].message,
    'The input array size of 251 is greater than the maximum allowed of 250.',
  );
  assert.deepEqual(tooMany.body.errors[0].path, ['nodes', 'ids']);
  const variants = (count: number) => ({
    input: {
      title: 'a',
      productOptions: [{ name: 'n', values: Array.from({ length: 250 }, (_, index) => ({ name: String(index) })) }],
      variants: Array.from({ length: count }, () => ({ optionValues: [] })),
    },
  });
  const answer = await run('product-set', variants(2_049));
  assert.equal(code(answer), 'MAX_INPUT_SIZE_EXCEEDED');
  assert.deepEqual(answer.body.errors[0].path, ['productSet', 'input', 'variants']);
  assert.notEqual(code(await run('product-set', variants(300))), 'MAX_INPUT_SIZE_EXCEEDED');
});

test('faults: status, revoked token, internal error, throttled, lost answer', async () => {
  const { call, sandbox } = createTestStore();
  const { controls } = sandbox;
  controls.setFault({ fault: { kind: 'status', status: 429, retryAfterSeconds: 2 } });
  const limited = await call('{ shop { id } }');
  assert.equal(limited.status, 429);
  assert.equal(limited.headers['retry-after'], '2.0');
  assert.equal((await call('{ shop { id } }')).status, 200);

  controls.setFault([{ operation: 'A', times: 2, fault: { kind: 'internal_error' } }]);
  assert.equal(code(await call('query A { shop { id } }')), 'INTERNAL_SERVER_ERROR');
  assert.equal(code(await call('query B { shop { id } }')), undefined);

  controls.setFault((request) =>
    request.attempt === 1 && request.kind === 'mutation' ? { kind: 'reset', when: 'after' } : null,
  );
  const { productId } = controls.addProduct({ title: 'a' });
  const addTag = `mutation Tag { tagsAdd(id: "${productId}", tags: ["x"]) { userErrors { message } } }`;
  await assert.rejects(call(addTag));
  assert.deepEqual((await call(`{ product(id: "${productId}") { tags } }`)).body.data.product.tags, ['x']);

  controls.setFault({ fault: { kind: 'token_revoked' } });
  assert.equal((await call('{ shop { id } }')).status, 401);
  assert.equal((await call('{ shop { id } }', {}, { token: TEST_TOKEN })).status, 401);
});

test('a held answer is cut after its time', async () => {
  const { call, sandbox, advance } = createTestStore();
  sandbox.controls.setFault({ fault: { kind: 'timeout', when: 'before', hangMs: 5_000 } });
  const waiting = assert.rejects(call('{ shop { id } }'));
  // The request has to arrive before the clock moves.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await advance(5_000);
  await waiting;
  await sandbox.close();
});
