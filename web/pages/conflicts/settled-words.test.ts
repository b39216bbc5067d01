import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledWords, takenFrom } from './settled-words.ts';

const AT = { closedAt: null } as const;

test('a settled conflict names the store whose value was taken, and not a code', () => {
  assert.equal(takenFrom({ side: 'shopify', resolution: 'remote' }), 'shopify');
  assert.equal(takenFrom({ side: 'shopify', resolution: 'hub' }), 'woocommerce');
  assert.equal(
    settledWords({ ...AT, side: 'shopify', resolution: 'hub' }),
    'Resolved: the value of WooCommerce was taken.',
  );
});

test('what no store won says how it ended, and an end without a reason only that it did', () => {
  assert.equal(takenFrom({ side: 'shopify', resolution: 'value' }), null);
  assert.equal(
    settledWords({ ...AT, side: 'shopify', resolution: 'met' }),
    'Resolved: both stores came to the same value.',
  );
  assert.equal(settledWords({ ...AT, side: 'shopify', resolution: null }), 'Resolved.');
});
