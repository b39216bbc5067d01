import type { UserId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';

const WINDOW_MS = 15 * 60_000;
const FAILURES_MAX = 8;
const ENTRIES_MAX = 10_000;

/**
 * Bounds guessing of second-factor codes, by account and from everywhere together: six digits would fall to a thousand sources. Only who gave
 * the right password gets this far, so nobody can lock somebody else out with it.
 */
export interface CodeThrottle {
  /** Milliseconds until the account's next attempt is looked at; 0: go on. */
  waitMs(userId: UserId): number;
  failed(userId: UserId): void;
  succeeded(userId: UserId): void;
}

export function createCodeThrottle(clock: Clock): CodeThrottle {
  const failures = new Map<UserId, number[]>();
  const recent = (userId: UserId) => (failures.get(userId) ?? []).filter((at) => clock.now() - at < WINDOW_MS);
  return {
    waitMs(userId) {
      const times = recent(userId);
      const oldest = times[times.length - FAILURES_MAX];
      return oldest === undefined ? 0 : oldest + WINDOW_MS - clock.now();
    },
    failed(userId) {
      const times = [...recent(userId), clock.now()].slice(-FAILURES_MAX);
      failures.delete(userId);
      failures.set(userId, times);
      if (failures.size <= ENTRIES_MAX) return;
      const oldest = failures.keys().next();
      if (!oldest.done) failures.delete(oldest.value);
    },
    succeeded: (userId) => void failures.delete(userId),
  };
}
