import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, checkForm, checkMove, cleanShopDomain, cleanUrl, EMPTY_CONNECT, moveOf } from './connect-form.ts';

test('pasted site addresses are cleaned', () => {
  assert.equal(cleanUrl(' northfold.com/ '), 'https://northfold.com');
  assert.equal(cleanUrl('https://northfold.com/shop/wp-admin/index.php'), 'https://northfold.com/shop');
  assert.equal(cleanUrl('http://127.0.0.1:8080'), 'http://127.0.0.1:8080');
  // Refused by the server for what it is, not for what it would be behind "https://".
  assert.equal(cleanUrl('ftp://northfold.com'), 'ftp://northfold.com');
});

test('pasted shop addresses become the shop’s domain', () => {
  assert.equal(cleanShopDomain('https://Northfold.myshopify.com/admin/products'), 'northfold.myshopify.com');
  assert.equal(cleanShopDomain('https://admin.shopify.com/store/northfold/settings'), 'northfold.myshopify.com');
  assert.equal(cleanShopDomain('northfold'), 'northfold.myshopify.com');
  assert.equal(cleanShopDomain('127.0.0.1:18090'), '127.0.0.1:18090');
});

test('what is missing is named, by the way that was chosen', () => {
  assert.deepEqual(Object.keys(checkForm('woocommerce', EMPTY_CONNECT)), [
    'name',
    'url',
    'consumerKey',
    'consumerSecret',
  ]);
  assert.deepEqual(Object.keys(checkForm('shopify', EMPTY_CONNECT)), ['name', 'shopDomain', 'accessToken']);
  const client = { ...EMPTY_CONNECT, way: 'client' as const };
  assert.deepEqual(Object.keys(checkForm('shopify', client)), ['name', 'shopDomain', 'clientId', 'clientSecret']);
});

test('keys are sent without the spaces around them, and only those of the chosen way', () => {
  const form = { ...EMPTY_CONNECT, name: ' N ', shopDomain: 'n', accessToken: ' shpat_1 ', clientId: 'other' };
  assert.deepEqual(bodyOf('shopify', form), {
    name: 'N',
    platform: 'shopify',
    shopDomain: 'n.myshopify.com',
    accessToken: 'shpat_1',
  });
});

test('a shop that moves needs an address; its keys may be left out, and not half of them', () => {
  assert.deepEqual(Object.keys(checkMove('woocommerce', EMPTY_CONNECT)), ['url']);
  assert.deepEqual(Object.keys(checkMove('shopify', EMPTY_CONNECT)), ['shopDomain']);
  const moved = { ...EMPTY_CONNECT, url: 'www.northfold.com/wp-admin', shopDomain: 'https://n.myshopify.com/' };
  assert.deepEqual(checkMove('woocommerce', moved), {});
  assert.deepEqual(moveOf('woocommerce', moved), { url: 'https://www.northfold.com' });
  assert.deepEqual(moveOf('shopify', moved), { shopDomain: 'n.myshopify.com' });
  const half = { ...moved, consumerSecret: 'cs_1' };
  assert.deepEqual(Object.keys(checkMove('woocommerce', half)), ['consumerKey']);
  const whole = { ...half, consumerKey: 'ck_1 ' };
  assert.deepEqual(moveOf('woocommerce', whole), {
    ...{ url: 'https://www.northfold.com', consumerKey: 'ck_1', consumerSecret: 'cs_1' },
  });
});
