import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';

const DAY_MINUTES = 24 * 60;

/** Minutes from midnight on the wall of a time zone. */
function minuteOfDay(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}

/** The next moment at or after `at` when the wall shows `minute`, to the minute. On a day without that time (clocks go forward) it is an hour late. */
export function nextMinuteOfDay(at: number, minute: number, timeZone: string): number {
  const start = Math.ceil(at / MINUTE_MS) * MINUTE_MS;
  const wait = (minute - minuteOfDay(start, timeZone) + DAY_MINUTES) % DAY_MINUTES;
  const guess = start + wait * MINUTE_MS;
  // Summer time may have begun or ended in between.
  const off = minute - minuteOfDay(guess, timeZone);
  const shift = off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off < -DAY_MINUTES / 2 ? off + DAY_MINUTES : off;
  const found = guess + shift * MINUTE_MS;
  return found < at ? found + DAY_MS : found;
}

/** When quiet hours that hold at `at` end; `at` itself where they don't hold. */
export function endOfQuiet(
  at: number,
  quiet: { readonly from: number; readonly to: number } | null,
  timeZone: string,
): number {
  if (quiet === null || quiet.from === quiet.to) return at;
  const minute = minuteOfDay(at, timeZone);
  const isQuiet =
    quiet.from < quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
  return isQuiet ? nextMinuteOfDay(at, quiet.to, timeZone) : at;
}
