import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../contracts/stores.ts';
import { needsYou } from './needs-you.ts';

test('a store that refuses our keys is named, with what it means and what it said', () => {
  const store = { _id: 'str_1', name: 'Northfold', status: 'error', statusReason: 'Sorry, you cannot list resources.' };
  const texts = (one: object) => needsYou([one as Store], [], []).map(({ text }) => text);
  assert.deepEqual(texts(store), ['Northfold does not let us in any more: Sorry, you cannot list resources.']);
  assert.deepEqual(texts({ ...store, statusReason: null }), ['Northfold does not let us in any more']);
});
