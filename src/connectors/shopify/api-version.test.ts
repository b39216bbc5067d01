import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_VERSION, versionAnswer, versionNotice } from './api-version.ts';

const DAY_MS = 86_400_000;

test('no word while the version has long to live, a warning 90 days before, an error after', () => {
  assert.equal(versionNotice(API_VERSION.releasedAt), null);
  assert.equal(versionNotice(API_VERSION.expiresAt - 91 * DAY_MS), null);
  const warning = versionNotice(API_VERSION.expiresAt - 30 * DAY_MS);
  assert.equal(warning?.level, 'warning');
  assert.match(warning?.message ?? '', /2027-10-01, in 30 days/);
  assert.equal(versionNotice(API_VERSION.expiresAt)?.level, 'error');
  assert.equal(versionNotice(API_VERSION.expiresAt + DAY_MS)?.level, 'error');
});

test('a version is served for at least twelve months', () => {
  assert.ok(API_VERSION.expiresAt - API_VERSION.releasedAt >= 365 * DAY_MS);
});

test('headers tell the served version and why a use is deprecated', () => {
  assert.deepEqual(versionAnswer({}), { served: null, deprecatedReason: null });
  assert.deepEqual(
    versionAnswer({ 'x-shopify-api-version': '2027-01', 'x-shopify-api-deprecated-reason': 'https://x' }),
    {
      served: '2027-01',
      deprecatedReason: 'https://x',
    },
  );
});
