import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConflictedRecord } from './group-conflicts.ts';
import { recordAfter, shownRecord } from './shown-record.ts';

function record(recordId: string): ConflictedRecord {
  return { recordId, title: recordId, sku: '', openedAt: '', conflicts: [] };
}

const LIST = [record('mug'), record('bowl'), record('pot')];

test('the record that is wanted is shown, and the first where none is', () => {
  assert.deepEqual(shownRecord(LIST, 'bowl', undefined), { is: 'record', record: record('bowl') });
  assert.deepEqual(shownRecord(LIST, null, undefined), { is: 'record', record: record('mug') });
  assert.equal(shownRecord([], null, undefined), null);
});

test('a record that the list does not hold is asked for; another one is never shown in its place', () => {
  assert.deepEqual(shownRecord(LIST, 'lamp', undefined), { is: 'asking' });
  assert.deepEqual(shownRecord(LIST, 'lamp', [record('lamp')]), { is: 'record', record: record('lamp') });
  assert.deepEqual(shownRecord(LIST, 'lamp', []), { is: 'settled' });
  assert.deepEqual(shownRecord(LIST, 'lamp', [record('mug')]), { is: 'settled' });
  assert.deepEqual(shownRecord([], 'lamp', []), { is: 'settled' });
});

test('after a record comes the next, after the last one the one before, and after the only one none', () => {
  assert.equal(recordAfter(LIST, 'mug'), 'bowl');
  assert.equal(recordAfter(LIST, 'pot'), 'bowl');
  assert.equal(recordAfter([record('mug')], 'mug'), null);
  // It came from beyond the list.
  assert.equal(recordAfter(LIST, 'lamp'), 'mug');
  assert.equal(recordAfter([], 'lamp'), null);
});
