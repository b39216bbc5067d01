import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledWords, takenFrom } from './settled-words.ts';

const AT = { field: 'title', closedAt: null } as const;

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

test('of a delete against an edit it says which of the two counted', () => {
  const deletion = { field: 'deleted', side: 'shopify', closedAt: null } as const;
  // As it was chosen, and as it stands once it is carried out.
  for (const resolution of ['remote', 'deleted']) {
    assert.equal(takenFrom({ ...deletion, resolution }), 'shopify');
    assert.equal(settledWords({ ...deletion, resolution }), 'Resolved: the delete in Shopify was followed.');
  }
  for (const resolution of ['hub', 'kept']) {
    assert.equal(takenFrom({ ...deletion, resolution }), 'woocommerce');
    assert.equal(settledWords({ ...deletion, resolution }), 'Resolved: the product was kept, against the delete.');
  }
  assert.equal(
    settledWords({ ...deletion, resolution: 'lapsed' }),
    'Resolved: it did not have to be resolved any more.',
  );
});
