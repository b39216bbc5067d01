import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { signBase64 } from '../shared/hmac.ts';
import { isPing, verifyDelivery } from './webhook.ts';

/** A delivery as a real store sent it: headers, exact bytes, secret. */
function recorded(name: string) {
  const file = JSON.parse(
    readFileSync(new URL(`./fixtures/webhook_delivery_${name}.json`, import.meta.url), 'utf8'),
  ) as {
    headers: [string, string][];
    body_b64: string;
    secret: string | null;
  };
  const headers = Object.fromEntries(file.headers.map(([key, value]) => [key.toLowerCase(), value]));
  return { headers, body: new Uint8Array(Buffer.from(file.body_b64, 'base64')), secret: file.secret ?? '' };
}

const EXPECTED = {
  'product.created': [{ kind: 'product', externalId: '39' }],
  'product.updated': [{ kind: 'product', externalId: '39' }],
  'product.deleted': [{ kind: 'product', externalId: '39' }],
  'product.updated.variation': [{ kind: 'variant', externalId: '19' }],
} as const;

for (const [name, signals] of Object.entries(EXPECTED)) {
  test(`[C22] a recorded ${name} is authentic and names its record`, () => {
    const { headers, body, secret } = recorded(name);
    const verified = verifyDelivery({ headers, body }, ['another', secret]);
    assert.ok(verified);
    assert.equal(verified.deliveryId, verifyDelivery({ headers, body }, [secret])?.deliveryId);
    assert.equal(verified.topic, name.replace('.variation', ''));
    if (name === 'product.updated') assert.equal(verified.signals[0]?.kind, 'product');
    else assert.deepEqual(verified.signals, signals);
    assert.equal(verifyDelivery({ headers, body }, ['another']), null);
    assert.equal(isPing(headers, body), false);
  });
}

test('two recorded deliveries of one second share WooCommerce’s delivery id and are still two', () => {
  const one = recorded('product.updated');
  const other = recorded('product.updated.variation');
  assert.equal(one.headers['x-wc-webhook-delivery-id'], other.headers['x-wc-webhook-delivery-id']);
  assert.notEqual(verifyDelivery(one, [one.secret])?.deliveryId, verifyDelivery(other, [other.secret])?.deliveryId);
});

test('a recorded ping is known as one, and is not authentic', () => {
  const { headers, body } = recorded('ping');
  assert.equal(isPing(headers, body), true);
  assert.equal(verifyDelivery({ headers, body }, ['', 's3cr3t']), null);
  assert.equal(isPing({ ...headers, 'x-wc-webhook-signature': 'x' }, body), false);
  assert.equal(isPing(headers, new TextEncoder().encode('webhook_id=1&x=2')), false);
  assert.equal(isPing({}, body), false);
});

const signed = (text: string, topic: string) => {
  const body = new TextEncoder().encode(text);
  return { body, headers: { 'x-wc-webhook-signature': signBase64(body, 'k'), 'x-wc-webhook-topic': topic } };
};

test('[C11] huge ids are exact; a new variation names its product too', () => {
  const text = '{"id":9007199254740993,"type":"variation","parent_id":9007199254740995}';
  assert.deepEqual(verifyDelivery(signed(text, 'product.created'), ['k'])?.signals, [
    { kind: 'variant', externalId: '9007199254740993' },
    { kind: 'product', externalId: '9007199254740995' },
  ]);
});

test('other topics have no signals; without a delivery id repeats are told by their content', () => {
  const one = verifyDelivery(signed('{"id":1}', 'order.updated'), ['k']);
  assert.deepEqual(one?.signals, []);
  assert.equal(one?.deliveryId, verifyDelivery(signed('{"id":1}', 'order.updated'), ['k'])?.deliveryId);
  assert.notEqual(one?.deliveryId, verifyDelivery(signed('{"id":2}', 'order.updated'), ['k'])?.deliveryId);
});

test('of a topic that is no topic only its beginning is kept, and the id is a hash however long the header is', () => {
  const { headers, body } = signed('{"id":1}', `product.${'x'.repeat(10_000)}`);
  const long = verifyDelivery({ headers: { ...headers, 'x-wc-webhook-delivery-id': 'y'.repeat(10_000) }, body }, ['k']);
  assert.equal(long?.topic, `product.${'x'.repeat(56)}`);
  assert.equal(long?.deliveryId.length, 64);
});
