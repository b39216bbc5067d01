import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '../../api/activity.ts';
import { toStories } from '../../api/activity-story.ts';
import { feedItems } from './feed-items.ts';

const change = { productId: 'p', title: 'Mug', field: 'price', from: 1, to: 2 };

function row(seq: number, pairId: string | null, type: string, side: string): Activity {
  return { seq, type, level: 'info', text: '', pairId, payload: { ...change, side }, at: new Date(seq).toISOString() };
}

test('a story has the currency of its own pair, and none where that is not known', () => {
  const rows = [
    row(5, 'pair_gone', 'field_changed', 'shopify'),
    row(4, null, 'field_changed', 'shopify'),
    row(3, 'pair_yen', 'field_written', 'shopify'),
    row(2, 'pair_yen', 'field_changed', 'woocommerce'),
    row(1, 'pair_euro', 'field_written', 'shopify'),
  ];
  const pairs = [
    { _id: 'pair_euro', currency: 'EUR' },
    { _id: 'pair_yen', currency: 'JPY' },
  ];
  const items = feedItems(toStories(rows), rows, pairs);
  assert.deepEqual(
    items.map(({ seq, currency }) => [seq, currency]),
    [
      [5, null],
      [4, null],
      [3, 'JPY'],
      [1, 'EUR'],
    ],
  );
});
