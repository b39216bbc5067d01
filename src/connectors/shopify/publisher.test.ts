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

function setUp(publications: object) {
  const clock = createTestClock();
  const published: unknown[] = [];
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'Publications') return publications;
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
