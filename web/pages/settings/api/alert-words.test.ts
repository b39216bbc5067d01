import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_ALERT_SETTINGS, ALERT_KINDS as SERVER_KINDS } from '../../../../src/model/alert.ts';
import { formatWhen } from '../../../hooks/format.ts';
import {
  ALERT_KINDS,
  alertChange,
  alertFormOf,
  checkAlerts,
  editedForm,
  editsLeft,
  fateWords,
  minuteOf,
  timeOf,
  timeZones,
} from './alert-words.ts';

test('every kind of alert that the server knows can be chosen', () => {
  assert.deepEqual(ALERT_KINDS.toSorted(), [...SERVER_KINDS].toSorted());
});

test('minutes and times of day, there and back', () => {
  for (const minute of [0, 59, 480, 1439]) assert.equal(minuteOf(timeOf(minute)), minute);
  assert.equal(timeOf(485), '08:05');
  for (const text of ['', '24:00', '8:00', '12:60']) assert.equal(minuteOf(text), null, text);
});

test('what is not changed is not sent', () => {
  const settings = DEFAULT_ALERT_SETTINGS;
  assert.deepEqual(alertChange({}, settings), {});
  assert.deepEqual(alertChange({ rules: settings.rules, isQuiet: false, digestAt: '08:00' }, settings), {});
  assert.deepEqual(alertChange({ isQuiet: true }, settings), { quietHours: { from: 1320, to: 420 } });
  assert.deepEqual(alertChange({ rules: { usage: 'off' } }, settings), { rules: { usage: 'off' } });
  const quiet = { ...settings, quietHours: { from: 60, to: 120 } };
  assert.deepEqual(alertChange({ isQuiet: false }, quiet), { quietHours: null });
  assert.deepEqual(alertChange({ from: '02:00' }, quiet), { quietHours: { from: 120, to: 120 } });
  assert.deepEqual(alertChange({ digestAt: '09:30', timeZone: 'Europe/Oslo' }, settings), {
    digestAt: 570,
    timeZone: 'Europe/Oslo',
  });
});

test('what a colleague changes meanwhile is shown, and not sent back', () => {
  const rules = { ...DEFAULT_ALERT_SETTINGS.rules, oversold: 'off' } as const;
  const changed = { ...DEFAULT_ALERT_SETTINGS, rules, timeZone: 'Europe/Oslo' };
  const edits = { digestAt: '09:30', rules: { usage: 'off' } } as const;
  const form = editedForm(changed, edits);
  assert.deepEqual([form.rules.oversold, form.rules.usage, form.digestAt], ['off', 'off', '09:30']);
  assert.deepEqual(alertChange(edits, changed), { rules: { usage: 'off' }, digestAt: 570 });
});

test('what is edited while a form is being saved stays, and what was saved is no edit any more', () => {
  const sent = { digestAt: '09:30', from: '23:00', rules: { usage: 'off', oversold: 'off' } } as const;
  const form = editedForm(DEFAULT_ALERT_SETTINGS, sent);
  assert.deepEqual(editsLeft(sent, form), { rules: {} });
  const since = { ...sent, from: '23:30', isQuiet: true, rules: { ...sent.rules, usage: 'now' } } as const;
  assert.deepEqual(editsLeft(since, form), { from: '23:30', isQuiet: true, rules: { usage: 'now' } });
});

test('a time that is missing is asked for, where it counts', () => {
  const form = { ...alertFormOf(DEFAULT_ALERT_SETTINGS), from: '', digestAt: '' };
  assert.deepEqual(Object.keys(checkAlerts(form)), ['digestAt']);
  assert.deepEqual(Object.keys(checkAlerts({ ...form, isQuiet: true })), ['from', 'digestAt']);
});

test('the zone that is set is offered, whatever the browser knows', () => {
  const values = timeZones('Mars/Base').map(({ value }) => value);
  assert.ok(values.includes('Mars/Base') && values.includes('UTC'));
  assert.equal(new Set(values).size, values.length);
});

test('an alert says to how many it went and nothing of what became of that; without a mail server, where it waits', () => {
  const alert = { dueAt: '2026-01-05T09:01:00Z', sentAt: '2026-01-05T09:02:00Z', emailCount: 2, chatCount: 1 };
  const at = formatWhen(alert.sentAt);
  assert.equal(fateWords({ ...alert, sentAt: null }, true), `To be sent ${formatWhen(alert.dueAt)}`);
  assert.equal(fateWords(alert, true), `Passed on ${at}: 2 emails, 1 chat`);
  assert.equal(fateWords(alert, false), `Passed on ${at}: 2 emails to the outbox, 1 chat`);
  assert.equal(fateWords({ ...alert, emailCount: 0 }, false), `Passed on ${at}: 1 chat`);
  assert.equal(fateWords({ ...alert, emailCount: 0, chatCount: 0 }, true), `Due ${at}, and there was nobody to tell`);
});
