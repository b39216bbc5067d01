import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchItems } from './palette-items.ts';

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
