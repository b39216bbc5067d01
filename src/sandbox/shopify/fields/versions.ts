/** API versions come out quarterly at 17:00 UTC on the first day and are supported for a year (facts, section 2). */

const SCHEMA_VERSION = '2026-10';
const QUARTERS = ['01', '04', '07', '10'] as const;
const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export interface ApiVersionInfo {
  readonly handle: string;
  readonly displayName: string;
  readonly supported: boolean;
}

/** The four latest stable versions, oldest first. */
export function supportedVersions(now: number): string[] {
  const date = new Date(now);
  const released: string[] = [];
  for (let year = date.getUTCFullYear() - 2; year <= date.getUTCFullYear(); year += 1) {
    for (const month of QUARTERS)
      if (Date.UTC(year, Number(month) - 1, 1, 17) <= now) released.push(`${year}-${month}`);
  }
  return released.slice(-4);
}

/** A version that has expired falls forward to the oldest one supported; null for what never was a version. */
export function serveVersion(asked: string, now: number): string | null {
  if (asked === 'unstable') return 'unstable';
  if (!/^\d{4}-\d{2}$/.test(asked)) return null;
  const supported = supportedVersions(now);
  if (supported.includes(asked)) return asked;
  const oldest = supported[0] ?? SCHEMA_VERSION;
  return asked < oldest ? oldest : null;
}

export function apiVersionOf(handle: string, now: number): ApiVersionInfo {
  const [year = '', month = ''] = handle.split('-');
  const isStable = /^\d{4}-\d{2}$/.test(handle);
  return {
    handle,
    displayName: isStable ? `${MONTH_NAMES[Number(month) - 1] ?? ''} ${year}`.trim() : handle,
    supported: supportedVersions(now).includes(handle),
  };
}

export function publicVersions(now: number): ApiVersionInfo[] {
  return [...supportedVersions(now), 'unstable'].map((handle) => apiVersionOf(handle, now));
}
