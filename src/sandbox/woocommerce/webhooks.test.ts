import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Delivery } from './environment.ts';
import type { Json, JsonObject } from './json.ts';
import { createTestStore, sample, shape, type TestStore } from './test-client.ts';
import { signWebhook } from './webhook-signature.ts';

const TARGET = 'http://127.0.0.1:18900/hooks/woo';

async function hookUp(store: TestStore, ...topics: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const topic of topics) {
    const { body } = await store.call('POST', '/webhooks', {
      name: topic,
      topic,
      delivery_url: TARGET,
      secret: 's3cr3t',
    });
    ids.push(body.id);
  }
  store.deliveries.length = 0;
  return ids;
}

const topicOf = (delivery: Delivery): string => delivery.headers['X-WC-Webhook-Topic'] ?? 'ping';
const topics = (store: TestStore): string[] => store.deliveries.map(topicOf);

test('signatures are those of the recorded deliveries', () => {
  const names = readdirSync(new URL('./fixtures/samples/', import.meta.url)).filter((name) =>
    name.startsWith('webhook_delivery_'),
  );
  let checked = 0;
  for (const name of names) {
    const recorded = sample(name.replace(/\.json$/, ''));
    if (typeof recorded['secret'] !== 'string') continue;
    const body = Buffer.from(String(recorded['body_b64']), 'base64');
    const header = (recorded['headers'] as string[][]).find(([key]) => key === 'X-WC-Webhook-Signature');
    assert.equal(signWebhook(body, recorded['secret']), header?.[1], name);
    checked++;
  }
  assert.ok(checked >= 6);
  // Its secret holds an ampersand and angle brackets, which WooCommerce keeps as entities.
  assert.equal(signWebhook('x', 'a &amp; b'), signWebhook('x', 'a & b'));
});

test('headers and body of a delivery have the recorded form', async () => {
  const store = createTestStore();
  await hookUp(store, 'product.updated');
  const { body: product } = await store.call('POST', '/products', { name: 'é / x', regular_price: '1.00' });
  await store.call('PUT', `/products/${product.id}`, { sku: 'S' });
  await store.sandbox.controls.settle();
  const [delivery] = store.deliveries;
  const recorded = sample('webhook_delivery_product.updated');
  const names = (recorded['headers'] as string[][])
    .map(([name]) => name)
    .filter((name) => name !== 'Host' && name !== 'Content-Length');
  assert.deepEqual(Object.keys(delivery!.headers).sort(), names.sort());
  assert.equal(delivery!.headers['X-WC-Webhook-Source'], 'https://127.0.0.1:18443/');
  assert.equal(delivery!.headers['User-Agent'], 'WooCommerce/10.5.0 Hookshot (WordPress/6.9.7)');
  assert.match(delivery!.body, /"name":"\\u00e9 \\\/ x"/);
  assert.equal(delivery!.headers['X-WC-Webhook-Signature'], signWebhook(delivery!.body, 's3cr3t'));
  const parsed = JSON.parse(delivery!.body) as JsonObject;
  const expected = JSON.parse(String(recorded['body_text'])) as JsonObject;
  assert.deepEqual(Object.keys(parsed), Object.keys(expected));
});

test('a variation arrives as a product of type variation, in the recorded form, with its parent', async () => {
  const store = createTestStore();
  await hookUp(store, 'product.created', 'product.updated');
  const { variationIds } = store.sandbox.controls.addProduct({
    title: 'Var Shirt',
    variations: [{ options: { Color: 'Red', Size: 'S' }, sku: 'V-1', regularPrice: '25.00', stock: 8 }],
  });
  await store.sandbox.controls.settle();
  store.deliveries.length = 0;
  store.sandbox.controls.setPrice('V-1', '26.00');
  await store.sandbox.controls.settle();
  const [delivery] = store.deliveries;
  assert.deepEqual(topics(store), ['product.updated', 'product.updated']);
  const actual = JSON.parse(delivery!.body) as JsonObject;
  const expected = JSON.parse(String(sample('webhook_delivery_product.updated.variation')['body_text'])) as JsonObject;
  assert.deepEqual(Object.keys(actual), Object.keys(expected));
  const typed = (value: JsonObject): Json => shape({ ...value, meta_data: [] });
  assert.deepEqual(typed(actual), typed(expected));
  assert.equal(actual['id'], variationIds[0]);
  assert.equal(actual['name'], 'Var Shirt - Red, S');
  assert.equal((JSON.parse(store.deliveries[1]!.body) as JsonObject)['type'], 'variable');
});

test('creation pings with an unsigned form before it answers', async () => {
  const store = createTestStore();
  const { body } = await store.call('POST', '/webhooks', { topic: 'product.updated', delivery_url: TARGET });
  assert.equal(store.deliveries.length, 1);
  assert.equal(store.deliveries[0]!.body, `webhook_id=${body.id}`);
  assert.equal(store.deliveries[0]!.headers['Content-Type'], 'application/x-www-form-urlencoded');
  assert.equal(store.deliveries[0]!.headers['X-WC-Webhook-Signature'], undefined);
  assert.match(body.name, /^Webhook created on Nov 21, 2026 @ 06:38 AM$/);
});

test('a ping that is not answered with exactly 200 comes again with every save', async () => {
  const store = createTestStore();
  store.receiver.status = 204;
  const { body } = await store.call('POST', '/webhooks', { topic: 'product.updated', delivery_url: TARGET });
  await store.call('PUT', `/webhooks/${body.id}`, { name: 'x' });
  assert.equal(store.deliveries.length, 2);
  store.receiver.status = 200;
  await store.call('PUT', `/webhooks/${body.id}`, { name: 'y' });
  await store.call('PUT', `/webhooks/${body.id}`, { name: 'z' });
  assert.equal(store.deliveries.length, 3);
});

test('the queue: at once after a pause, else with the next minute, and only when somebody comes', async () => {
  const store = createTestStore({ queue: 'action-scheduler' });
  const [hookId] = await hookUp(store, 'product.updated');
  assert.ok(hookId);
  const { id } = (await store.call('POST', '/products', { name: 'p' })).body;
  await store.clock.advance(70_000);
  await store.call('PUT', `/products/${id}`, { regular_price: '1' });
  await store.clock.advance(300);
  assert.equal(store.deliveries.length, 1, 'after 70 idle seconds the request itself starts the queue');
  await store.call('PUT', `/products/${id}`, { regular_price: '2' });
  await store.clock.advance(100_000);
  assert.equal(store.deliveries.length, 1, 'without traffic nothing happens');
  await store.sandbox.app.inject({ url: '/' });
  await store.clock.advance(300);
  assert.equal(store.deliveries.length, 2, 'any request will do');
});

test('duplicates that wait become one, with the state of the moment it is sent', async () => {
  const store = createTestStore({ queue: 'action-scheduler' });
  await hookUp(store, 'product.updated', 'product.created');
  const { id } = (await store.call('POST', '/products', { name: 'p' })).body;
  for (const price of ['1', '2', '3']) await store.call('PUT', `/products/${id}`, { regular_price: price });
  await store.sandbox.controls.runQueue();
  assert.deepEqual(topics(store), ['product.created', 'product.updated']);
  for (const { body } of store.deliveries) assert.equal((JSON.parse(body) as JsonObject)['regular_price'], '3');
});

test('two deliveries of one hook within a second carry the same delivery id', async () => {
  const store = createTestStore();
  await hookUp(store, 'product.created');
  store.sandbox.controls.addProduct({ title: 'a' });
  store.sandbox.controls.addProduct({ title: 'b' });
  await store.sandbox.controls.settle();
  const [first, second] = store.deliveries.map((delivery) => delivery.headers['X-WC-Webhook-Delivery-ID']);
  assert.match(first!, /^[0-9a-f]{32}$/);
  assert.equal(first, second);
});

test('one attempt each; the seventh failure in a row switches the hook off; 302 is a success', async () => {
  const store = createTestStore();
  const [hookId] = await hookUp(store, 'product.updated');
  const { productId } = store.sandbox.controls.addProduct({ title: 'p' });
  const fail = async (status: number) => {
    store.receiver.status = status;
    store.sandbox.controls.setPrice(productId, '1');
    await store.sandbox.controls.settle();
    return store.sandbox.controls.webhooks().find((hook) => hook.id === hookId)!;
  };
  assert.equal((await fail(500)).failureCount, 1);
  assert.equal((await fail(302)).failureCount, 0);
  for (const status of [500, 404, 303, 0, 500, 410]) assert.equal((await fail(status)).status, 'active');
  const off = await fail(500);
  assert.equal(off.status, 'disabled');
  assert.equal(off.failureCount, 6);
  const sent = store.deliveries.length;
  await fail(200);
  assert.equal(store.deliveries.length, sent, 'nothing is sent any more');
  await store.call('PUT', `/webhooks/${hookId}`, { status: 'active' });
  assert.equal((await fail(500)).status, 'disabled', 're-activated, one more failure is enough');
});

test('blind spots: what sends nothing, and what sends only an id', async () => {
  const store = createTestStore();
  await hookUp(
    store,
    'product.created',
    'product.updated',
    'product.deleted',
    'product.restored',
    'order.created',
    'order.updated',
    'order.deleted',
  );
  const { call, sandbox, deliveries } = store;
  const sentBy = async (run: () => Promise<unknown> | undefined): Promise<string[]> => {
    deliveries.length = 0;
    await run();
    await sandbox.controls.settle();
    return topics(store);
  };
  const { productId, variationIds } = sandbox.controls.addProduct({
    title: 'p',
    variations: [
      { options: { Size: 'S' }, sku: 'S', stock: 5 },
      { options: { Size: 'M' }, sku: 'M' },
    ],
  });
  await sandbox.controls.settle();
  const category = (await call('POST', '/products/categories', { name: 'c' })).body;
  const variation = `/products/${productId}/variations/${variationIds[1]}`;
  assert.deepEqual(await sentBy(() => call('PUT', `/products/categories/${category.id}`, { name: 'd' })), []);
  assert.deepEqual(await sentBy(() => call('DELETE', `${variation}?force=true`)), []);
  assert.deepEqual(await sentBy(() => call('DELETE', `/products/${productId}`)), [
    'product.deleted',
    'product.deleted',
  ]);
  assert.deepEqual(JSON.parse(deliveries[0]!.body), { id: productId });
  assert.deepEqual(await sentBy(async () => sandbox.controls.restoreProduct(productId)), [
    'product.restored',
    'product.restored',
  ]);
  const order = {
    status: 'processing',
    line_items: [{ product_id: productId, variation_id: variationIds[0], quantity: 1 }],
  };
  const placed = await sentBy(() => call('POST', '/orders', order));
  assert.deepEqual(placed, ['order.created', 'product.updated', 'product.updated', 'order.updated']);
  const { id: orderId } = JSON.parse(deliveries[0]!.body) as { id: number };
  assert.deepEqual(await sentBy(() => call('DELETE', `/orders/${orderId}`)), ['order.deleted']);
  assert.deepEqual(JSON.parse(deliveries[0]!.body), { id: orderId });
  // Out of the trash again: the order's hook is silent about stock, which was never given back.
  assert.deepEqual(await sentBy(() => call('PUT', `/orders/${orderId}`, { status: 'processing' })), ['order.updated']);
  assert.deepEqual(await sentBy(() => call('DELETE', `/products/${productId}?force=true`)), []);
});

test('unsafe targets are refused when the site refuses them', async () => {
  const store = createTestStore({ rejectUnsafeUrls: true, siteUrl: 'https://shop.example.test' });
  const ping = async (delivery_url: string): Promise<number> => {
    store.deliveries.length = 0;
    await store.call('POST', '/webhooks', { topic: 'product.updated', delivery_url });
    return store.deliveries.length;
  };
  assert.equal(await ping('http://127.0.0.1/hook'), 0);
  assert.equal(await ping('http://192.168.1.4/hook'), 0);
  assert.equal(await ping('https://hooks.example.test:8443/x'), 0);
  assert.equal(await ping('https://hooks.example.test/x'), 1);
  assert.equal(await ping('http://hooks.example.test:8080/x'), 1);
  assert.equal(await ping('https://shop.example.test/x'), 1);
});

test('webhooks: list, change, delete', async () => {
  const store = createTestStore();
  const [a, b] = await hookUp(store, 'product.updated', 'order.created');
  const list = await store.call('GET', '/webhooks?status=active');
  assert.deepEqual(
    list.body.map((hook: { id: number }) => hook.id),
    [b, a],
  );
  assert.equal(list.headers['x-wp-total'], '2');
  assert.equal((await store.call('PUT', `/webhooks/${a}`, { status: 'paused' })).body.status, 'paused');
  assert.equal((await store.call('DELETE', `/webhooks/${a}`)).status, 501);
  assert.equal((await store.call('DELETE', `/webhooks/${a}?force=true`)).body.id, a);
  const batch = await store.call('POST', '/webhooks/batch', {
    create: [{ topic: 'bad', delivery_url: TARGET }],
    delete: [b],
  });
  assert.equal(batch.body.create[0].error.code, 'woocommerce_rest_shop_webhook_invalid_topic');
  assert.equal((await store.call('GET', '/webhooks')).body.length, 0);
});

test('closing does not wait for a receiver that keeps silent', async () => {
  const store = createTestStore();
  await hookUp(store, 'product.created');
  store.receiver.status = -1;
  store.sandbox.controls.addProduct({ title: 'p' });
  void store.sandbox.controls.runQueue();
  await new Promise(setImmediate);
  await store.sandbox.close();
  assert.equal(store.deliveries.length, 1);
});
