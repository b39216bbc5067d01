/** Webhook payloads write times in the shop's own zone: `2021-12-31T19:00:00-05:00`. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

export function offsetMinutes(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(atMs)
      .map((part) => [part.type, part.value]),
  );
  const local = Date.UTC(
    Number(parts['year']),
    Number(parts['month']) - 1,
    Number(parts['day']),
    Number(parts['hour']),
    Number(parts['minute']),
    Number(parts['second']),
  );
  return Math.round((local - Math.floor(atMs / 1000) * 1000) / 60_000);
}

export function shopTime(atMs: number, timeZone: string): string {
  const offset = offsetMinutes(atMs, timeZone);
  const local = new Date(Math.floor(atMs / 1000) * 1000 + offset * 60_000).toISOString().replace('.000Z', '');
  const size = Math.abs(offset);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
