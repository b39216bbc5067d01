import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createShopifySandbox } from './create-shopify-sandbox.ts';
import { createTestStore, readOperation, TEST_TOKEN, type TestStore } from './test-store.ts';
import { RETRY_DELAYS_MS } from './webhooks/dispatcher.ts';
import { shopTime } from './webhooks/shop-time.ts';

const ADDRESS = 'https://twinshelf.example/hooks';

async function subscribe(store: TestStore, topics: string[], extra: Record<string, unknown> = {}) {
  for (const topic of topics) {
    const { body } = await store.run('webhook-subscription-create', {
      topic,
      webhookSubscription: { uri: ADDRESS, ...extra },
    });
    assert.deepEqual(body.data.webhookSubscriptionCreate.userErrors, []);
  }
}

const topics = (store: TestStore) => store.hooks.map((hook) => hook.headers['X-Shopify-Topic']);
const bodyOf = (store: TestStore, topic: string) =>
  JSON.parse(store.hooks.findLast((hook) => hook.headers['X-Shopify-Topic'] === topic)?.body ?? 'null');

/** Every key of the sample must be there with the same kind of value; null fits anything, and so does an empty list. */
function assertSameShape(actual: unknown, sample: unknown, path: string): void {
  if (sample === null || actual === null) return;
  if (Array.isArray(sample)) {
    assert.ok(Array.isArray(actual), path);
    if (sample.length > 0 && actual.length > 0) assertSameShape(actual[0], sample[0], `${path}[0]`);
    return;
  }
  assert.equal(typeof actual, typeof sample, path);
  if (typeof sample !== 'object') return;
  const missing = Object.keys(sample).filter((key) => !(key in (actual as object)));
  const extra = Object.keys(actual as object).filter((key) => !(key in sample));
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, path);
  for (const [key, value] of Object.entries(sample))
    assertSameShape((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
}

function sampleOf(topic: string): unknown {
  // Two samples are empty in the collection; their shape is in the facts, section 5.
  if (topic === 'inventory_levels/update' || topic === 'inventory_levels/connect') {
    return { inventory_item_id: 1, location_id: 1, available: 1, updated_at: 'x', admin_graphql_api_id: 'x' };
  }
  return JSON.parse(
    readFileSync(new URL(`./fixtures/webhook-payloads/${topic.replace('/', '_')}.json`, import.meta.url), 'utf8'),
  ).response;
}

test('every payload has the shape of its sample', async () => {
  const store = createTestStore();
  const { controls } = store.sandbox;
  const all = [
    'products/create',
    'products/update',
    'products/delete',
    'inventory_items/create',
    'inventory_items/update',
    'inventory_items/delete',
    'inventory_levels/connect',
    'inventory_levels/update',
    'inventory_levels/disconnect',
    'orders/create',
    'bulk_operations/finish',
    'shop/update',
    'locations/create',
    'locations/deactivate',
    'app/uninstalled',
  ];
  await subscribe(
    store,
    all.map((topic) => topic.replace('/', '_').toUpperCase()),
  );
  const { productId } = controls.addProduct({
    title: 'Mug',
    optionNames: ['Size'],
    variants: [
      { sku: 'M-S', price: '5', stock: 3, weightKg: 0.2, optionValues: ['S'] },
      { sku: 'M-L', price: '6', optionValues: ['L'] },
    ],
  });
  controls.setSku('M-L', 'M-XL');
  const shed = controls.addLocation('Shed');
  controls.restock('M-S', 2, shed);
  controls.placeOrder([{ variant: 'M-S', quantity: 1 }]);
  await store.run('bulk-operation-run-query', { query: '{ products { edges { node { id } } } }' });
  const level = (
    await store.call(
      'query ($id: ID!) { product(id: $id) { variants(first: 1) { nodes { inventoryItem { inventoryLevels(first: 5) { nodes { id location { name } } } } } } } }',
      { id: productId },
    )
  ).body.data.product.variants.nodes[0].inventoryItem.inventoryLevels.nodes[1].id;
  await store.call(
    'mutation ($id: ID!) { inventoryDeactivate(inventoryLevelId: $id) @idempotent(key: "x") { userErrors { message } } }',
    { id: level },
  );
  controls.updateShop({ name: 'Renamed' });
  controls.deactivateLocation(shed);
  await store.advance(1_000);
  controls.deleteProduct(productId);
  await store.advance(1_000);
  controls.uninstallApp();
  await store.advance(1_000);
  for (const topic of all) {
    assert.ok(topics(store).includes(topic), `${topic} was sent`);
    assertSameShape(bodyOf(store, topic), sampleOf(topic), topic);
  }
  assert.equal(controls.snapshot().subscriptions.length, 0);
});

test('a purchase fires stock and order, a staff edit fires stock and product', async () => {
  const store = createTestStore();
  store.sandbox.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  await subscribe(store, ['PRODUCTS_UPDATE', 'INVENTORY_LEVELS_UPDATE', 'ORDERS_CREATE']);
  store.sandbox.controls.placeOrder([{ variant: 'MUG', quantity: 2 }]);
  await store.advance(10);
  assert.deepEqual(topics(store).sort(), ['inventory_levels/update', 'orders/create']);
  assert.equal(bodyOf(store, 'inventory_levels/update').available, 3);
  assert.equal(bodyOf(store, 'orders/create').line_items[0].sku, 'MUG');
  store.hooks.length = 0;
  store.sandbox.controls.recount('MUG', 9);
  await store.advance(10);
  assert.deepEqual(topics(store).sort(), ['inventory_levels/update', 'products/update']);
  store.hooks.length = 0;
  store.sandbox.controls.recount('MUG', 9);
  await store.advance(10);
  assert.deepEqual(topics(store), [], 'nothing changed, nothing to tell');
});

test('headers, HMAC over the raw body, one event id for one action', async () => {
  const store = createTestStore();
  await subscribe(store, ['PRODUCTS_UPDATE', 'INVENTORY_LEVELS_UPDATE'], {});
  store.sandbox.controls.addProduct({ title: 'Ümläut', sku: 'MUG', stock: 5 });
  await store.advance(10);
  store.hooks.length = 0;
  store.sandbox.controls.restock('MUG', 1);
  await store.advance(10);
  const [level, product] = store.hooks;
  assert.ok(level && product);
  for (const hook of [level, product]) {
    assert.equal(
      hook.headers['X-Shopify-Hmac-Sha256'],
      createHmac('sha256', 'test-secret').update(Buffer.from(hook.body)).digest('base64'),
    );
    assert.equal(hook.headers['X-Shopify-Shop-Domain'], 'sandbox-shelf.myshopify.com');
    assert.equal(hook.headers['X-Shopify-API-Version'], '2026-10');
    assert.ok(hook.headers['X-Shopify-Triggered-At']);
    assert.equal(hook.timeoutMs, 5_000);
    assert.equal(hook.connectTimeoutMs, 1_000);
  }
  assert.equal(level.headers['X-Shopify-Event-Id'], product.headers['X-Shopify-Event-Id']);
  assert.notEqual(level.headers['X-Shopify-Webhook-Id'], product.headers['X-Shopify-Webhook-Id']);
});

test('a failed delivery is repeated eight times within four hours with the same id and body, then the subscription goes', async () => {
  const store = createTestStore();
  store.sandbox.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  await subscribe(store, ['INVENTORY_LEVELS_UPDATE']);
  store.setHookStatus(500);
  store.sandbox.controls.recount('MUG', 6);
  await store.advance(1_000);
  store.sandbox.controls.recount('MUG', 7);
  await store.advance(4 * 3_600_000 + 10_000);
  const first = store.hooks.filter((hook) => JSON.parse(hook.body).available === 6);
  assert.equal(first.length, 1 + RETRY_DELAYS_MS.length);
  assert.equal(new Set(first.map((hook) => hook.headers['X-Shopify-Webhook-Id'])).size, 1);
  assert.equal(new Set(first.map((hook) => hook.body)).size, 1, 'the original payload, however stale');
  assert.equal(
    RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0),
    4 * 3_600_000,
  );
  assert.equal(store.sandbox.controls.snapshot().subscriptions.length, 0);
  assert.equal(store.sandbox.stats.webhooks.subscriptionsRemoved, 1);
});

test('a success in time keeps the subscription', async () => {
  const store = createTestStore();
  store.sandbox.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  await subscribe(store, ['INVENTORY_LEVELS_UPDATE']);
  store.setHookStatus('unreachable');
  store.sandbox.controls.recount('MUG', 6);
  await store.advance(120_000);
  store.setHookStatus(204);
  await store.advance(4 * 3_600_000);
  assert.equal(store.sandbox.controls.snapshot().subscriptions.length, 1);
  assert.equal(store.sandbox.stats.webhooks.delivered, 1);
});

test('subscriptions are unique, named well, https only, filtered', async () => {
  const store = createTestStore();
  const create = async (webhookSubscription: Record<string, unknown>, topic = 'PRODUCTS_UPDATE') =>
    (await store.run('webhook-subscription-create', { topic, webhookSubscription })).body.data.webhookSubscriptionCreate
      .userErrors[0]?.message;
  assert.equal(await create({ uri: ADDRESS, name: 'main' }), undefined);
  assert.equal(await create({ uri: ADDRESS }), 'Address for this topic has already been taken');
  assert.equal(await create({ uri: ADDRESS, filter: 'status:active' }), undefined);
  assert.equal(await create({ uri: `${ADDRESS}2`, name: 'MAIN' }), 'Name already exists, no duplicate allowed');
  assert.equal(
    await create({ uri: `${ADDRESS}2`, name: 'a b' }),
    'Name name field can only contain alphanumeric characters, underscores, and hyphens',
  );
  assert.equal(await create({ uri: 'http://127.0.0.1:9/x' }), 'Address protocol http:// is not supported');
  assert.equal(await create({ uri: '' }), "Address can't be blank");
  assert.match(String(await create({ uri: `${ADDRESS}3`, filter: 'just words' })), /filter is invalid/);
  const loopback = createTestStore({ allowHttpWebhooks: true });
  const allowed = await loopback.run('webhook-subscription-create', {
    topic: 'PRODUCTS_UPDATE',
    webhookSubscription: { uri: 'http://127.0.0.1:9/x' },
  });
  assert.deepEqual(allowed.body.data.webhookSubscriptionCreate.userErrors, []);
});

test('includeFields trim, filters hold back, a filter on an unknown field silences', async () => {
  const store = createTestStore();
  await subscribe(store, ['PRODUCTS_UPDATE'], {
    includeFields: ['id', 'updated_at'],
    filter: 'status:active',
    name: 'trimmed',
  });
  await subscribe(store, ['PRODUCTS_UPDATE'], { filter: 'no_such_field:1' });
  const { productId } = store.sandbox.controls.addProduct({ title: 'Mug' });
  store.sandbox.controls.updateProduct(productId, { title: 'Cup' });
  await store.advance(10);
  assert.equal(store.hooks.length, 1);
  assert.deepEqual(Object.keys(JSON.parse(store.hooks[0]?.body ?? '{}')), ['id', 'updated_at']);
  assert.equal(store.hooks[0]?.headers['X-Shopify-Name'], 'trimmed');
  store.sandbox.controls.updateProduct(productId, { status: 'DRAFT' });
  await store.advance(10);
  assert.equal(store.hooks.length, 1);
});

test('faults drop, double and reorder deliveries', async () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const store = createTestStore({ environment: { random } });
  store.sandbox.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 0 });
  await subscribe(store, ['INVENTORY_LEVELS_UPDATE']);
  store.sandbox.controls.setWebhookFaults({ dropRate: 0.2, duplicateRate: 0.3, reorderWithinMs: 60_000 });
  for (let count = 1; count <= 40; count += 1) store.sandbox.controls.recount('MUG', count);
  await store.advance(120_000);
  const { dropped, duplicated } = store.sandbox.stats.webhooks;
  assert.ok(dropped > 0 && duplicated > 0);
  assert.equal(store.hooks.length, 40 - dropped + duplicated);
  const counts = store.hooks.map((hook) => JSON.parse(hook.body).available as number);
  assert.notDeepEqual(
    counts,
    [...counts].sort((left, right) => left - right),
  );
});

test('shop time carries the offset of the season', () => {
  assert.equal(shopTime(Date.parse('2026-11-21T10:00:00Z'), 'America/New_York'), '2026-11-21T05:00:00-05:00');
  assert.equal(shopTime(Date.parse('2026-07-01T10:00:00Z'), 'Asia/Kolkata'), '2026-07-01T15:30:00+05:30');
});

test('over real sockets: deliver, refuse a redirect, give up after the timeout', async () => {
  const seen: string[] = [];
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      seen.push(String(request.headers['x-shopify-topic']));
      response.writeHead(seen.length === 1 ? 302 : 200, { Location: '/' }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const sandbox = createShopifySandbox({ accessToken: TEST_TOKEN, allowHttpWebhooks: true });
  const { origin } = await sandbox.listen();
  const answer = await fetch(`${origin}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': TEST_TOKEN },
    body: JSON.stringify({
      query: readOperation('webhook-subscription-create'),
      variables: { topic: 'PRODUCTS_CREATE', webhookSubscription: { uri: `http://127.0.0.1:${port}/` } },
    }),
  });
  assert.equal(answer.status, 200);
  sandbox.controls.addProduct({ title: 'a' });
  sandbox.controls.addProduct({ title: 'b' });
  for (let wait = 0; wait < 1_000 && sandbox.stats.webhooks.delivered + sandbox.stats.webhooks.failed < 2; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(seen, ['products/create', 'products/create']);
  assert.equal(sandbox.stats.webhooks.delivered, 1);
  assert.equal(sandbox.stats.webhooks.failed, 1);
  await sandbox.close();
  receiver.close();
});
