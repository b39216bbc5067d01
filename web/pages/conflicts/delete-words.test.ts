import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteFate, deleteTitle, deleteValue } from './delete-words.ts';

const BY_WOO = { side: 'woocommerce' } as const;

test('a delete against an edit says which store did which, and each choice what it stands for', () => {
  assert.equal(deleteTitle(BY_WOO), 'Deleted in WooCommerce, changed in Shopify');
  assert.equal(deleteValue(BY_WOO, 'woocommerce'), 'Deleted');
  assert.equal(deleteValue(BY_WOO, 'shopify'), 'Kept');
});

test('what comes of it: put away where the delete wins and the pair does not leave it, kept where the edit does', () => {
  assert.equal(
    deleteFate('woocommerce', 'woocommerce'),
    'it is put away in Shopify, too, unless the pair is set to leave it there',
  );
  assert.equal(deleteFate('woocommerce', 'shopify'), 'it is kept, against the delete');
  assert.equal(
    deleteFate('shopify', 'shopify', 2),
    'they are put away in WooCommerce, too, unless the pair is set to leave them there',
  );
});
