import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
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

function setUp(
  publications: object | ((after: unknown) => object),
  refusal: (publicationId: string) => string | null = () => null,
) {
  const clock = createTestClock();
  const published: unknown[] = [];
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'Publications')
      return typeof publications === 'function' ? publications(variables['after']) : publications;
    const { input } = variables as { input: { publicationId: string }[] };
    const message = refusal(input[0]?.publicationId ?? '');
    const field = ['input', '0', 'publicationId'];
    if (message === null) published.push(variables);
    return { data: { publishablePublish: { userErrors: message === null ? [] : [{ field, message }] } } };
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
  assert.equal(await publisher.look({}), 'ready');
});

test('where the channels themselves may not be seen, nothing is published, and that is known', async () => {
  const { publisher, published } = setUp({ data: null, errors: [denied(['publications'])] });
  await publisher.publish(PRODUCT, {});
  assert.deepEqual(published, []);
  assert.equal(await publisher.look({}), 'no_permission');
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
  assert.equal(await endless.publisher.look({}), 'no_online_store');
});

/** A shop whose online store channel is this one. */
function channelOf(channel: { id: string | null }) {
  const node = (id: string) => ({
    id,
    catalog: { title: 'Online Store', apps: { nodes: [{ handle: 'online_store' }] } },
  });
  return () => ({
    data: {
      publications: {
        nodes: channel.id === null ? [] : [node(channel.id)],
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    },
  });
}

test('an online store channel that was removed and added again is looked up anew', async () => {
  const channel: { id: string | null } = { id: ONLINE_STORE };
  const { publisher, published } = setUp(channelOf(channel), (id) =>
    id === channel.id ? null : 'Publication does not exist',
  );
  await publisher.publish(PRODUCT, {});
  channel.id = 'gid://shopify/Publication/3';
  await Promise.all([publisher.publish(PRODUCT, {}), publisher.publish(PRODUCT, {})]);
  assert.deepEqual(
    published.map((one) => (one as { input: { publicationId: string }[] }).input[0]?.publicationId),
    [ONLINE_STORE, channel.id, channel.id],
  );
  channel.id = null;
  await publisher.publish(PRODUCT, {});
  assert.equal(await publisher.look({}), 'no_online_store');
});

test('what the online store refuses is no success, and nothing is said of the product being gone', async () => {
  const words = { message: 'Publication does not exist' };
  const { publisher } = setUp(channelOf({ id: ONLINE_STORE }), () => words.message);
  for (const message of ['Publication does not exist', 'Product cannot be published']) {
    words.message = message;
    await assert.rejects(publisher.publish(PRODUCT, {}), (error) => {
      assert.ok(error instanceof ConnectorError);
      assert.deepEqual([error.kind, error.details.field], ['rejected', 'status']);
      return error.message.includes(message);
    });
  }
});
