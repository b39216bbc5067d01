import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICIES } from '../../../../src/http/policy.ts';
import { readSources } from '../../../../src/testing/source-files.ts';
import { ACTION_WORDS, actorOf, changeLines, deedOf } from './audit-words.ts';
import { byDay } from './by-day.ts';

const NAMES = new Map([['str_1', 'Northfold']]);
const entry = (action: string, target: string | null, change: Record<string, unknown> = {}) => ({
  ...{ action, target, change, actorId: 'usr_1' },
});

test('every action that is recorded has its words', () => {
  const routes = Object.values(POLICIES).flatMap(({ audit }) =>
    audit === undefined || audit === 'own' || audit === 'none' ? [] : [audit],
  );
  const own = readSources('src/accounts').flatMap(({ text }) =>
    [...text.matchAll(/'((?:account|api_token|instance|invitation|member|session|workspace)\.[a-z_]+)'/g)].map(
      ([, action = '']) => action,
    ),
  );
  const missing = [...routes, ...own].filter((action) => !(action in ACTION_WORDS));
  assert.deepEqual(missing, []);
  assert.ok(own.includes('member.removed') && routes.length > 20);
});

test('what was done is a sentence, with the name that the thing has, or had', () => {
  assert.deepEqual(deedOf(entry('store.tested', 'str_1'), NAMES), {
    ...{ words: 'tested the store', target: 'Northfold', how: '' },
  });
  assert.equal(deedOf(entry('store.disconnected', 'str_9'), NAMES).target, 'str_9', 'gone: its id is left');
  assert.equal(deedOf(entry('api_token.revoked', 'tok_1', { name: 'CI' }), NAMES).target, 'CI');
  assert.equal(deedOf(entry('session.opened', 'ses_1'), NAMES).target, null);
  assert.equal(deedOf(entry('member.left', 'usr_1'), NAMES).target, null);
  const moved = deedOf(entry('member.role_changed', 'usr_2', { from: 'viewer', to: 'member' }), NAMES);
  assert.equal(moved.how, 'from viewer to member');
  const sent = deedOf(entry('invitation.sent', 'inv_1', { role: 'viewer', email: 'o…@example.com' }), NAMES);
  assert.equal(`${sent.words} ${sent.target}`, 'sent an invitation to o…@example.com');
  assert.equal(deedOf(entry('thing.was_done', null), NAMES).words, 'thing was done');
});

test('who did it: by name, by a command, or somebody who is gone', () => {
  assert.equal(actorOf({ actorName: 'Ida Berg', action: 'store.tested' }), 'Ida Berg');
  assert.match(actorOf({ actorName: '', action: 'store.tested' }), /gone/);
  assert.match(actorOf({ actorName: '', action: 'account.two_factor_reset' }), /command/);
});

test('a change is told line by line, the old beside the new', () => {
  assert.deepEqual(changeLines({ from: 'viewer', to: 'member' }), [
    { label: 'Changed', before: 'viewer', value: 'member' },
  ]);
  assert.deepEqual(changeLines({ name: 'CI', expiresInDays: null, fields: ['email', 'company'] }), [
    { label: 'Name', value: 'CI' },
    { label: 'Good for', value: 'until it is revoked' },
    { label: 'Fields', value: 'email, company' },
  ]);
  assert.deepEqual(changeLines({}), []);
});

test('entries of one day stand together, in their order', () => {
  const at = (iso: string) => ({ at: iso });
  const days = byDay([at('2026-11-27T09:00'), at('2026-11-27T08:00'), at('2026-11-26T23:00')], (iso) =>
    iso.slice(0, 10),
  );
  assert.deepEqual(
    days.map(({ day, entries }) => [day, entries.length]),
    [
      ['2026-11-27', 2],
      ['2026-11-26', 1],
    ],
  );
});
