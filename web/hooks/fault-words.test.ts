import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultWords } from './fault-words.ts';

test('why a run failed is a sentence, and what to do follows it', () => {
  assert.equal(
    faultWords({ code: 'UNAUTHORIZED', message: 'Northfold said “Sorry, you cannot list resources”' }),
    'Northfold said “Sorry, you cannot list resources”. Test the connection under Stores to see what shuts us out and what to do.',
  );
  assert.match(
    faultWords({ code: 'UNAVAILABLE', message: 'nothing answers at shop.example on port 443' }),
    /^Nothing .*443\. See whether/,
  );
  assert.equal(
    faultWords({ code: 'LISTING_CUT_SHORT', message: 'Northfold listed 5 of 12 records and then stopped' }),
    'Northfold listed 5 of 12 records and then stopped. What to do is told under Problems.',
  );
  const halted = 'The pair was halted for safety; nothing more was written.';
  assert.equal(faultWords({ code: 'PAIR_HALTED', message: halted }), halted);
  assert.equal(faultWords({ code: 'X', message: '' }), 'No reason was given.');
  assert.equal(faultWords(null), 'No reason was given.');
});
