import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { createProductReader } from './product-reader.ts';
import { createTestClock, graphqlTransport, silentLog, testRandom } from './test-support.ts';

/** A shop whose search finds a hundred near misses on each page, and ends after `pages` of them with the one that bears the SKU. */
function setUp(pages: number) {
  const searched: string[] = [];
  const clock = createTestClock();
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'ProductsById')
      return { data: { location: { isActive: true }, nodes: (variables['ids'] as string[]).map(() => null) } };
    searched.push(String(variables['after']));
    const isLast = searched.length === pages;
    const node = (id: number, sku: string) => ({
      id: `gid://shopify/ProductVariant/${id}`,
      sku,
      product: { id: `gid://shopify/Product/${id}` },
    });
    const nodes = Array.from({ length: 100 }, (_, i) => node(i + 1, isLast && i === 99 ? 'A-1' : `A-1-${i}`));
    return {
      data: { productVariants: { nodes, pageInfo: { hasNextPage: !isLast, endCursor: String(searched.length) } } },
    };
  });
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
  const reader = createProductReader({ client, context, onRead: () => undefined });
  return { reader, searched };
}

test('a SKU behind thousands of near misses is found, or the search fails: it never says that nobody bears it', async () => {
  const far = setUp(60);
  assert.deepEqual(await far.reader.findBySku(['A-1']), [], 'deleted meanwhile, but looked for');
  assert.equal(far.searched.length, 60);
  const endless = setUp(1_000);
  await assert.rejects(
    endless.reader.findBySku(['A-1']),
    (error: unknown) => error instanceof ConnectorError && error.kind === 'rejected',
  );
  assert.equal(endless.searched.length, 250);
});
