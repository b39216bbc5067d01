import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatShare } from './format-share.ts';

test('a share is never rounded up, and what is exact stays as it is', () => {
  assert.equal(formatShare(2_999, 3_000), '99.9%');
  assert.equal(formatShare(9_999_999, 10_000_000), '99.9%');
  assert.equal(formatShare(99.97, 100), '99.9%');
  assert.equal(formatShare(3_000, 3_000), '100%');
  assert.equal(formatShare(57, 100), '57%');
  assert.equal(formatShare(64.1, 100), '64.1%');
  assert.equal(formatShare(0, 3), '0%');
});
