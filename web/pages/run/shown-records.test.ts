import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownRecords } from './shown-records.ts';

test('a page of a run is not taken for the run', () => {
  const counts = { written: 9_940, failed: 60 };
  assert.equal(shownRecords(50, counts, undefined), '50 of 10,000 records');
  assert.equal(shownRecords(50, counts, 'failed'), '50 of 60 records');
  assert.equal(shownRecords(60, counts, 'failed'), '60 records');
  assert.equal(shownRecords(1, { written: 1 }, undefined), '1 record');
  assert.equal(shownRecords(0, {}, 'skipped'), '0 records');
});
