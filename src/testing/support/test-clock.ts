import type { Clock } from '../../ports/clock.ts';

export interface TestClock extends Clock {
  /** Moves the hands by `ms`. */
  advance(ms: number): void;
  /** The machine's clock shows so much more than `now`, ms: somebody has set it. */
  setWallAhead(ms: number): void;
  /** Every sleep that was asked for, ms. */
  readonly slept: readonly number[];
}

/**
 * A clock for unit tests: it stands still, and whoever sleeps on it moves the hands himself and goes on at once. Where several things sleep
 * at the same time, and their order matters, take `VirtualClock` of the simulator.
 */
export function makeTestClock(startAt = Date.UTC(2026, 0, 5, 9)): TestClock {
  let now = startAt;
  let wallAheadMs = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    brokenAt: () => 0,
    slowedAt: () => 0,
    wallNow: () => now + wallAheadMs,
    advance: (ms) => {
      now += ms;
    },
    setWallAhead: (ms) => {
      wallAheadMs = ms;
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}
