import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShelfItem, ShelvesReply } from '../../api/demo.ts';
import { differencesOf, differenceWords, tiltOf, toTwins } from './twin-items.ts';

function item(sku: string, change: Partial<ShelfItem> = {}): ShelfItem {
  return { sku, title: sku, variant: '', priceMinor: 100, currency: 'USD', stock: 5, ...change };
}

function shelves(left: readonly ShelfItem[], right: readonly ShelfItem[]): ShelvesReply {
  return {
    pairId: 'pair_1',
    woocommerce: { storeId: 'str_1', name: 'W', items: [...left] },
    shopify: { storeId: 'str_2', name: 'S', items: [...right] },
  };
}

test('twins stand in the order of the left shelf; what only the right one has comes after', () => {
  const twins = toTwins(shelves([item('b'), item('a')], [item('a'), item('c'), item('b')]));
  assert.deepEqual(
    twins.map(({ sku }) => sku),
    ['b', 'a', 'c'],
  );
  assert.equal(twins[2]?.woocommerce, null);
});

test('differences are named, and the level tilts to the fuller side', () => {
  const [twin] = toTwins(shelves([item('a', { stock: 4 })], [item('a', { priceMinor: 90 })]));
  assert.ok(twin);
  assert.deepEqual(differencesOf(twin), ['price', 'stock']);
  assert.equal(tiltOf([twin]), 'right');
  assert.equal(tiltOf(toTwins(shelves([item('a')], [item('a')]))), 'level');
  assert.equal(tiltOf(toTwins(shelves([item('a')], []))), 'left');
});

test('sizes of one product are drawn in steps, the last one whole', () => {
  const pots = ['12 cm', '18 cm', '24 cm'].map((variant) => item(variant, { title: 'Pot', variant }));
  assert.deepEqual(
    toTwins(shelves(pots, pots)).map(({ step }) => step),
    [3, 2, 1],
  );
});

test('one label differs, two differ', () => {
  assert.deepEqual(
    [differenceWords(1, false), differenceWords(2, false), differenceWords(1, true)],
    ['1 label differs', '2 labels differ', '1 label on the way'],
  );
});
