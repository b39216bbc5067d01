import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStories } from './activity-story.ts';
import { shownCounts, toldOf } from './filter-counts.ts';

const SIDES = { stock_changed: 'shopify', stock_written: 'woocommerce' } as const;

function row(seq: number, type: string) {
  const payload = { variantId: `v${Math.ceil(seq / 2)}`, side: SIDES[type as keyof typeof SIDES] };
  return { seq, type, level: 'info' as const, text: '', pairId: null, payload, at: new Date(seq).toISOString() };
}

/** Two sales and what was written for them, a problem and a run. */
const ROWS = ['stock_changed', 'stock_written', 'stock_changed', 'stock_written', 'problem', 'sync_completed']
  .map((type, at) => row(at + 1, type))
  .reverse();
const SERVER = { all: 6, products: 4, orders: 0, errors: 1 };

const told = (rows: typeof ROWS, nextCursor: string | null = null) => toldOf({ nextCursor }, toStories(rows));

test('a filter counts what stands under it: a change and its write are one', () => {
  const all = told(ROWS);
  assert.equal(all.stories.length, 4);
  assert.deepEqual(shownCounts('all', all, all, SERVER), { all: 4, products: 2, orders: 0, errors: 1 });
  const errors = told(ROWS.filter(({ type }) => type === 'problem'));
  assert.deepEqual(shownCounts('errors', errors, all, SERVER), { all: 4, products: 2, orders: 0, errors: 1 });
});

test('of what is older than the page only a lower bound is said, and the open list says what it shows', () => {
  const all = told(ROWS, 'more');
  const products = told(ROWS.filter(({ type }) => type.startsWith('stock')));
  const atLeast = { all: { atLeast: 4 }, orders: 0, errors: 1 };
  assert.deepEqual(shownCounts('all', all, all, SERVER), { ...atLeast, products: { atLeast: 2 } });
  assert.deepEqual(shownCounts('products', products, all, SERVER), { ...atLeast, products: 2 });
});

test('nothing is counted before it is read', () => {
  assert.deepEqual(shownCounts('all', undefined, undefined, undefined), {});
  assert.deepEqual(shownCounts('products', undefined, undefined, SERVER), { orders: 0, errors: 1 });
});
