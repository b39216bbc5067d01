import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conflict } from '../../api/conflicts.ts';
import { bulkEffect, reasonsOf } from './bulk-words.ts';

function conflict(recordId: string, field: string, side: 'woocommerce' | 'shopify' = 'shopify'): Conflict {
  return { _id: `${recordId}/${field}`, recordId, field, side } as Conflict;
}

test('the confirmation says how many, who wins, and how many values of which field the other store gets', () => {
  const list = [conflict('mug', 'title'), conflict('mug', 'variant.v1.price'), conflict('bowl', 'variant.v2.price')];
  assert.deepEqual(bulkEffect(list, 'woocommerce'), {
    summary: 'WooCommerce wins in 3 conflicts of 2 records.',
    fields: ['Price: 2 values', 'Title: 1 value'],
    deletes: [],
  });
});

test('a delete is told by what comes of it: taken where its own side wins, kept from where the other does', () => {
  const list = [conflict('mug', 'deleted', 'woocommerce'), conflict('pot', 'deleted', 'shopify')];
  assert.deepEqual(bulkEffect(list, 'woocommerce').deletes, [
    '1 product that WooCommerce deleted: it is put away in Shopify, too, unless the pair is set to leave it there.',
    '1 product that Shopify deleted: it is kept, against the delete.',
  ]);
  assert.deepEqual(bulkEffect(list, 'woocommerce').fields, []);
});

test('what was not resolved stands by its reason, the most common first', () => {
  const list = [
    { conflict: conflict('a', 'title'), why: 'moved' },
    { conflict: conflict('b', 'title'), why: 'closed' },
    { conflict: conflict('c', 'title'), why: 'closed' },
  ];
  assert.deepEqual(
    reasonsOf(list).map(({ why, conflicts }) => [why, conflicts.length]),
    [
      ['closed', 2],
      ['moved', 1],
    ],
  );
});
