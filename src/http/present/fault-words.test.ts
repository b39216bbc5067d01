import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultWords } from './fault-words.ts';

const NAMES = {
  woocommerce: { name: 'Northfold', url: 'https://shop.example/store' },
  shopify: { name: 'Studio', url: 'https://studio.myshopify.com' },
};

test('what failed between two stores says which of them it failed at, by the name that people gave it', () => {
  for (const [message, told] of [
    ['WooCommerce said “Sorry, you cannot list resources”', 'Northfold said “Sorry, you cannot list resources”'],
    ['the WooCommerce store is in maintenance', 'Northfold is in maintenance'],
    ['Shopify’s listing of all products is not whole', 'Studio’s listing of all products is not whole'],
    [
      'this Shopify shop is frozen until its owner settles its bill',
      'Studio is frozen until its owner settles its bill',
    ],
    [
      'the app lacks a permission of this Shopify shop: read_products',
      'the app lacks a permission of Studio: read_products',
    ],
    ['no Shopify shop answers at this address', 'no Shopify shop answers at this address (Studio)'],
    ['WooCommerce said “No Shopify here”', 'Northfold said “No Shopify here”'],
  ] as const)
    assert.equal(faultWords(message, NAMES), told);
});

test('what names no platform, and a store that is gone, are told as they were kept', () => {
  const about = 'The pair was halted for safety; nothing more was written.';
  assert.equal(faultWords(about, NAMES), about);
  const said = 'WooCommerce said “No”';
  assert.equal(faultWords(said, { woocommerce: null, shopify: null }), said);
  assert.equal(faultWords(said, { ...NAMES, woocommerce: { ...NAMES.woocommerce, name: '$& $1' } }), '$& $1 said “No”');
});

test('a store that gave no answer is known by its host, and where two share one, by the port', () => {
  const silent = 'nothing answers at shop.example on port 443';
  assert.equal(faultWords(silent, NAMES), `${silent} (Northfold)`);
  const slow = 'no answer from https://studio.myshopify.com/admin/api within 30 s';
  assert.equal(faultWords(slow, NAMES), `${slow} (Studio)`);
  const here = (port: number, name: string) => ({ name, url: `http://127.0.0.1:${port}` });
  const both = { woocommerce: here(8081, 'Northfold'), shopify: here(8082, 'Studio') };
  assert.match(faultWords('nothing answers at 127.0.0.1 on port 8082', both), /\(Studio\)$/);
  assert.doesNotMatch(faultWords('nothing answers at 127.0.0.1 on port 9', both), /\(/);
  assert.doesNotMatch(faultWords('nothing answers at otherseshop.example on port 443', NAMES), /\(/);
});
