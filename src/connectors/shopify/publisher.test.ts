import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { createPublisher } from './publisher.ts';
import { createTestClock, graphqlTransport, silentLog, testRandom } from './test-support.ts';

const PRODUCT = 'gid://shopify/Product/1';
const ONLINE_STORE = 'gid://shopify/Publication/2';
const denied = (path: (string | number)[]) => ({
  message: 'Access denied',
  path,
  extensions: { code: 'ACCESS_DENIED' },
});

function setUp(publications: object | ((after: unknown) => object)) {
  const clock = createTestClock();
  const published: unknown[] = [];
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'Publications')
      return typeof publications === 'function' ? publications(variables['after']) : publications;
    published.push(variables);
    return { data: { publishablePublish: { userErrors: [] } } };
  });
  const origin = 'https://x.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: 'shpat_x' }, origin, transport, clock });
  const health = createHealthMeter(clock);
  const client = createShopifyClient({ origin, tokens, transport, clock, random: testRandom, log: silentLog, health });
  return { publisher: createPublisher(client, clock, silentLog), published };
}

test('a sales channel that may not be looked into keeps no product from the online store', async () => {
  const { publisher, published } = setUp({
    data: {
      publications: {
        nodes: [
          { id: 'gid://shopify/Publication/1', catalog: null },
          { id: ONLINE_STORE, catalog: { title: 'Channel Catalog', apps: { nodes: [{ handle: 'online_store' }] } } },
        ],
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    },
    errors: [denied(['publications', 'nodes', 0, 'catalog'])],
  });
  await publisher.publish(PRODUCT, {});
  assert.deepEqual(published, [{ id: PRODUCT, input: [{ publicationId: ONLINE_STORE }] }]);
  assert.equal(publisher.state(), 'ready');
});

test('where the channels themselves may not be seen, nothing is published, and that is known', async () => {
  const { publisher, published } = setUp({ data: null, errors: [denied(['publications'])] });
  await publisher.publish(PRODUCT, {});
  assert.deepEqual(published, []);
  assert.equal(publisher.state(), 'no_permission');
});

test('a shop of many sales channels: the online store is found behind the first page of them', async () => {
  const apps = (handle: string) => ({ title: handle, apps: { nodes: [{ handle }] } });
  const page = (after: unknown) => {
    const isLast = after === 'two';
    const nodes = Array.from({ length: 25 }, (_, i) => ({
      id: `gid://shopify/Publication/${100 + i}`,
      catalog: apps('other'),
    }));
    return {
      data: {
        publications: {
          nodes: isLast ? [{ id: ONLINE_STORE, catalog: apps('online_store') }] : nodes,
          pageInfo: { hasNextPage: !isLast, endCursor: after === null ? 'one' : 'two' },
        },
      },
    };
  };
  const { publisher, published } = setUp(page);
  await publisher.publish(PRODUCT, {});
  assert.deepEqual(published, [{ id: PRODUCT, input: [{ publicationId: ONLINE_STORE }] }]);
  const endless = setUp(() => ({
    data: { publications: { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'x' } } },
  }));
  await endless.publisher.publish(PRODUCT, {});
  assert.equal(endless.publisher.state(), 'no_online_store');
});
