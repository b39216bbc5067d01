import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMinor } from '../../src/model/money.ts';
import {
  formatAgo,
  formatClock,
  formatDateTime,
  formatDuration,
  formatIn,
  formatMoment,
  formatMoney,
  formatShare,
  formatWhen,
  moneyText,
  parseMoney,
  plural,
  showTimesIn,
} from './format.ts';

test('money: minor units by the currency, also where there are none or three', () => {
  assert.match(formatMoney(1850, 'USD'), /18[.,]50/);
  assert.match(formatMoney(1850, 'JPY'), /1[.,]?850/);
  assert.match(formatMoney(1850, 'KWD'), /1[.,]850/);
  assert.match(formatMoney(1850, 'IQD'), /1[.,]850/);
  assert.equal(moneyText(5, 'USD'), '0.05');
  assert.equal(moneyText(1850, 'JPY'), '1850');
});

test('money: dollars of one country do not read as those of another', () => {
  const shown = ['USD', 'CAD', 'AUD'].map((currency) => formatMoney(3_200, currency));
  assert.equal(new Set(shown).size, shown.length, shown.join(' '));
});

test("money: in every currency the digits and the value are the server's", () => {
  const marks = new Intl.NumberFormat(navigator.language).formatToParts(1_234.5);
  const group = marks.find(({ type }) => type === 'group')?.value ?? ',';
  const point = marks.find(({ type }) => type === 'decimal')?.value ?? '.';
  for (const currency of Intl.supportedValuesOf('currency')) {
    const [shown = ''] = /\d.*/.exec(formatMoney(199_055, currency).replaceAll(group, '').replace(point, '.')) ?? [];
    assert.equal(shown.match(/^[\d.]+/)?.[0], formatMinor(199_055, currency), currency);
    assert.equal(moneyText(199_055, currency), formatMinor(199_055, currency), currency);
    assert.equal(parseMoney(moneyText(199_055, currency), currency), 199_055, currency);
  }
});

test('a typed amount is read with a point or a comma, and never guessed', () => {
  assert.equal(parseMoney(' 18 ', 'USD'), 1800);
  assert.equal(parseMoney('18,5', 'EUR'), 1850);
  assert.equal(parseMoney('0.05', 'USD'), 5);
  assert.equal(parseMoney('1850', 'JPY'), 1850);
  for (const text of ['', '-1', '1,234.50', '18.005', '1e3', '$18', 'abc']) assert.equal(parseMoney(text, 'USD'), null);
  assert.equal(parseMoney('18.5', 'JPY'), null);
});

test('durations and ages have units', () => {
  assert.equal(formatDuration(71.6), '72 ms');
  assert.equal(formatDuration(4_120), '4.1 s');
  assert.equal(formatDuration(125_000), '2 min 5 s');
  assert.equal(formatDuration(7_500_000), '2 h 5 min');
  assert.equal(formatDuration(7_200_000), '2 h');
  const now = Date.parse('2026-11-21T10:00:00Z');
  assert.equal(formatAgo('2026-11-21T10:00:03Z', now), 'now');
  assert.match(formatAgo('2026-11-21T09:59:56Z', now), /^4\s?s/);
});

test('a duration is told in the unit that it rounds to', () => {
  assert.deepEqual([999.6, 59_960, 3_599_700].map(formatDuration), ['1 s', '1 min', '1 h']);
  assert.equal(formatDuration(7_199_000), '2 h');
});

test('a day is 24 hours ago, and no day of the calendar: two days before is not yesterday', () => {
  const now = Date.parse('2026-11-21T01:00:00Z');
  assert.match(formatAgo('2026-11-19T02:00:00Z', now), /^1\s?d/);
  assert.match(formatIn('2026-11-22T02:00:00Z', now), /^in 1\s?d/);
});

test('a moment of today is told by the clock, an older one by its day, one of another year by that too', () => {
  showTimesIn('UTC');
  const now = new Date('2026-11-21T10:00:00Z');
  assert.equal(formatMoment('2026-11-21T09:42:31Z', now), '09:42:31');
  assert.match(formatMoment('2026-11-20T09:42:31Z', now), /20.*, 09:42$/);
  assert.doesNotMatch(formatWhen('2026-01-02T09:42:31Z', now), /2026/);
  assert.match(formatWhen('2025-11-21T09:42:31Z', now), /2025.*, 09:42$/);
  showTimesIn('');
});

test('words are those of the page, whatever language the browser speaks', async () => {
  const browser = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { language: 'de-DE' }, configurable: true });
  const german: typeof import('./format.ts') = await import(`${import.meta.resolve('./format.ts')}?in=german`);
  if (browser) Object.defineProperty(globalThis, 'navigator', browser);
  const now = Date.parse('2026-11-21T10:00:00Z');
  assert.match(german.formatAgo('2026-11-18T10:00:00Z', now), /ago$/);
  assert.equal(german.formatNumber(1_234.5), '1.234,5');
});

test('one and many', () => {
  assert.equal(plural(1, 'record'), '1 record');
  assert.equal(plural(0, 'record'), '0 records');
  assert.equal(plural(2, 'more record', 'more records'), '2 more records');
});

test('a share is never rounded up, and what is exact stays as it is', () => {
  assert.equal(formatShare(2_999, 3_000), '99.9%');
  assert.equal(formatShare(9_999_999, 10_000_000), '99.9%');
  assert.equal(formatShare(99.97, 100), '99.9%');
  assert.equal(formatShare(3_000, 3_000), '100%');
  assert.equal(formatShare(57, 100), '57%');
  assert.equal(formatShare(64.1, 100), '64.1%');
  assert.equal(formatShare(0, 3), '0%');
});

test('times are written as in the zone of the person, whatever the browser is set to', () => {
  const iso = '2026-11-21T23:30:05Z';
  showTimesIn('Asia/Tokyo');
  assert.equal(formatClock(iso), '08:30:05');
  assert.match(formatDateTime(iso), /22/);
  assert.equal(formatWhen(iso, new Date('2026-11-22T10:00:00Z')), '08:30', 'the same day there');
  assert.match(formatWhen(iso, new Date('2026-11-21T10:00:00Z')), /.+, 08:30$/, 'another day there');
  showTimesIn('Mars/Base');
  const own = formatClock(iso);
  showTimesIn('');
  assert.equal(formatClock(iso), own, "a zone that the browser does not know is the browser's");
  showTimesIn('UTC');
  assert.equal(formatClock(iso), '23:30:05');
  showTimesIn('');
});
