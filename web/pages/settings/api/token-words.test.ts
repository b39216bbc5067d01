import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkToken, daysOf, EMPTY_TOKEN, expiryOf } from './token-words.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const DAY_MS = 86_400_000;

test('a token has a name, and lives for whole days or until it is revoked', () => {
  assert.deepEqual(Object.keys(checkToken({ ...EMPTY_TOKEN, name: ' ' })), ['name']);
  const form = { ...EMPTY_TOKEN, name: 'CI' };
  assert.deepEqual(checkToken(form), {});
  assert.equal(daysOf(form), 90);
  assert.equal(daysOf({ ...form, life: 'never' }), null);
  for (const days of ['', '0', '1.5', '-3', '3651', 'ten'])
    assert.deepEqual(Object.keys(checkToken({ ...form, life: 'other', days })), ['expiresInDays'], days);
  for (const days of ['1', ' 45 ', '3650']) assert.deepEqual(checkToken({ ...form, life: 'other', days }), {}, days);
  assert.equal(daysOf({ life: 'other', days: ' 45 ' }), 45);
});

test('what was typed into a field that is not shown counts for nothing', () => {
  assert.deepEqual(checkToken({ name: 'CI', scope: 'read', life: '30', days: 'ten' }), {});
});

test('a token that ends within a week says so, and one that has ended, too', () => {
  const at = (ms: number) => expiryOf(new Date(NOW + ms).toISOString(), NOW);
  assert.deepEqual(expiryOf(null, NOW), { tone: 'quiet', text: 'Never' });
  assert.equal(at(-1).tone, 'bad');
  assert.equal(at(3 * DAY_MS).tone, 'warn');
  assert.match(at(3 * DAY_MS).text, /3/);
  assert.equal(at(8 * DAY_MS).tone, 'quiet');
});
