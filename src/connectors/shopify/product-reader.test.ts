import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { ANSWER_TOO_LARGE, TransportError } from '../shared/transport.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { createProductReader } from './product-reader.ts';
import { createUntrackedItems, readStock } from './stock-reader.ts';
import { createTestClock, graphqlTransport, silentLog, testRandom } from './test-support.ts';

function readerOf(transport: ReturnType<typeof graphqlTransport>) {
  const clock = createTestClock();
  const origin = 'https://x.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: 'shpat_x' }, origin, transport, clock });
  const health = createHealthMeter(clock);
  const client = createShopifyClient({ origin, tokens, transport, clock, random: testRandom, log: silentLog, health });
  const context = async () => ({
    currency: 'USD',
    weightUnit: 'GRAMS',
    locationId: 'gid://shopify/Location/1',
    adminProducts: '',
  });
  return { client, context, reader: createProductReader({ client, clock, context, onRead: () => undefined }) };
}

/** A shop whose search finds a hundred near misses on each page, and ends after `pages` of them with the one that bears the SKU. */
function setUp(pages: number) {
  const searched: string[] = [];
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'ProductsById')
      return { data: { location: { isActive: true }, nodes: (variables['ids'] as string[]).map(() => null) } };
    searched.push(String(variables['after']));
    const isLast = searched.length === pages;
    const node = (id: number, sku: string) => ({
      id: `gid://shopify/ProductVariant/${id}`,
      sku,
      barcode: null,
      product: { id: `gid://shopify/Product/${id}` },
    });
    const nodes = Array.from({ length: 100 }, (_, i) => node(i + 1, isLast && i === 99 ? 'A-1' : `A-1-${i}`));
    return {
      data: { productVariants: { nodes, pageInfo: { hasNextPage: !isLast, endCursor: String(searched.length) } } },
    };
  });
  const { reader } = readerOf(transport);
  return { reader, searched };
}

test('a SKU behind thousands of near misses is found, or the search fails: it never says that nobody bears it', async () => {
  const far = setUp(60);
  assert.deepEqual(await far.reader.findByKeys(['sku:a-1']), [], 'deleted meanwhile, but looked for');
  assert.equal(far.searched.length, 60);
  const endless = setUp(1_000);
  await assert.rejects(
    endless.reader.findByKeys(['sku:a-1']),
    (error: unknown) => error instanceof ConnectorError && error.kind === 'rejected',
  );
  assert.equal(endless.searched.length, 250);
});

const gidOf = (id: number) => `gid://shopify/Product/${id}`;
const variantRow = {
  id: 'gid://shopify/ProductVariant/1',
  sku: null,
  barcode: null,
  price: '1.00',
  compareAtPrice: null,
  inventoryPolicy: 'DENY',
  taxable: true,
  selectedOptions: [{ name: 'Title', value: 'Default Title' }],
  inventoryItem: {
    id: 'gid://shopify/InventoryItem/1',
    tracked: true,
    requiresShipping: true,
    measurement: null,
    inventoryLevel: null,
  },
};
const productRow = (id: string, pageInfo: object = { hasNextPage: false, endCursor: null }) => ({
  __typename: 'Product',
  id,
  title: 'Tee',
  handle: 'tee',
  descriptionHtml: '',
  status: 'ACTIVE',
  tags: [],
  updatedAt: '2026-11-21T00:00:00Z',
  publishedAt: '2026-11-21T00:00:00Z',
  isGiftCard: false,
  requiresSellingPlan: false,
  combinedListingRole: null,
  hasVariantsThatRequiresComponents: false,
  options: [{ name: 'Title', position: 1 }],
  media: { nodes: [] },
  metafields: { nodes: [] },
  variants: { nodes: [variantRow], pageInfo },
});
const failing = (path: (string | number)[], code = 'INTERNAL_SERVER_ERROR') => ({
  message: 'Internal error. Looks like something went wrong on our end.',
  path,
  extensions: { code },
});
const kindsOf = (outcomes: readonly { readonly ok: boolean; readonly error?: ConnectorError }[]) =>
  outcomes.map(({ ok, error }) => (ok ? 'ok' : error?.kind));

/** Products 2 and 3 fail: one has nothing to show for it, the other lacks a part. Product 4 is not there. */
const partly = (ids: readonly string[], row: (id: string) => object, errors: readonly object[]) => ({
  data: {
    location: { isActive: true },
    nodes: ids.map((id) => (id === gidOf(2) || id === gidOf(4) ? null : row(id))),
  },
  errors,
});
const IDS = [1, 2, 3, 4].map(gidOf);

test('[C5] Shopify failing at one product fails that product alone, after asking a few times; it is never taken for gone', async () => {
  const errors = [failing(['nodes', 1]), failing(['nodes', 2, 'variants', 'nodes', 0, 'barcode'])];
  const transport = graphqlTransport(({ variables }) => partly(variables['ids'] as string[], productRow, errors));
  const outcomes = await readerOf(transport).reader.read(IDS);
  assert.deepEqual(kindsOf(outcomes), ['ok', 'unavailable', 'unavailable', 'not_found']);
  assert.equal(transport.requests.length, 4);
  // A fault that passes is asked through.
  let count = 0;
  const passing = graphqlTransport(({ variables }) => {
    count += 1;
    return partly(variables['ids'] as string[], productRow, count === 1 ? errors : errors.slice(1));
  });
  assert.deepEqual(kindsOf(await readerOf(passing).reader.read(IDS)), ['ok', 'not_found', 'unavailable', 'not_found']);
  // No error of a record says that it is gone, whatever its code.
  const odd = graphqlTransport(({ variables }) =>
    partly(variables['ids'] as string[], productRow, [failing(['nodes', 1], 'RESOURCE_NOT_FOUND')]),
  );
  assert.deepEqual(kindsOf(await readerOf(odd).reader.read(IDS)), ['ok', 'malformed', 'ok', 'not_found']);
});

test('[C5] what is wrong with more than a product is still thrown', async () => {
  for (const [error, kind] of [
    [failing(['nodes', 1], 'ACCESS_DENIED'), 'unauthorized'],
    [failing(['location']), 'unavailable'],
    [failing([]), 'unavailable'],
  ] as const) {
    const transport = graphqlTransport(({ variables }) =>
      partly(variables['ids'] as string[], productRow, [failing(['nodes', 1]), error]),
    );
    await assert.rejects(readerOf(transport).reader.read(IDS), { kind });
  }
  const empty = graphqlTransport(() => ({ data: null, errors: [failing(['nodes', 1])] }));
  await assert.rejects(readerOf(empty).reader.read(IDS), { kind: 'unavailable' });
});

test('[C5] Shopify failing at the stock of one item fails that item alone', async () => {
  const row = (id: string) => ({ __typename: 'InventoryItem', id, tracked: true, inventoryLevel: null });
  const transport = graphqlTransport(({ variables }) => {
    const ids = variables['ids'] as string[];
    const nodes = ids.map((id, index) => (index === 1 ? null : row(id)));
    return { data: { location: { isActive: true }, nodes }, errors: [failing(['nodes', 1])] };
  });
  const { client, context } = readerOf(transport);
  const ids = [1, 2, 3].map((id) => `gid://shopify/InventoryItem/${id}`);
  const outcomes = await readStock({ client, context, untracked: createUntrackedItems() }, ids);
  assert.deepEqual(kindsOf(outcomes), ['ok', 'unavailable', 'ok']);
});

test('where all of a batch is more than we take in of an answer, it is read in parts, and the next one whole again', async () => {
  let isLarge = true;
  const transport = graphqlTransport(({ variables }) => {
    const ids = variables['ids'] as string[];
    if (isLarge && ids.length > 10) throw new TransportError('after_send', 'too_large', 'large', ANSWER_TOO_LARGE);
    return { data: { location: { isActive: true }, nodes: ids.map((id) => productRow(id)) } };
  });
  const { reader } = readerOf(transport);
  const ids = Array.from({ length: 25 }, (_, index) => gidOf(index + 1));
  assert.ok((await reader.read(ids)).every(({ ok }) => ok));
  isLarge = false;
  transport.requests.length = 0;
  assert.ok((await reader.read(ids)).every(({ ok }) => ok));
  assert.equal(transport.requests.length, 1);
});
