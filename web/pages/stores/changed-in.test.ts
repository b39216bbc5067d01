import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedIn } from './changed-in.ts';

test('only what was changed is sent, and a value that was chosen and taken back is not', () => {
  const opened = { syncDirection: 'bidirectional', syncPrices: false, syncInventory: true };
  assert.deepEqual(changedIn({ ...opened }, opened), {});
  assert.deepEqual(changedIn({ ...opened, syncPrices: true }, opened), { syncPrices: true });
  assert.deepEqual(changedIn({ ...opened, syncInventory: false, syncDirection: 'woocommerce_to_shopify' }, opened), {
    syncDirection: 'woocommerce_to_shopify',
    syncInventory: false,
  });
  const createOn = { woocommerce: true, shopify: false };
  assert.deepEqual(changedIn({ createOn: { ...createOn } }, { createOn }), {});
  assert.deepEqual(changedIn({ createOn: { ...createOn, shopify: true } }, { createOn }), {
    createOn: { woocommerce: true, shopify: true },
  });
});
