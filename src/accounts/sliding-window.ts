import type { Clock } from '../ports/clock.ts';

interface WindowOptions {
  /** How many of one key count within the window before it has to wait. */
  readonly max: number;
  readonly windowMs: number;
}

/** Counts what happened lately, by key, in bounded memory: what is over goes, and the key that was counted the longest ago makes room. */
export interface SlidingWindow<K> {
  /** Milliseconds until the next one of this key; 0: go on. */
  waitMs(key: K): number;
  count(key: K): void;
  forget(key: K): void;
}

const ENTRIES_MAX = 10_000;

export function createSlidingWindow<K>(
  clock: Clock,
  { max, windowMs }: WindowOptions,
  entries = new Map<K, number[]>(),
): SlidingWindow<K> {
  const recent = (key: K) => (entries.get(key) ?? []).filter((at) => clock.now() - at < windowMs);
  return {
    waitMs(key) {
      const times = recent(key);
      const oldest = times[times.length - max];
      return oldest === undefined ? 0 : oldest + windowMs - clock.now();
    },
    count(key) {
      const times = [...recent(key), clock.now()].slice(-max);
      entries.delete(key);
      entries.set(key, times);
      for (const [oldest, counted] of entries) {
        if (entries.size <= ENTRIES_MAX && clock.now() - (counted.at(-1) ?? 0) < windowMs) break;
        entries.delete(oldest);
      }
    },
    forget: (key) => void entries.delete(key),
  };
}
