import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultWords } from './fault-words.ts';

const NAMES = { woocommerce: 'Northfold', shopify: 'Studio' };

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
    ['no Shopify shop answers at this address', 'Studio: no Shopify shop answers at this address'],
    ['WooCommerce said “No Shopify here”', 'Northfold said “No Shopify here”'],
  ] as const)
    assert.equal(faultWords(message, NAMES), told);
});

test('what names no platform, and a store that is gone, are told as they were kept', () => {
  const about = 'The pair was halted for safety; nothing more was written.';
  assert.equal(faultWords(about, NAMES), about);
  const said = 'WooCommerce said “No”';
  assert.equal(faultWords(said, { woocommerce: null, shopify: null }), said);
  assert.equal(faultWords(said, { woocommerce: '$& $1', shopify: null }), '$& $1 said “No”');
});
