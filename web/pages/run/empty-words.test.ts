import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../api/runs.ts';
import { emptyWords } from './empty-words.ts';

const run = (status: Run['status'], totalProcessed = 8) => ({
  status,
  stats: { totalProcessed, successful: totalProcessed, failed: 0, written: 0, skipped: 0 },
});

test('an empty list of a run says why it is empty, beside figures that say that 8 records were looked at', () => {
  assert.equal(emptyWords(run('completed'), false).title, 'Nothing had to be written');
  assert.equal(emptyWords(run('completed', 0), false).title, 'There was no record to look at');
  assert.equal(emptyWords(run('failed', 0), false).title, 'It ended before any record was written');
  assert.equal(emptyWords(run('cancelled', 3), false).title, 'It ended before any record was written');
  assert.equal(emptyWords(run('completed'), true).title, 'No record in this list');
  assert.equal(emptyWords(run('running'), false).title, 'Reading both stores');
});
