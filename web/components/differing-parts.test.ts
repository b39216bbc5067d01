import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differingParts } from './differing-parts.ts';

test('what both share at the start and the end stays unmarked', () => {
  assert.deepEqual(differingParts('$84.00', '$89.00'), ['$8', '4', '.00']);
  assert.deepEqual(differingParts('Merino crew neck, Oat', 'Merino crew, Oat'), ['Merino crew', ' neck', ', Oat']);
});

test('equal texts differ in nothing, and nothing is counted twice', () => {
  assert.deepEqual(differingParts('same', 'same'), ['same', '', '']);
  assert.deepEqual(differingParts('aa', 'aaa'), ['aa', '', '']);
  assert.deepEqual(differingParts('', 'x'), ['', '', '']);
});

test('emoji are not cut in half', () => {
  assert.deepEqual(differingParts('Mug 🏕', 'Mug 🏖'), ['Mug ', '🏕', '']);
});
