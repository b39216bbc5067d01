import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../api/records.ts';
import { changeTitle, formerLabels, hasValues, toChangeStories } from './change-stories.ts';

function change(seq: number, over: Partial<Change>): Change {
  return {
    ...{ seq, recordId: 'prd_1', variantId: null, field: 'tags', origin: 'woocommerce', target: null, from: [] },
    ...{ to: ['home'], cause: 'outside_change', runId: null, at: new Date(seq * 1_000).toISOString() },
    ...over,
  };
}
const write = (seq: number, over: Partial<Change> = {}) =>
  change(seq, { origin: null, target: 'shopify', cause: 'written', ...over });

test('a change and the write that carried it across are one line', () => {
  const stories = toChangeStories([write(2), change(1, {})]);
  assert.deepEqual(
    stories.map(({ seq, carried }) => [seq, carried?.target]),
    [[1, 'shopify']],
  );
});

test('another field, variant, value or side, or much later, is a line of its own', () => {
  for (const other of [
    { field: 'title' },
    { variantId: 'var_1' },
    { to: ['sale'] },
    { target: 'woocommerce' as const },
    { at: new Date(500_000).toISOString() },
    { cause: 'unanswered' },
  ])
    assert.equal(toChangeStories([write(2, other), change(1, {})]).length, 2, JSON.stringify(other));
});

test('what a person decided in between is what the write carried: the change before it did not cross by itself', () => {
  const decided = change(2, { origin: null, cause: 'person', from: ['garden'] });
  assert.deepEqual(
    toChangeStories([write(3), decided, change(1, {})]).map(({ seq, carried }) => [seq, carried]),
    [
      [3, null],
      [2, null],
      [1, null],
    ],
  );
  const ofAnother = change(2, { origin: null, cause: 'person', field: 'title' });
  assert.equal(toChangeStories([write(3), ofAnother, change(1, {})]).length, 2);
});

test('each write carries one change, the newest before it', () => {
  const stories = toChangeStories([write(4), change(3, {}), write(2), change(1, {})]);
  assert.deepEqual(
    stories.map(({ seq, carried }) => [seq, carried?.seq]),
    [
      [3, 4],
      [1, 2],
    ],
  );
});

test('what came or went is said in words, without a yes and a no; a variant that is gone keeps its name', () => {
  const gone = change(2, { field: 'deleted', variantId: 'var_1', from: false, to: true });
  const made = change(1, { field: 'created', variantId: 'var_1', from: null, to: ['Sand'] });
  assert.deepEqual([changeTitle(gone), hasValues(gone)], ['Variant deleted', false]);
  assert.deepEqual([changeTitle(made), hasValues(made)], ['Variant created', false]);
  assert.equal(changeTitle({ ...gone, from: true, to: false }), 'Variant brought back');
  const joined = change(4, { field: 'deleted', from: false, to: true, cause: 'joined' });
  assert.equal(changeTitle(joined), "Joined with the other store's product");
  const away = change(3, { field: 'deleted', from: 'active', to: 'archived', cause: 'delete' });
  assert.deepEqual([changeTitle(away), hasValues(away)], ['Product deleted', false]);
  assert.equal(changeTitle({ ...away, to: null }), 'Product deleted');
  assert.equal(changeTitle({ ...away, from: 'archived', to: 'active', cause: 'restore' }), 'Product brought back');
  assert.equal(formerLabels([gone, made]).get('var_1'), 'Sand');
  assert.deepEqual([changeTitle(change(1, {})), hasValues(change(1, {}))], ['Tags', true]);
});
