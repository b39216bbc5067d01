import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createTokenSource } from './auth.ts';
import { listChanged } from './changes.ts';
import { createShopifyClient } from './client.ts';
import { createTestClock, graphqlTransport, jsonResponse, silentLog, testRandom } from './test-support.ts';

const LOCATION = 'gid://shopify/Location/1';
const setup = {
  shop: { id: 's', myshopifyDomain: 'x', currencyCode: 'USD', weightUnit: 'GRAMS' },
  locations: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
};

interface Page {
  readonly first: number;
  readonly after: string | null;
  readonly query: string;
}

function setUp(respond: (operation: string, page: Page) => object, skewMs = 0) {
  const clock = createTestClock();
  const pages: (Page & { operation: string })[] = [];
  const transport = graphqlTransport(({ operationName, variables }) => {
    const headers = { date: new Date(clock.now() + skewMs).toUTCString() };
    if (operationName === 'ShopSetup') return jsonResponse({ data: setup }, 200, headers);
    const page = variables as unknown as Page;
    pages.push({ ...page, operation: operationName });
    return jsonResponse({ data: respond(operationName, page) }, 200, headers);
  });
  const origin = 'https://x.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: 'shpat_x' }, origin, transport, clock });
  const client = createShopifyClient({
    origin,
    tokens,
    transport,
    clock,
    random: testRandom,
    log: silentLog,
    health: createHealthMeter(clock),
  });
  const context = () =>
    Promise.resolve({ currency: 'USD', weightUnit: 'GRAMS', locationId: LOCATION, adminProducts: '' });
  const list = (cursor: string | null) => listChanged({ client, clock, context }, cursor);
  return { clock, pages, list };
}

const products = (hasNextPage: boolean, updatedAt = '2026-11-21T00:00:00Z') => ({
  location: { isActive: true },
  products: { nodes: [{ id: 'gid://shopify/Product/1', updatedAt }], pageInfo: { hasNextPage, endCursor: 'next' } },
});
const levels = (hasNextPage: boolean) => ({
  location: {
    isActive: true,
    inventoryLevels: {
      nodes: [{ id: 'l', updatedAt: 'x', item: { id: 'gid://shopify/InventoryItem/5' } }],
      pageInfo: { hasNextPage, endCursor: 'next' },
    },
  },
});

test('[C21] a program that was started again, and does not know the store’s clock yet, leaves nothing out', async () => {
  const respond = (operation: string) => (operation === 'ProductsChanged' ? products(false) : levels(false));
  const behind = -3_600_000;
  const { cursor } = await setUp(respond, behind).list(null);
  const { clock, pages, list } = setUp(respond, behind);
  const startedAt = clock.now() + behind;
  const stock = await list(cursor);
  await list((await list(stock.cursor)).cursor);
  const from = Date.parse(/'(.*)'/.exec(pages.at(-1)?.query ?? '')?.[1] ?? '');
  assert.ok(from <= startedAt, `the second sweep begins ${(from - startedAt) / 60_000} minutes behind the first`);
});

test('[C21] a sweep asks for products, then stock, from the store’s own time less the overlap', async () => {
  const { clock, pages, list } = setUp(
    (operation) => (operation === 'ProductsChanged' ? products(false) : levels(false)),
    3_600_000,
  );
  const start = await list(null);
  assert.deepEqual([start.signals, start.hasMore], [[], false]);
  clock.advance(60_000);
  const one = await list(start.cursor);
  assert.deepEqual([one.signals, one.hasMore], [[{ kind: 'product', externalId: 'gid://shopify/Product/1' }], true]);
  const two = await list(one.cursor);
  assert.deepEqual(
    [two.signals, two.hasMore],
    [[{ kind: 'stock', externalId: 'gid://shopify/InventoryItem/5' }], false],
  );
  // 2026-11-21T00:00:00Z here, an hour later there, less three minutes.
  assert.equal(pages[0]?.query, "updated_at:>='2026-11-21T00:57:00Z'");
  assert.equal(pages[1]?.query, pages[0]?.query);
  await list(two.cursor);
  assert.equal(pages[2]?.query, "updated_at:>='2026-11-21T00:58:00Z'", 'the next sweep begins where this one began');
});

test('[C21] a long list of products is taken up again by time before Shopify’s 25,000 are walked', async () => {
  let count = 0;
  const { pages, list } = setUp((operation) => {
    count += 1;
    return operation === 'ProductsChanged'
      ? products(count < 100, new Date(Date.UTC(2026, 10, 21) + count * 1000).toISOString())
      : levels(false);
  });
  let { cursor } = await list(null);
  for (let more = true; more; ) ({ cursor, hasMore: more } = await list(cursor));
  const afresh = pages.findIndex(
    (page, index) => index > 0 && page.operation === 'ProductsChanged' && page.after === null,
  );
  assert.equal(afresh, 90);
  assert.match(pages[afresh]?.query ?? '', /00:01:30/);
});

test('[C21] more products than can be walked that changed within one second are told, and not asked for again for ever', async () => {
  const { pages, list } = setUp((operation) => (operation === 'ProductsChanged' ? products(true) : levels(false)));
  let { cursor } = await list(null);
  const walk = async () => {
    for (let more = true; more; ) ({ cursor, hasMore: more } = await list(cursor));
  };
  await assert.rejects(
    walk,
    (error) => error instanceof ConnectorError && error.details.platformCode === 'TOO_MANY_CHANGES',
  );
  // 90 pages up to that second, and from there as many as Shopify lets anybody walk.
  assert.equal(pages.length, 90 + 100);
});

test('[C21] more levels than can be walked are asked for by halves of the time, and none is left out', async () => {
  const done: [from: number, to: number][] = [];
  const now = Date.UTC(2026, 10, 21);
  const { list } = setUp((operation, page) => {
    if (operation === 'ProductsChanged') return products(false);
    const [from = 0, to = now] = [...page.query.matchAll(/'([^']+)'/g)].map(([, time = '']) => Date.parse(time));
    // A window of up to a minute is short enough.
    if (to - from <= 60_000) done.push([from, to]);
    return levels(to - from > 60_000);
  });
  let { cursor } = await list(null);
  for (let more = true; more; ) ({ cursor, hasMore: more } = await list(cursor));
  assert.equal(done[0]?.[0], now - 180_000);
  assert.equal(done.at(-1)?.[1], now);
  for (const [index, [from]] of done.slice(1).entries()) assert.equal(from, done[index]?.[1]);
});

test('a cursor that is none is refused', async () => {
  const { list } = setUp((operation) => (operation === 'ProductsChanged' ? products(false) : { location: null }));
  for (const cursor of ['', '{}', 'null', '[1]', '{"from":"x"}']) {
    await assert.rejects(list(cursor), (error) => error instanceof ConnectorError && error.kind === 'rejected', cursor);
  }
});

test('[S12] a place that is away is told, products are listed all the same, and its levels, once it is there again, since it went', async () => {
  let isAway = true;
  const queries: string[] = [];
  const { list } = setUp((operation, { query }) => {
    if (operation === 'ProductsChanged') return products(false);
    queries.push(query);
    return isAway ? { location: null } : levels(false);
  });
  let { cursor } = await list(null);
  const sweep = async () => {
    const first = await list(cursor);
    const last = await list(first.cursor);
    ({ cursor } = last);
    return last;
  };
  for (let i = 0; i < 2; i += 1) {
    const { stockUnread, hasMore } = await sweep();
    assert.deepEqual([stockUnread?.includes('no longer exists in this shop'), hasMore], [true, false]);
  }
  isAway = false;
  assert.equal((await sweep()).stockUnread, undefined);
  assert.equal(new Set(queries).size, 1, 'since the same moment');
});
