import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseExactJson } from '../shared/exact-json.ts';
import { signBase64 } from '../shared/hmac.ts';
import { createShopifyConnector } from './connector.ts';
import { createTestClock, graphqlTransport, noDownload, silentLog, testRandom } from './test-support.ts';
import { verifyDelivery } from './webhook.ts';

const SHOP = 'my-shop.myshopify.com';
const options = { secrets: ['current', 'previous'], shopDomains: [SHOP], locationId: null };

function delivery(topic: string, body: string, { secret = 'current', shop = SHOP, id = 'delivery-1' } = {}) {
  const bytes = new TextEncoder().encode(body);
  return {
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': shop,
      'x-shopify-webhook-id': id,
      'x-shopify-hmac-sha256': signBase64(bytes, secret),
    },
    body: bytes,
  };
}

/** The payload of a sample with its digits as they stand in the file. */
function sample(name: string): string {
  const text = readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8');
  const parsed = parseExactJson(text) as { response: unknown };
  return JSON.stringify(parsed.response).replace(/"(\d{16,})"/g, '$1');
}

test('[C22] [C11] official sample payloads name their record; a global id is exact where the number was rounded', () => {
  for (const [topic, expected] of [
    ['products/create', 'gid://shopify/Product/788032119674292922'],
    ['products/update', 'gid://shopify/Product/788032119674292922'],
    ['products/delete', 'gid://shopify/Product/788032119674292900'],
  ] as const) {
    const verified = verifyDelivery(options, delivery(topic, sample(topic.replace('/', '_'))));
    assert.deepEqual(verified?.signals, [{ kind: 'product', externalId: expected }], topic);
    assert.equal(verified?.topic, topic);
    assert.equal(verified?.deliveryId, 'delivery-1');
  }
  const items = verifyDelivery(options, delivery('inventory_items/update', sample('inventory_items_update')));
  assert.deepEqual(items?.signals, [{ kind: 'stock', externalId: 'gid://shopify/InventoryItem/271878346596884015' }]);
});

test('[C11] ids beyond 2^53 are read as text', () => {
  const body =
    '{"inventory_item_id":9007199254740993,"location_id":655441491,"available":5,"updated_at":"2026-11-21T00:00:00Z"}';
  const verified = verifyDelivery(options, delivery('inventory_levels/update', body));
  assert.deepEqual(verified?.signals, [{ kind: 'stock', externalId: 'gid://shopify/InventoryItem/9007199254740993' }]);
  const deleted = verifyDelivery(options, delivery('products/delete', '{"id":9007199254740993}'));
  assert.deepEqual(deleted?.signals, [{ kind: 'product', externalId: 'gid://shopify/Product/9007199254740993' }]);
});

test('stock of another place than the mapped one is no news', () => {
  const mapped = { ...options, locationId: 'gid://shopify/Location/1' };
  const body = (location: number) => `{"inventory_item_id":5,"location_id":${location}}`;
  assert.deepEqual(verifyDelivery(mapped, delivery('inventory_levels/update', body(2)))?.signals, []);
  assert.equal(verifyDelivery(mapped, delivery('inventory_levels/connect', body(1)))?.signals.length, 1);
  assert.equal(verifyDelivery(options, delivery('inventory_levels/disconnect', body(2)))?.signals.length, 1);
});

test('topics that are about the shop are notices', () => {
  for (const [topic, name, notice] of [
    ['app/uninstalled', 'app_uninstalled', 'uninstalled'],
    ['bulk_operations/finish', 'bulk_operations_finish', 'bulk_finished'],
    ['shop/update', 'shop_update', 'settings_changed'],
    ['locations/update', 'locations_update', 'settings_changed'],
    ['locations/deactivate', 'locations_deactivate', 'settings_changed'],
  ] as const) {
    const verified = verifyDelivery(options, delivery(topic, sample(name)));
    assert.deepEqual([verified?.signals, verified?.notices], [[], [notice]], topic);
  }
});

test('[C22] the previous secret counts; a stranger, a changed byte, another shop do not', () => {
  assert.ok(verifyDelivery(options, delivery('products/delete', '{"id":1}', { secret: 'previous' })));
  assert.equal(verifyDelivery(options, delivery('products/delete', '{"id":1}', { secret: 'stranger' })), null);
  const good = delivery('products/delete', '{"id":1}');
  assert.equal(verifyDelivery(options, { ...good, body: new TextEncoder().encode('{"id":2}') }), null);
  assert.equal(verifyDelivery(options, { ...good, headers: {} }), null);
  assert.equal(verifyDelivery(options, delivery('products/delete', '{"id":1}', { shop: 'other.myshopify.com' })), null);
  assert.ok(
    verifyDelivery(
      { ...options, shopDomains: null },
      delivery('products/delete', '{"id":1}', { shop: 'other.myshopify.com' }),
    ),
  );
  assert.equal(
    verifyDelivery({ ...options, secrets: [''] }, delivery('products/delete', '{"id":1}', { secret: '' })),
    null,
  );
});

test('[C22] a shop that is connected by an alias hears the deliveries that bear its permanent name, and no other shop’s', () => {
  const connector = createShopifyConnector({
    shopDomain: SHOP,
    auth: { type: 'token', accessToken: 'shpat_x', apiSecret: 'current' },
    info: { currency: 'EUR', weightUnit: 'kg', identity: 'a1b2c3-4d.myshopify.com' },
    webhookSecrets: [],
    transport: graphqlTransport(() => ({})),
    download: noDownload,
    ...{ clock: createTestClock(), random: testRandom, log: silentLog },
  });
  for (const [shop, isOurs] of [
    ['a1b2c3-4d.myshopify.com', true],
    [SHOP, true],
    ['other.myshopify.com', false],
  ] as const)
    assert.equal(connector.verifyDelivery(delivery('products/delete', '{"id":1}', { shop })) !== null, isOurs, shop);
});

test('without a delivery id, repeats of the same bytes are still told to be the same', () => {
  const { headers, body } = delivery('products/delete', '{"id":1}');
  const { 'x-shopify-webhook-id': _id, ...bare } = headers;
  const first = verifyDelivery(options, { headers: bare, body });
  assert.match(first?.deliveryId ?? '', /^[0-9a-f]{64}$/);
  assert.equal(verifyDelivery(options, { headers: bare, body })?.deliveryId, first?.deliveryId);
});

test('topic and id, which no signature covers, take no more room than real ones do', () => {
  const of = (topic: string, id: string) => verifyDelivery(options, delivery(topic, '{"id":1}', { id }));
  const real = 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043';
  assert.equal(of('products/update', real)?.deliveryId, real);
  const long = of('t'.repeat(7_000), 'i'.repeat(7_000));
  assert.deepEqual([long?.topic, long?.signals, long?.notices], ['t'.repeat(64), [], []]);
  assert.match(long?.deliveryId ?? '', /^[0-9a-f]{64}$/);
  assert.equal(of('t', 'i'.repeat(7_000))?.deliveryId, long?.deliveryId, 'repeats are still told to be the same');
  assert.notEqual(of('t', 'i'.repeat(7_001))?.deliveryId, long?.deliveryId);
  assert.deepEqual(of(`locations/${'x'.repeat(7_000)}`, real)?.notices, ['settings_changed']);
});
