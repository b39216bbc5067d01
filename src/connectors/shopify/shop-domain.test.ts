import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { normaliseShopDomain, shopOrigin } from './shop-domain.ts';

test('what people paste becomes the permanent domain', () => {
  for (const text of [
    'my-shop.myshopify.com',
    '  My-Shop.MyShopify.com/ ',
    'https://my-shop.myshopify.com',
    'https://my-shop.myshopify.com/admin/products?page=1#top',
    'http://my-shop.myshopify.com/admin',
    'https://admin.shopify.com/store/my-shop',
    'https://admin.shopify.com/store/my-shop/settings/domains?x=1',
    'admin.shopify.com/store/My-Shop/',
    'my-shop',
    '"my-shop.myshopify.com"',
    'my-shop.myshopify.com.',
    'https://owner@my-shop.myshopify.com/',
  ]) {
    assert.equal(normaliseShopDomain(text), 'my-shop.myshopify.com', text);
  }
  assert.equal(shopOrigin('my-shop.myshopify.com'), 'https://my-shop.myshopify.com');
});

test('what is no shop is refused in words for the form', () => {
  for (const [text, words] of [
    ['', /Enter/],
    ['   ', /Enter/],
    ['www.my-shop.com', /Settings, Domains/],
    ['https://my-shop.com/collections', /Settings, Domains/],
    ['https://admin.shopify.com/', /names no shop/],
    ['https://admin.shopify.com/store/', /names no shop/],
    ['a.b.myshopify.com', /one word/],
    ['-x.myshopify.com', /one word/],
    ['.myshopify.com', /one word/],
    ['evil.com/my-shop.myshopify.com', /Settings, Domains/],
    ['my-shop.myshopify.com.evil.com', /Settings, Domains/],
    ['my shop', /not a shop/],
    ['127.0.0.1:18090', /local/],
    ['localhost:3000', /local/],
  ] as const) {
    assert.throws(
      () => normaliseShopDomain(text),
      (error) =>
        error instanceof ConnectorError &&
        error.kind === 'rejected' &&
        error.details.field === 'shopDomain' &&
        words.test(error.message),
      text,
    );
  }
});

test('a loopback address is taken where local stores are allowed, and called over http', () => {
  assert.equal(normaliseShopDomain('http://127.0.0.1:18090/admin', { allowLocal: true }), '127.0.0.1:18090');
  assert.equal(normaliseShopDomain('localhost:18090', { allowLocal: true }), 'localhost:18090');
  assert.equal(shopOrigin('127.0.0.1:18090'), 'http://127.0.0.1:18090');
  assert.throws(() => normaliseShopDomain('10.0.0.5:18090', { allowLocal: true }));
});
