import type { UserId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';
import { createSlidingWindow } from './sliding-window.ts';

const WINDOW_MS = 15 * 60_000;
const FAILURES_MAX = 8;

/**
 * Bounds guessing of second-factor codes, by account and from everywhere together: six digits would fall to a thousand sources. Only who gave
 * the right password, or whom the provider vouches for, gets this far, so nobody can lock somebody else out with it.
 */
export interface CodeThrottle {
  /** Milliseconds until the account's next attempt is looked at; 0: go on. */
  waitMs(userId: UserId): number;
  failed(userId: UserId): void;
  succeeded(userId: UserId): void;
}

export function createCodeThrottle(clock: Clock): CodeThrottle {
  const failures = createSlidingWindow<UserId>(clock, { max: FAILURES_MAX, windowMs: WINDOW_MS });
  return { waitMs: failures.waitMs, failed: failures.count, succeeded: failures.forget };
}
