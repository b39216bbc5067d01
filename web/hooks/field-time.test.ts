import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { fieldTime, momentOf, zoneNote } from './field-time.ts';
import { showTimesIn } from './format.ts';

afterEach(() => showTimesIn(''));

test('a field of date and time says what the page says: the time of the zone that times are shown in', () => {
  const at = new Date('2026-11-21T23:30:05Z');
  showTimesIn('Asia/Tokyo');
  assert.equal(fieldTime(at), '2026-11-22T08:30');
  assert.equal(momentOf('2026-11-22T08:30')?.toISOString(), '2026-11-21T23:30:00.000Z');
  showTimesIn('America/New_York');
  assert.equal(fieldTime(at), '2026-11-21T18:30');
  assert.equal(momentOf('2026-11-21T18:30')?.toISOString(), '2026-11-21T23:30:00.000Z');
});

test('without a zone of the person the time is that of the browser', () => {
  const text = '2026-07-01T09:15';
  assert.equal(momentOf(text)?.getTime(), new Date(text).getTime());
  assert.equal(fieldTime(new Date(text)), text);
});

test('before and after the clocks are changed, and what is no time', () => {
  showTimesIn('Europe/Paris');
  for (const [text, utc] of [
    ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ] as const) {
    assert.equal(momentOf(text)?.toISOString(), utc, text);
    assert.equal(fieldTime(new Date(utc)), text);
  }
  for (const text of ['', 'yesterday', '2026-13-01T00:00']) assert.equal(momentOf(text), null, text);
});

test('a field whose clock is not that of the browser says whose it is', () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  assert.equal(zoneNote(), '');
  showTimesIn(own);
  assert.equal(zoneNote(), '');
  showTimesIn(own === 'America/New_York' ? 'America/Los_Angeles' : 'America/New_York');
  assert.match(zoneNote(), /^In America\/(New York|Los Angeles) time\. $/);
});
