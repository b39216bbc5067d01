import assert from 'node:assert/strict';
import { test } from 'node:test';
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
