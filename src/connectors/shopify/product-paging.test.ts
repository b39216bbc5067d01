import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { createProductReader } from './product-reader.ts';
import { VirtualTime } from './sandbox-support.test.ts';
import { type GraphqlRequest, graphqlTransport, silentLog, testRandom } from './test-support.ts';

const PAGES = 8;
const ANSWER_MS = 200;

/** A shop of a plan with a hundred points a second, whose products have 2,000 variants each. */
function largeShop() {
  const clock = new VirtualTime();
  const bucket = { available: 2_000, at: clock.now() };
  const charge = (points: number) => {
    const grown = ((clock.now() - bucket.at) / 1_000) * 100;
    bucket.available = Math.min(2_000, bucket.available + grown) - points;
    bucket.at = clock.now();
    const throttleStatus = { maximumAvailable: 2_000, currentlyAvailable: bucket.available, restoreRate: 100 };
    return { cost: { requestedQueryCost: points, actualQueryCost: points, throttleStatus } };
  };
  const page = (number: number) => ({
    nodes: [],
    pageInfo: { hasNextPage: number < PAGES, endCursor: String(number) },
  });
  const product = (id: string) => ({
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
    variants: page(1),
  });
  const transport = graphqlTransport(async ({ operationName, variables }: GraphqlRequest) => {
    await clock.sleep(ANSWER_MS);
    if (operationName === 'ProductsById') {
      const nodes = (variables['ids'] as string[]).map(product);
      return { data: { location: { isActive: true }, nodes }, extensions: charge(63) };
    }
    const variants = page(Number(variables['after']) + 1);
    return { data: { product: { id: variables['id'], variants } }, extensions: charge(58) };
  });
  const origin = 'https://x.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: 'shpat_x' }, origin, transport, clock });
  const health = createHealthMeter(clock);
  const client = createShopifyClient({ origin, tokens, transport, clock, random: testRandom, log: silentLog, health });
  const locationId = 'gid://shopify/Location/1';
  const context = async () => ({ currency: 'USD', weightUnit: 'GRAMS', locationId, adminProducts: '' });
  return { reader: createProductReader({ client, clock, context, onRead: () => undefined }), transport };
}

test('[C9] products of thousands of variants are read though others are read at the same time: their pages do not all wait at once', async () => {
  const { reader, transport } = largeShop();
  const ids = (from: number) => Array.from({ length: 25 }, (_, index) => `gid://shopify/Product/${from + index}`);
  const answers = await Promise.all([1, 101].map((from) => reader.read(ids(from))));
  assert.ok(answers.every((outcomes) => outcomes.length === 25 && outcomes.every(({ ok }) => ok)));
  assert.equal(transport.requests.length, 2 * (1 + 25 * (PAGES - 1)), 'and no page twice');
});
