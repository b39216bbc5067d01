/**
 * The Admin API version that every operation, mapper and test here was made for. Versions come out quarterly at 17:00 UTC and are served for at least
 * twelve months (shopify.dev/docs/api/usage/versioning); after that a call falls forward to the oldest version still served.
 */
export const API_VERSION = {
  handle: '2026-10',
  releasedAt: Date.UTC(2026, 9, 1, 17),
  expiresAt: Date.UTC(2027, 9, 1, 17),
} as const;

const DAY_MS = 86_400_000;
/** Time enough for a release of ours and for people to install it. */
const NOTICE_DAYS = 90;

export interface VersionNotice {
  readonly level: 'warning' | 'error';
  readonly message: string;
}

/** Null until `NOTICE_DAYS` before the version expires. */
export function versionNotice(now: number): VersionNotice | null {
  const daysLeft = Math.ceil((API_VERSION.expiresAt - now) / DAY_MS);
  if (daysLeft > NOTICE_DAYS) return null;
  const date = new Date(API_VERSION.expiresAt).toISOString().slice(0, 10);
  if (daysLeft > 0) {
    return {
      level: 'warning',
      message: `Shopify stops serving API version ${API_VERSION.handle} on ${date}, in ${daysLeft} days.`,
    };
  }
  return {
    level: 'error',
    message: `Shopify stopped serving API version ${API_VERSION.handle} on ${date}; calls now run on a version that this program was not made for.`,
  };
}

export interface VersionAnswer {
  /** The version that really answered; null when the store doesn't say. */
  readonly served: string | null;
  /** Why Shopify calls our use deprecated; null when it doesn't. */
  readonly deprecatedReason: string | null;
}

/** What the headers of an answer say about versions. */
export function versionAnswer(headers: Readonly<Record<string, string>>): VersionAnswer {
  return {
    served: headers['x-shopify-api-version'] ?? null,
    deprecatedReason: headers['x-shopify-api-deprecated-reason'] ?? null,
  };
}
