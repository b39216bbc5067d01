import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchKeys, splitSearchKeys } from './search-key.ts';

test('a variant is found by its SKU and by a valid GTIN, each as it is compared', () => {
  assert.deepEqual(searchKeys({ sku: ' Mug-1 ', barcode: '036000291452' }), ['gtin:00036000291452', 'sku:mug-1']);
  assert.deepEqual(searchKeys({ sku: 'gtin:1', barcode: '0036000291452' }), ['gtin:00036000291452', 'sku:gtin:1']);
  assert.deepEqual(searchKeys({ sku: ' ', barcode: '036000291453' }), [], 'a wrong check digit is no GTIN');
});

test('SKUs and GTINs are told apart, each once', () => {
  assert.deepEqual(splitSearchKeys(['sku:a', 'gtin:00036000291452', 'sku:a', 'sku:gtin:1']), {
    skus: ['a', 'gtin:1'],
    gtins: ['00036000291452'],
  });
  assert.deepEqual(splitSearchKeys([]), { skus: [], gtins: [] });
});
