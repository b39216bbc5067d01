const BUCKET_S = 900; // Offsets only ever change on a quarter of an hour.
const CACHE_MAX = 4_096;

/** A date as a client wrote it. `wallS` is its face value as if it were UTC; `utcS` is null when it names no zone. */
export interface RestDate {
  readonly wallS: number;
  readonly utcS: number | null;
  readonly hasFraction: boolean;
}

const REST_DATE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** rest_parse_date: full date and time, or nothing. */
export function parseRestDate(text: string): RestDate | null {
  const match = REST_DATE.exec(text);
  if (!match) return null;
  const wallMs = Date.parse(`${match[1]}T${match[2]}Z`);
  if (Number.isNaN(wallMs)) return null;
  const wallS = wallMs / 1000;
  const zone = match[4];
  if (zone === undefined) return { wallS, utcS: null, hasFraction: match[3] !== undefined };
  let offsetS = 0;
  if (zone.toUpperCase() !== 'Z') {
    const sign = zone.startsWith('-') ? -1 : 1;
    offsetS = sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * (zone.length > 3 ? 60 : 0));
  }
  return { wallS, utcS: wallS - offsetS, hasFraction: match[3] !== undefined };
}

/** Seconds as "YYYY-MM-DDTHH:MM:SS", without a zone: how WooCommerce writes every date. */
export function naive(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** The site's time zone. Site-local seconds are wall-clock seconds counted as if they were UTC. */
export class SiteTime {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  offsetAt(utcS: number): number {
    const bucket = Math.floor(utcS / BUCKET_S);
    const known = this.#offsets.get(bucket);
    if (known !== undefined) return known;
    const startS = bucket * BUCKET_S;
    const part: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(startS * 1000)) part[type] = Number(value);
    const wallMs = Date.UTC(
      part['year'] ?? 1970,
      (part['month'] ?? 1) - 1,
      part['day'],
      part['hour'],
      part['minute'],
      part['second'],
    );
    const offset = wallMs / 1000 - startS;
    if (this.#offsets.size >= CACHE_MAX) this.#offsets.clear();
    this.#offsets.set(bucket, offset);
    return offset;
  }

  toLocal(utcS: number): number {
    return utcS + this.offsetAt(utcS);
  }

  /** The first guess may sit on the other side of a clock change; the second corrects it. */
  fromLocal(wallS: number): number {
    const guess = wallS - this.offsetAt(wallS);
    return wallS - this.offsetAt(guess);
  }

  local(utcS: number): string {
    return naive(this.toLocal(utcS));
  }

  /** A date a client wrote for a field: its zone counts, without one it is site-local, or GMT for a *_gmt field. */
  fieldDate(text: string, isGmt: boolean): number | null {
    const full = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text;
    const date = parseRestDate(full);
    if (!date) return null;
    if (date.utcS !== null) return date.utcS;
    return isGmt ? date.wallS : this.fromLocal(date.wallS);
  }
}
