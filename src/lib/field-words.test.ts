import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldWords } from './field-words.ts';

test('fields are told without ids and without units', () => {
  const words = { title: 'title', descriptionHtml: 'description', optionNames: 'option names', sku: 'SKU' };
  for (const [path, said] of Object.entries(words)) assert.equal(fieldWords(path), said);
  assert.equal(fieldWords('variant.var_01m80bjc7ce3h.price'), 'price');
  assert.equal(fieldWords('variant.var_01m80bjc7ce3h.weightMg'), 'weight');
});
