import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldValue } from './field-value.ts';

const PRICE = { regularMinor: 2400, saleMinor: 1800 };

test('a price has the sign of its currency, and none where that is not known', () => {
  assert.equal(fieldValue('price', PRICE, 'EUR'), '€18.00, was €24.00');
  assert.equal(fieldValue('price', PRICE, null), '18.00, was 24.00');
});
