import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capital } from './capital.ts';

test('a clause begins with a capital, and an address or an identifier stays what it is', () => {
  assert.equal(capital('an address has no spaces'), 'An address has no spaces');
  assert.equal(capital('élan'), 'Élan');
  assert.equal(capital('no, it isn’t'), 'No, it isn’t');
  for (const words of [
    'http://127.0.0.1:8399 is not encrypted',
    'localhost is not a name of the public internet',
    'localhost:8080 gave no answer',
    'shop.example has a certificate for another name',
    '127.0.0.1 is not an address of the public internet',
    'line_items is missing',
    'productId is missing',
    '"ftp://" is no web address',
    'WooCommerce said no',
    '',
  ])
    assert.equal(capital(words), words);
});
