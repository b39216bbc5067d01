export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** 1763717600000 -> "2025-11-21T09:33:20.000Z": how times leave the program. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** 1763717600000 -> "20251121T093320Z": for file names. */
export function compactTimestamp(ms: number): string {
  return `${isoTime(ms).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Whether a text is the name of a time zone that this machine knows (IANA). */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
