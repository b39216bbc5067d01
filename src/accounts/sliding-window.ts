import type { Clock } from '../ports/clock.ts';

interface WindowOptions {
  /** How many of one key count within the window before it has to wait. */
  readonly max: number;
  readonly windowMs: number;
}

/** Counts what happened lately, by key, in bounded memory: the key that was counted the longest ago makes room. */
export interface SlidingWindow<K> {
  /** Milliseconds until the next one of this key; 0: go on. */
  waitMs(key: K): number;
  count(key: K): void;
  forget(key: K): void;
}

const ENTRIES_MAX = 10_000;

export function createSlidingWindow<K>(clock: Clock, { max, windowMs }: WindowOptions): SlidingWindow<K> {
  const entries = new Map<K, number[]>();
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
      if (entries.size <= ENTRIES_MAX) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    forget: (key) => void entries.delete(key),
  };
}
