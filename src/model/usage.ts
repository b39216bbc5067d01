import { DAY_MS, HOUR_MS, isoTime } from '../lib/time.ts';

/** What a workspace uses, and is told of when it comes near its limit. A new kind is one more entry here, and calls of `UsageCounter.count`. */
export const USAGE_KINDS = ['api_calls'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageMeter {
  /** As people read it. */
  readonly label: string;
  /** What the limit is for; by UTC. */
  readonly period: 'hour' | 'month';
  /** Where the instance sets none. */
  readonly limit: number;
  /** The variable of the environment that sets another one; 0 there: none. */
  readonly setting: string;
}

export const USAGE_METERS: Readonly<Record<UsageKind, UsageMeter>> = {
  api_calls: { label: 'API calls', period: 'hour', limit: 1_000, setting: 'USAGE_API_CALLS_PER_HOUR' },
};

/** The limits of an instance; null: nobody is told anything of that kind. */
export type UsageLimits = Readonly<Record<UsageKind, number | null>>;

export const USAGE_LEVELS = ['warning', 'exceeded'] as const;
export type UsageLevel = (typeof USAGE_LEVELS)[number];

const WARNING_SHARE = 0.8;

/** `warning` above 80 percent of the limit, `exceeded` above all of it; null: neither. */
export function usageLevel(count: number, limit: number | null): UsageLevel | null {
  if (limit === null) return null;
  if (count > limit) return 'exceeded';
  return count > limit * WARNING_SHARE ? 'warning' : null;
}

/** Whether `level` says more than what was told already. */
export function isHigherLevel(level: UsageLevel | null, told: UsageLevel | null): level is UsageLevel {
  if (level === null) return false;
  return told === null || USAGE_LEVELS.indexOf(level) > USAGE_LEVELS.indexOf(told);
}

/** When the period of `at` began, ms. */
export function periodStart(period: UsageMeter['period'], at: number): number {
  return period === 'hour' ? Math.floor(at / HOUR_MS) * HOUR_MS : monthStart(at);
}

/** When the month of `at` began, by UTC, ms. */
export function monthStart(at: number): number {
  const day = new Date(at).getUTCDate();
  return Math.floor(at / DAY_MS) * DAY_MS - (day - 1) * DAY_MS;
}

export interface Usage {
  readonly kind: UsageKind;
  /** When the period began, ms. */
  readonly since: number;
  readonly count: number;
  readonly limit: number;
}

/** "API calls approaching limit: 801 of 1,000 in the hour from 2026-11-21 14:00 UTC" */
export function usageMessage({ kind, since, count, limit }: Usage, level: UsageLevel): string {
  const { label, period } = USAGE_METERS[kind];
  const what = level === 'exceeded' ? `${label} exceeded the limit` : `${label} approaching limit`;
  const time = isoTime(since);
  const when = period === 'hour' ? `the hour from ${time.slice(0, 16).replace('T', ' ')} UTC` : time.slice(0, 7);
  const number = (value: number): string => value.toLocaleString('en');
  return `${what}: ${number(count)} of ${number(limit)} in ${when}`;
}
