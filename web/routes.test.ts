import assert from 'node:assert/strict';
import { test } from 'node:test';
import { link, matchPattern, PATTERN } from './routes.ts';

test('a link matches its own pattern, whatever the id', () => {
  for (const id of ['plan_1', 'a b', 'ä/ö', '%']) {
    assert.deepEqual(matchPattern(PATTERN.plan, link.plan(id)), { id });
  }
});

test('parameters match one segment each, and a slash at the end is ignored', () => {
  assert.deepEqual(matchPattern(PATTERN.run, '/runs/run_1/'), { id: 'run_1' });
  assert.equal(matchPattern(PATTERN.run, '/runs'), null);
  assert.equal(matchPattern(PATTERN.run, '/runs/a/b'), null);
  assert.deepEqual(matchPattern(PATTERN.landing, '/'), {});
});

test('empty filters leave no trace in the address', () => {
  assert.equal(link.history({}), '/sync/history');
  assert.equal(link.history({ status: '' }), '/sync/history');
  assert.equal(link.settings(), '/settings');
  assert.equal(link.login({ next: '/records?q=a&b' }), '/login?next=%2Frecords%3Fq%3Da%26b');
});

test('a tab of the settings is part of the address, not of the path', () => {
  assert.equal(link.settings({ tab: 'security' }), '/settings?tab=security');
  assert.deepEqual(matchPattern(PATTERN.settings, '/settings'), {});
  assert.equal(matchPattern(PATTERN.settings, '/settings/security'), null);
});
