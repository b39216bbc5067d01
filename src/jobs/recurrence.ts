import { Cron } from 'croner';
import { DAY_MS, isTimeZone, MINUTE_MS } from '../lib/time.ts';

/** How often something recurs. Calendar ones follow the clock on the wall of their time zone, summer time included. */
export type Recurrence =
  | { readonly type: 'every'; readonly minutes: number }
  | { readonly type: 'hourly' | 'nightly' | 'daily' | 'weekly'; readonly timeZone: string };

/**
 * The first time after `afterMs` that something is due. `spread` (any text, e.g. a pair's id) gives each its own minute, so that a hundred pairs
 * do not all start on the hour: hourly at any minute, nightly and daily between 2 and 5 o'clock, weekly in the night to Sunday.
 */
export function nextTime(recurrence: Recurrence, afterMs: number, spread: string): number {
  if (recurrence.type === 'every') return afterMs + Math.max(1, recurrence.minutes) * MINUTE_MS;
  const minutes = spreadOf(spread);
  const minute = minutes % 60;
  const nightHour = 2 + (Math.floor(minutes / 60) % 3);
  switch (recurrence.type) {
    case 'hourly':
      return nextMatch(`${minute} * * * *`, recurrence.timeZone, afterMs);
    case 'nightly':
    case 'daily':
      return nextMatch(`${minute} ${nightHour} * * *`, recurrence.timeZone, afterMs);
    case 'weekly':
      return nextMatch(`${minute} ${nightHour} * * 0`, recurrence.timeZone, afterMs);
  }
}

/** The same question is asked every minute until its answer is past. */
const answers = new Map<string, number>();
const ANSWERS_MAX = 2000;

function nextMatch(pattern: string, timeZone: string, afterMs: number): number {
  const question = `${pattern}|${timeZone}|${afterMs}`;
  const known = answers.get(question);
  if (known !== undefined) return known;
  // Stores name their zone themselves, and WooCommerce may say "UTC+2": what is no zone of ICU is read as UTC.
  const cron = new Cron(pattern, { paused: true, timezone: isTimeZone(timeZone) ? timeZone : 'UTC' });
  // Every pattern above matches within a week; a day later is the safe reading of "never".
  const next = cron.nextRun(new Date(afterMs))?.getTime() ?? afterMs + DAY_MS;
  if (answers.size >= ANSWERS_MAX) answers.clear();
  answers.set(question, next);
  return next;
}

/** A number in [0, 180) that is always the same for the same text (FNV-1a). */
function spreadOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % 180;
}
