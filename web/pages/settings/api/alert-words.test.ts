import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_ALERT_SETTINGS, ALERT_KINDS as SERVER_KINDS } from '../../../../src/model/alert.ts';
import { ALERT_KINDS, alertChange, alertFormOf, checkAlerts, minuteOf, timeOf, timeZones } from './alert-words.ts';

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
  const form = alertFormOf(settings);
  assert.deepEqual(alertChange(form, settings), {});
  assert.deepEqual(alertChange({ ...form, isQuiet: true }, settings), { quietHours: { from: 1320, to: 420 } });
  assert.deepEqual(alertChange({ ...form, rules: { ...form.rules, usage: 'off' } }, settings), {
    rules: { usage: 'off' },
  });
  const quiet = { ...settings, quietHours: { from: 60, to: 120 } };
  assert.deepEqual(alertChange({ ...alertFormOf(quiet), isQuiet: false }, quiet), { quietHours: null });
  assert.deepEqual(alertChange({ ...form, digestAt: '09:30', timeZone: 'Europe/Oslo' }, settings), {
    digestAt: 570,
    timeZone: 'Europe/Oslo',
  });
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
