import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '../../src/contracts/activity.ts';
import { toStories } from './activity-story.ts';

function row(seq: number, type: string, payload: unknown, atMs = seq): Activity {
  return { seq, type, level: 'info', text: type, pairId: 'pair_1', payload, at: new Date(atMs).toISOString() };
}

const sold = { productId: 'p', variantId: 'v', sku: 'MUG', title: 'Mug', side: 'woocommerce', from: 5, to: 4 };
const written = { productId: 'p', variantId: 'v', sku: 'MUG', side: 'shopify', from: 5, to: 4 };

test('a change and the write that it caused are one story, with the time between', () => {
  const stories = toStories([row(2, 'stock_written', written, 172), row(1, 'stock_changed', sold, 100)]);
  assert.equal(stories.length, 1);
  const [story] = stories;
  assert.equal(story?.to, 'shopify');
  assert.equal(story?.title, 'Mug');
  assert.equal(story?.tookMs, 72);
  assert.equal(story?.field, 'stock');
});

test('until it is written, a change stands for itself, on the side where it was seen', () => {
  const [story] = toStories([row(1, 'stock_changed', sold)]);
  assert.equal(story?.to, null);
  assert.equal(story?.seenOn, 'woocommerce');
});

test('a write long after, or of another thing, is a story of its own', () => {
  const late = toStories([row(2, 'stock_written', written, 900_000), row(1, 'stock_changed', sold, 0)]);
  assert.deepEqual(
    late.map(({ tookMs }) => tookMs),
    [null, null],
  );
  const other = toStories([row(2, 'stock_written', { ...written, variantId: 'w' }), row(1, 'stock_changed', sold)]);
  assert.equal(other.length, 2);
});

test('rows without fields keep the server’s words, newest first', () => {
  const stories = toStories([row(3, 'sync_completed', {}), row(1, 'pair_paused', null)]);
  assert.deepEqual(
    stories.map(({ seq, text }) => [seq, text]),
    [
      [3, 'sync_completed'],
      [1, 'pair_paused'],
    ],
  );
});

test('what a person decided is a story of its own: the change that waited for it was not carried across in that time', () => {
  const price = { productId: 'p', variantId: 'v', title: 'Mug', field: 'price', from: 1, to: 2 };
  const changed = row(1, 'field_changed', { ...price, side: 'woocommerce' });
  const opened = row(2, 'conflict_opened', { productId: 'p', title: 'Mug', field: 'variant.v.price', side: 'shopify' });
  const decided = row(3, 'field_written', { ...price, side: 'shopify' });
  assert.deepEqual(
    toStories([decided, opened, changed]).map(({ seq, tookMs }) => [seq, tookMs]),
    [
      [3, null],
      [2, null],
      [1, null],
    ],
  );
  const title = { productId: 'p', title: 'Mug', field: 'title', from: 'a', to: 'b' };
  const rows = [
    row(3, 'field_written', { ...title, side: 'shopify' }),
    row(2, 'conflict_opened', { productId: 'p', title: 'Mug', field: 'title', side: 'shopify' }),
    row(1, 'field_changed', { ...title, side: 'woocommerce' }),
  ];
  assert.equal(toStories(rows).length, 3);
});
