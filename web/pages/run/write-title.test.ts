import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeTitle } from './write-title.ts';

test('a write is told by its field and its variant; what was made, by where', () => {
  const side = 'shopify';
  assert.equal(writeTitle({ field: 'price', variantLabel: 'Large', side }), 'Price, Large');
  assert.equal(writeTitle({ field: 'descriptionHtml', variantLabel: null, side }), 'Description');
  assert.equal(writeTitle({ field: 'created', variantLabel: null, side }), 'Created in Shopify');
  assert.equal(writeTitle({ field: 'created', variantLabel: 'XL', side }), 'Variant created in Shopify, XL');
});
