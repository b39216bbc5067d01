import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, noAnswer } from '../../../api/api-error.ts';
import { dailyWords, formatSize, inShell, unansweredWords } from './backup-words.ts';
import { linksIn, mailFate, mailState } from './mail-words.ts';
import { LAST_ADMIN, matchPeople, roleChange, whyNotRole } from './people-words.ts';

const IDA = { name: 'Ida Berg', email: 'ida@northfold.example', role: 'admin' } as const;
const BOB = { name: 'Bob Lie', email: 'bob@example.com', role: 'user' } as const;

test('people are found by every word of what was typed, in their name or address', () => {
  const names = (typed: string) => matchPeople([IDA, BOB], typed).map(({ name }) => name);
  assert.deepEqual(names(' '), ['Ida Berg', 'Bob Lie']);
  assert.deepEqual(names('BERG ida'), ['Ida Berg']);
  assert.deepEqual(names('example.com'), ['Bob Lie']);
  assert.deepEqual(names('ida lie'), []);
});

test('the last administrator stays one; what a change of role means is said before', () => {
  assert.equal(whyNotRole(IDA, [IDA, BOB]), LAST_ADMIN);
  assert.equal(whyNotRole(BOB, [IDA, BOB]), null);
  assert.equal(whyNotRole(IDA, [IDA, { role: 'admin' }]), null);
  assert.match(roleChange(BOB, false).consequences.join(' '), /Bob Lie will see .*emails/);
  assert.match(roleChange(IDA, true).consequences.join(' '), /can not take this back yourself/);
  assert.doesNotMatch(roleChange(IDA, false).consequences.join(' '), /yourself/);
});

test('an email says where it stands and what can be done about it', () => {
  assert.deepEqual(mailState({ state: 'queued', attempts: 0 }), { tone: 'running', text: 'On its way' });
  assert.deepEqual(mailState({ state: 'queued', attempts: 2 }), { tone: 'warn', text: 'Failed 2 times, tried again' });
  assert.equal(mailState({ state: 'failed', attempts: 12 }).tone, 'bad');
  assert.match(mailFate({ state: 'held', attempts: 0 }), /no mail server/);
  assert.match(mailFate({ state: 'failed', attempts: 12 }), /not tried again/);
  assert.match(mailFate({ state: 'queued', attempts: 3 }), /tried again by itself/);
  assert.match(mailFate({ state: 'sent', attempts: 0 }), /text was dropped/);
});

test('links are taken out of a text as they are, once each, without what ends the sentence', () => {
  const text =
    'Open https://a.example/x#token=inv_A-b_. Or (http://b.example/?q=1), or https://a.example/x#token=inv_A-b_';
  assert.deepEqual(linksIn(text), ['https://a.example/x#token=inv_A-b_', 'http://b.example/?q=1']);
  assert.deepEqual(linksIn('javascript:alert(1) ftp://x'), []);
});

test('the size of a backup, and when the next one is made', () => {
  const sizes = [0, 4_096, 999_499, 999_500, 3_240_000, 48_000_000, 7_000_000_000];
  assert.deepEqual(sizes.map(formatSize), ['0 kB', '4.1 kB', '999 kB', '1 MB', '3.2 MB', '48 MB', '7 GB']);
  const now = new Date('2026-11-21T12:00:00Z');
  const words = (nextDailyAt: string | null, dailyKept: number, isMaking = false) =>
    dailyWords({ nextDailyAt, dailyKept, isMaking }, now);
  assert.match(
    words('2026-11-22T03:00:00Z', 3),
    /^The next one is made in 15 ?h(ours)? \(.+\)\. The newest 3 are kept/,
  );
  assert.match(words('2026-11-21T11:00:00Z', 1), /made in a moment\. Only the newest one is kept/);
  assert.match(words(null, 0), /^None is made by itself: BACKUPS_KEEP is 0\. Set it/);
});

test('a backup whose answer nobody waited for is not told as failed: the list says what became of it', () => {
  const error = (status: number) => new ApiError(status, { code: 'X', message: '', details: {}, requestId: '' });
  assert.match(unansweredWords(noAnswer(), true) ?? '', /still being made/);
  assert.match(unansweredWords(error(504), false) ?? '', /If the backup was made, it is listed below/);
  assert.equal(unansweredWords(error(503), false), null);
  assert.equal(unansweredWords(null, true), null);
});

test('the path of a backup is one word of the command that puts it back', () => {
  assert.equal(inShell('/data/backups/daily-20261121T031500Z.db'), '/data/backups/daily-20261121T031500Z.db');
  assert.equal(inShell("/home/Ida's files/a.db"), String.raw`'/home/Ida'\''s files/a.db'`);
});
