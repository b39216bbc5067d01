import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopOf } from './shop.ts';

const woo = (address: string, identity = 'shop.example') => shopOf({ platform: 'woocommerce', address, identity });
const shopify = (address: string, identity: string) => shopOf({ platform: 'shopify', address, identity });

test('[A6] a WooCommerce shop is what stands at its address, with and without "www." and TLS', () => {
  assert.equal(woo('https://shop.example'), woo('http://www.shop.example'));
  assert.equal(woo('https://shop.example/a'), woo('https://shop.example/a', 'shop.example/a'));
  assert.notEqual(woo('https://shop.example/a'), woo('https://shop.example/b'));
  assert.notEqual(woo('http://127.0.0.1:8080'), woo('http://127.0.0.1:8081'));
});

test('a site that says it is another one is not taken for that', () => {
  assert.notEqual(woo('https://forger.example', 'shop.example'), woo('https://shop.example', 'shop.example'));
});

test('[A6] a Shopify shop is its permanent domain, whichever of its domains it was connected by', () => {
  const shop = shopify('a1b2c3-4d.myshopify.com', 'a1b2c3-4d.myshopify.com');
  assert.equal(shopify('northfold.myshopify.com', 'A1B2C3-4d.myshopify.com'), shop);
  assert.notEqual(shopify('127.0.0.1:18090', 'a1b2c3-4d.myshopify.com'), shop);
  assert.notEqual(woo('https://a1b2c3-4d.myshopify.com', 'a1b2c3-4d.myshopify.com'), shop);
});
