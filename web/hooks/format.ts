/** Numbers, money and dates as people read them, by the browser's language; words by that of the page. */

import { formatMinor, minorDigits } from '../../src/model/money.ts';

const LOCALE = typeof navigator === 'undefined' ? 'en' : navigator.language;

const numberFormat = new Intl.NumberFormat(LOCALE);
const shareFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const accuracyFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 2 });
/** They stand within sentences of the page, and are read out as such. */
const WORDS = /^en\b/i.test(LOCALE) ? LOCALE : 'en';
const nowFormat = new Intl.RelativeTimeFormat(WORDS, { numeric: 'auto', style: 'narrow' });
/** Never "yesterday": 47 hours ago was the day before that. */
const relativeFormat = new Intl.RelativeTimeFormat(WORDS, { numeric: 'always', style: 'narrow' });
const pluralRules = new Intl.PluralRules('en');
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Undefined: that of the browser. */
let timeZone: string | undefined;
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** From now on times are written as they are in that zone; '': in the browser's, and so in one that it does not know. */
export function showTimesIn(zone: string): void {
  const wanted = zone === '' || !isKnownZone(zone) ? undefined : zone;
  if (wanted !== timeZone) timeFormats.clear();
  timeZone = wanted;
}

/** The zone that times are shown in; undefined: that of the browser. */
export function shownZone(): string | undefined {
  return timeZone;
}

function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat(LOCALE, { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

const TIME_PARTS = {
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  date: { day: 'numeric', month: 'short' },
  longDate: { dateStyle: 'medium' },
  dateTime: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  day: { dateStyle: 'short' },
  year: { year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function formatTime(parts: keyof typeof TIME_PARTS, at: Date): string {
  const format =
    timeFormats.get(parts) ??
    new Intl.DateTimeFormat(LOCALE, { ...TIME_PARTS[parts], ...(timeZone === undefined ? {} : { timeZone }) });
  timeFormats.set(parts, format);
  return format.format(at);
}

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

/** What a division leaves of a whole tenth. */
const ROUNDING = 1e-9;

/** A part as per cent, never rounded up: one conflict among 3,000 records is not 100 %. */
export function formatShare(part: number, whole: number): string {
  return shareFormat.format(Math.floor((part * 1_000) / whole + ROUNDING) / 1_000);
}

/** Never rounded up: 9,999 of 10,000 is not 100 %. */
export function formatAccuracy({ compared, equal }: { readonly compared: number; readonly equal: number }): string {
  const share = compared === 0 ? 1 : Math.floor((equal / compared) * 10_000) / 10_000;
  return accuracyFormat.format(share);
}

/** "1 record", "2 records". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${pluralRules.select(count) === 'one' ? one : many}`;
}

/** As many digits as the server counts, which are ISO 4217's: the browser's own data leaves the minor unit of many a currency out. */
function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency);
  if (known) return known;
  const digits = minorDigits(currency);
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(currency, format);
  return format;
}

/** Integer minor units as people write that currency. */
export function formatMoney(minor: number, currency: string): string {
  return moneyFormat(currency).format(minor / 10 ** minorDigits(currency));
}

/** The sign that stands before an amount in a field. */
export function currencySign(currency: string): string {
  return (
    moneyFormat(currency)
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency
  );
}

/** Integer minor units as a field shows them: "18.00". */
export function moneyText(minor: number, currency: string): string {
  return formatMinor(minor, currency);
}

/** What a person typed, in minor units; null when it is not an amount. Takes a comma for a point. */
export function parseMoney(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim());
  if (!match || (match[2] ?? '').length > digits) return null;
  return Number(`${match[1]}${(match[2] ?? '').padEnd(digits, '0')}`);
}

/** 09:42:31 */
export function formatClock(iso: string): string {
  return formatTime('clock', new Date(iso));
}

function isSame(parts: 'day' | 'year', one: Date, other: Date): boolean {
  return formatTime(parts, one) === formatTime(parts, other);
}

/** Today the time, before that the day, before this year with the year. */
export function formatWhen(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const time = formatTime('time', at);
  if (isSame('day', at, now)) return time;
  return `${formatTime(isSame('year', at, now) ? 'date' : 'longDate', at)}, ${time}`;
}

/** The same, to the second where it is today: for what happens while one looks. */
export function formatMoment(iso: string, now = new Date()): string {
  return isSame('day', new Date(iso), now) ? formatClock(iso) : formatWhen(iso, now);
}

/** 27 Nov 2026 */
export function formatDate(iso: string): string {
  return formatTime('longDate', new Date(iso));
}

export function formatDateTime(iso: string): string {
  return formatTime('dateTime', new Date(iso));
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** "4 s ago", "now". */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  const passed = Math.min(0, new Date(iso).getTime() - nowMs);
  const step = STEPS.find(([, size]) => -passed >= size);
  return step ? relativeFormat.format(Math.trunc(passed / step[1]), step[0]) : nowFormat.format(0, 'second');
}

/** "in 3 days", "in 5 minutes", "now": how long until then. */
export function formatIn(iso: string, nowMs = Date.now()): string {
  const left = Math.max(0, new Date(iso).getTime() - nowMs);
  const step = STEPS.find(([, size]) => left >= size);
  return step ? relativeFormat.format(Math.round(left / step[1]), step[0]) : nowFormat.format(0, 'second');
}

/** "380 ms", "4.1 s", "2 min 5 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1_000) return `${formatNumber(Math.round(ms))} ms`;
  if (Math.round(ms / 100) < 600) return `${formatNumber(Math.round(ms / 100) / 10)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 3_600 ? twoUnits(seconds, 'min', 's') : twoUnits(Math.round(seconds / 60), 'h', 'min');
}

/** Sixty of the small unit are one of the large. */
function twoUnits(count: number, large: string, small: string): string {
  const whole = `${formatNumber(Math.floor(count / 60))} ${large}`;
  return count % 60 === 0 ? whole : `${whole} ${formatNumber(count % 60)} ${small}`;
}
