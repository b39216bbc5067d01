import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesShopifyItem, namesWooProduct } from './names-item.ts';
import { covered } from './numbers.ts';

test('what exchanges cover is counted once, and an exchange without an answer covers nothing', () => {
  const spans = [
    { startedAt: 0, endedAt: 12 },
    { startedAt: 11, endedAt: 14 },
    { startedAt: 18, endedAt: 30 },
  ];
  assert.equal(covered(10, 20, spans), 6);
  const unanswered = { startedAt: 5, endedAt: Number.POSITIVE_INFINITY };
  assert.equal(covered(10, 20, [unanswered]), 0);
  assert.equal(covered(10, 20, [unanswered, ...spans]), 6);
});

test('a request belongs to the item that its address or body names, not to one whose number it holds otherwise', () => {
  const item = { sku: 'A', wooId: 100, inventoryItemId: 'gid://shopify/InventoryItem/100' };
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: woo\r\nContent-Length: 100\r\n\r\n`;
  assert.ok(namesWooProduct(get('/wp-json/wc/v3/products/100?context=edit'), item));
  assert.ok(namesWooProduct(get('/wp-json/wc/v3/products?include=7%2C100&per_page=100'), item));
  assert.ok(!namesWooProduct(get('/wp-json/wc/v3/products?include=7,1001&per_page=100'), item));
  const batch = (id: number) =>
    `POST /wp-json/wc/v3/products/batch HTTP/1.1\r\n\r\n{"update":[{"id":${id},"stock_quantity":100}]}`;
  assert.ok(namesWooProduct(batch(100), item));
  assert.ok(!namesWooProduct(batch(1000), item));
  const post = (ids: string) => `POST /admin/api/graphql.json HTTP/1.1\r\n\r\n{"variables":{"ids":[${ids}]}}`;
  assert.ok(namesShopifyItem(post('"gid://shopify/InventoryItem/7","gid://shopify/InventoryItem/100"'), item));
  assert.ok(!namesShopifyItem(post('"gid://shopify/InventoryItem/1001"'), item));
});
