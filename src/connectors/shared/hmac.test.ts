import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSigned, signBase64 } from './hmac.ts';

const body = new TextEncoder().encode('{"id":39}');

test('any of several secrets opens, none else', () => {
  // Recorded from a real WooCommerce: see woocommerce/fixtures/webhook_delivery_product.deleted.json.
  const signature = 'v7kMSFkrDvd5VOWI8VIOs6qHEt/6xPhUt7o5YeIknpY=';
  assert.equal(signBase64(body, 's3cr3t'), signature);
  assert.equal(isSigned(body, signature, ['s3cr3t']), true);
  assert.equal(isSigned(body, signature, ['new', 's3cr3t']), true);
  assert.equal(isSigned(body, signature, ['new']), false);
  assert.equal(isSigned(body, signature, []), false);
});

test('malformed signatures and empty secrets never match', () => {
  for (const bad of [undefined, '', '=', 'x', `${signBase64(body, 'a')}A`, '💥', signBase64(body, 'a').slice(0, 43)]) {
    assert.equal(isSigned(body, bad, ['a']), false);
  }
  assert.equal(isSigned(body, signBase64(body, ''), ['']), false);
});
