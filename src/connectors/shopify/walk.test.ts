import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import type { ScanPage } from '../../ports/connector.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { addSeveral, sizedProduct } from '../../testing/contract/fixtures.ts';
import { scanRules } from '../../testing/contract/rules/scan.ts';
import type { HttpResponse, Transport } from '../shared/transport.ts';
import { makeShopifyHarness } from './contract-harness.test.ts';
import { READ_BATCH_MAX } from './product-reader.ts';
import { jsonResponse } from './test-support.ts';

type Answer = (request: { operationName: string; variables: Record<string, unknown> }) => object | null;

/** A shop that answers some operations otherwise. */
function instead(answer: Answer, asked: string[] = []): (transport: Transport) => Transport {
  return (transport) =>
    async (request): Promise<HttpResponse> => {
      const parsed = JSON.parse(String(request.body)) as Parameters<Answer>[0];
      asked.push(parsed.operationName);
      const body = answer(parsed);
      return body === null ? await transport(request) : jsonResponse(body);
    };
}

const REFUSALS = {
  'no place is free': {
    data: {
      bulkOperationRunQuery: {
        bulkOperation: null,
        userErrors: [
          { code: 'OPERATION_IN_PROGRESS', field: null, message: 'A bulk query operation for this app is running' },
        ],
      },
    },
  },
  'it is not known': {
    errors: [
      {
        message: "Field 'bulkOperationRunQuery' doesn't exist on type 'Mutation'",
        extensions: { code: 'undefinedField' },
      },
    ],
  },
};

for (const [words, refusal] of Object.entries(REFUSALS)) {
  const refuse: Answer = ({ operationName }) => (operationName === 'BulkRunQuery' ? refusal : null);
  describeConnectorContract(
    `shopify without bulk operations: ${words}`,
    (r) => makeShopifyHarness(r, instead(refuse)),
    { groups: [scanRules] },
  );
}

async function scanAll(pages: AsyncIterable<ScanPage>): Promise<ScanPage[]> {
  const all: ScanPage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

const idsOf = (pages: readonly ScanPage[]) =>
  pages.flatMap(({ snapshots }) => snapshots.map(({ externalId }) => externalId));

const stateOf = (change: object) => ({
  data: {
    location: { isActive: true },
    bulkOperation: {
      id: 'gid://shopify/BulkOperation/1',
      status: 'RUNNING',
      errorCode: null,
      objectCount: '3',
      rootObjectCount: '1',
      fileSize: null,
      url: null,
      ...change,
    },
  },
});

test('[C19] a bulk operation that fails, or gets stuck, costs time and not the listing; for an hour none is asked for again', async () => {
  for (const change of [
    { status: 'FAILED', errorCode: 'INTERNAL_SERVER_ERROR' },
    { status: 'RUNNING' },
    { status: 'EXPIRED' },
  ]) {
    const asked: string[] = [];
    const answer: Answer = ({ operationName }) => (operationName === 'BulkOperationById' ? stateOf(change) : null);
    const harness = await makeShopifyHarness({ pageSize: 3 }, instead(answer, asked));
    const records = await addSeveral(harness, 7);
    const expected = records.map(({ externalId }) => externalId).toSorted();
    assert.deepEqual(idsOf(await scanAll(harness.connector.scan({ resume: null }))).toSorted(), expected);
    const polls = asked.filter((name) => name === 'BulkOperationById').length;
    assert.ok(polls >= 1 && polls < 120, `${polls} polls`);
    await scanAll(harness.connector.scan({ resume: null }));
    assert.equal(asked.filter((name) => name === 'BulkRunQuery').length, 1);
    await harness.advance(3_600_001);
    await scanAll(harness.connector.scan({ resume: null }));
    assert.equal(asked.filter((name) => name === 'BulkRunQuery').length, 2);
  }
});

test('products of many variants make small pages, in a bulk listing and in a walk; each is a place to go on from', async () => {
  for (const answer of [
    () => null,
    ({ operationName }) => (operationName === 'BulkRunQuery' ? REFUSALS['no place is free'] : null),
  ] satisfies Answer[]) {
    const harness = await makeShopifyHarness({}, instead(answer));
    const ids: string[] = [];
    for (let n = 0; n < 28; n += 1) {
      ids.push((await harness.shop.addProduct(sizedProduct(100))).externalId);
      await harness.advance(1_000);
    }
    const pages = await scanAll(harness.connector.scan({ resume: null }));
    assert.deepEqual(idsOf(pages), ids);
    const variantsOf = ({ snapshots }: ScanPage) => snapshots.reduce((sum, { variants }) => sum + variants.length, 0);
    // A walk reads 25 products in one call, and can't know how many variants they have.
    assert.ok(pages.every((page) => variantsOf(page) <= VARIANTS_PER_BATCH || page.snapshots.length <= READ_BATCH_MAX));
    assert.ok(pages.length > 1);
    for (const [index, { resume }] of pages.slice(0, -1).entries())
      assert.deepEqual(idsOf(await scanAll(harness.connector.scan({ resume }))), idsOf(pages.slice(index + 1)));
  }
});

test('[C20] a missing permission is told, and not walked around', async () => {
  const denied = stateOf({ status: 'FAILED', errorCode: 'ACCESS_DENIED' });
  const answer: Answer = ({ operationName }) => (operationName === 'BulkOperationById' ? denied : null);
  const harness = await makeShopifyHarness({}, instead(answer));
  await assert.rejects(scanAll(harness.connector.scan({ resume: null })), { kind: 'unauthorized' });
});

test('[C20] a walk that does not go on as it was asked for throws', async () => {
  const listed = (ids: readonly number[]) => ({
    data: {
      products: {
        nodes: ids.map((id) => ({ id: `gid://shopify/Product/${id}` })),
        pageInfo: { hasNextPage: true, endCursor: 'x' },
      },
    },
  });
  for (const ids of [[], [7, 5]]) {
    const answer: Answer = ({ operationName }) =>
      operationName === 'BulkRunQuery'
        ? REFUSALS['no place is free']
        : operationName === 'ProductsListed'
          ? listed(ids)
          : null;
    const harness = await makeShopifyHarness({}, instead(answer));
    await assert.rejects(scanAll(harness.connector.scan({ resume: null })), { kind: 'malformed' });
  }
});
