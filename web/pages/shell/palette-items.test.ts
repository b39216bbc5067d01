import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAnswer } from '../../api/api-error.ts';
import { matchItems, noteBelow, toldApart } from './palette-items.ts';

const items = [
  { group: 'Do', label: 'Run quick sync on Northfold' },
  { group: 'Go to', label: 'Sync history' },
  { group: 'Go to', label: 'Overview' },
  { group: 'Records', label: 'Candle', note: 'CANDLE-S' },
] as const;

test('every word has to begin a word of the label; groups keep their order; records come from the server', () => {
  const labels = (query: string) => matchItems(items, query).map(({ label }) => label);
  assert.deepEqual(labels(''), ['Sync history', 'Overview', 'Run quick sync on Northfold', 'Candle']);
  assert.deepEqual(labels('SYNC'), ['Sync history', 'Run quick sync on Northfold', 'Candle']);
  assert.deepEqual(labels(' north sync '), ['Run quick sync on Northfold', 'Candle']);
  assert.deepEqual(labels('ync'), ['Candle']);
});

test('actions on pairs of one WooCommerce store name the other store', () => {
  const [home, shop] = ['Home', 'Shop'].map((name) => ({ woocommerce: { name } }));
  assert.ok(home && shop);
  assert.deepEqual(toldApart([home, shop, home], 'Home', 'Home DE'), { note: 'Home DE' });
  assert.deepEqual(toldApart([home, shop, home], 'Shop', 'Shop DE'), {});
});

test('that nothing matches is said once everything has answered; what could not be asked is said in any case', () => {
  const answered = { data: {}, error: null };
  const open = { data: undefined, error: null };
  const failed = { data: undefined, error: noAnswer() };
  assert.equal(noteBelow(0, [answered]), 'Nothing matches.');
  assert.equal(noteBelow(0, [answered, open]), 'Nothing matches so far. The search goes on.');
  assert.equal(noteBelow(3, [answered, open]), null);
  const why = 'No answer from the server. Check your connection, then try again.';
  assert.deepEqual([noteBelow(0, [open, failed]), noteBelow(3, [failed])], [why, why]);
  assert.equal(noteBelow(0, [{ data: undefined, error: new TypeError('?') }]), 'Not everything could be searched.');
  assert.equal(noteBelow(1, [{ data: {}, error: noAnswer() }]), null, 'what is there from before is searched');
});
