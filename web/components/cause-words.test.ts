import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GUARDED_CAUSES } from '../../src/core/safety.ts';
import { causeWords } from './cause-words.ts';

test('codes are said in words, and words stay what they are', () => {
  assert.equal(causeWords('outside_change'), 'Changed in the store');
  assert.equal(causeWords('not_known_here'), 'Not known here');
  assert.equal(causeWords('It is in the bin.'), 'It is in the bin.');
  assert.equal(causeWords('timeout: no answer from the store'), 'No answer from the store');
});

test('every cause that is guarded has words of its own', () => {
  for (const code of GUARDED_CAUSES) {
    assert.notEqual(causeWords(code).toLowerCase(), code.replaceAll('_', ' '), code);
  }
});
