/** Of what really passes, time that is slowed shows at most this share less. */
export const CLOCK_SLOWER_MAX = 0.05;

/** What slowed time that shows `shownMs` may have fallen behind what really passed, at most, ms. */
export function mayHaveLost(shownMs: number): number {
  return (CLOCK_SLOWER_MAX / (1 - CLOCK_SLOWER_MAX)) * shownMs;
}

/** Time as the engine sees it. The server has the real one; the simulator turns the hands. */
export interface Clock {
  /** Milliseconds since the epoch. Runs evenly, whatever becomes of the machine's clock: what lasts is measured by it, and what was promised until a time. */
  now(): number;
  /**
   * When time last went on without us, by `now()`: the machine slept, or its clock was set ahead, which nobody can tell apart. What was read until then may be
   * older than it looks. 0: never since the start.
   */
  brokenAt(): number;
  /**
   * Until when time last went slower than even, by `now()`, at most by `CLOCK_SLOWER_MAX`: the machine's clock was set back, and is still being waited for.
   * 0: never since the start.
   */
  slowedAt(): number;
  /** What the machine's clock shows, right or wrong, ms: for what other machines hold against theirs, and for nothing that lasts. */
  wallNow(): number;
  /** Resolves after `ms` (0: after everything else that is due now); rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
