import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldValue } from './field-value.ts';

const PRICE = { regularMinor: 2400, saleMinor: 1800 };

test('a price has the sign of its currency; where that is not known, nobody knows where its minor units begin', () => {
  assert.equal(fieldValue('price', PRICE, 'EUR'), '€18.00, was €24.00');
  assert.equal(fieldValue('price', PRICE, null), 'A price in an unknown currency');
  assert.equal(fieldValue('price', { regularMinor: null, saleMinor: null }, null), 'No price');
});

test('every kind of value has words, and none is told as a program writes it', () => {
  assert.equal(fieldValue('tags', [], null), 'None');
  assert.equal(fieldValue('tags', ['home', 'sale'], null), 'home, sale');
  assert.equal(fieldValue('variant.var_1.weightMg', 1_250_000, null), '1,250 g');
  assert.equal(fieldValue('descriptionHtml', '<p>For the <b>house</b>.</p>', null), 'For the house.');
  assert.equal(fieldValue('deleted', 'active', null), 'Active');
  assert.equal(fieldValue('deleted', 'archived', null), 'Archived');
  assert.deepEqual(
    [false, true].map((value) => fieldValue('deleted', value, null)),
    ['There', 'Deleted'],
  );
  assert.equal(fieldValue('taxable', true, null), 'Yes');
  assert.equal(fieldValue('unheard', { of: 1 }, null), 'Something else');
});
