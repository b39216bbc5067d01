import { DAY_MS, SECOND_MS } from '../lib/time.ts';
import { CLOCK_SLOWER_MAX } from '../ports/clock.ts';

/** So much faster or slower than even does it run to come near the wall clock. */
const STEER_MAX = CLOCK_SLOWER_MAX;
/** A wall clock that is further off than this is taken as it is, ms. */
const STEP_MIN_MS = DAY_MS;
/** By so much more than the even clock does the wall clock go on between two looks only where it was set, or where the machine slept, ms. */
const BREAK_MIN_MS = SECOND_MS;

export interface TimeSources {
  /** The machine's clock, ms since the epoch: anybody may set it. */
  readonly wallMs: () => number;
  /** A clock that nobody sets, ms since whenever. */
  readonly evenMs: () => number;
}

/** See `Clock`. */
export interface SteeredTime {
  now(): number;
  brokenAt(): number;
  slowedAt(): number;
}

/**
 * Time that nobody sets. It begins at the wall clock, runs by the even one, and comes near the wall clock again by at most 5 % of its speed: when a person,
 * a time server or a virtual machine that wakes sets that ahead by an hour, a fence, a lease or a pause is still not more than 5 % shorter than promised, and
 * when it is set back none is longer and no time comes twice. The hour is made up for in twenty; the next start takes the wall clock as it is.
 * The even clock stands while a machine sleeps, and what was read before that would look younger than it is: whenever the wall clock leaps ahead, `brokenAt` says so.
 *
 * What is further off than a day is taken at once, to either side. Ahead, it is a machine that slept, for which the time did pass, or one whose battery
 * was dead: no store's certificate was good at its time, so that no request of before is under way. Back, the scheduler moves what waits (`scheduler.ts`).
 */
export function createSteeredTime({ wallMs, evenMs }: TimeSources): SteeredTime {
  let wall = wallMs();
  let even = evenMs();
  let at = wall;
  let brokenAt = 0;
  let slowedAt = 0;
  const now = (): number => {
    const elapsed = evenMs() - even;
    const leap = wallMs() - wall - elapsed;
    even += elapsed;
    wall += elapsed + leap;
    const gap = wall - (at + elapsed);
    const steerMax = STEER_MAX * elapsed;
    at += elapsed + (Math.abs(gap) > STEP_MIN_MS ? gap : Math.min(steerMax, Math.max(-steerMax, gap)));
    if (leap > BREAK_MIN_MS) brokenAt = Math.floor(at);
    // A clock that is kept in time is slowed by next to nothing, all the time.
    if (gap < -BREAK_MIN_MS) slowedAt = Math.floor(at);
    return Math.floor(at);
  };
  return {
    now,
    brokenAt() {
      now();
      return brokenAt;
    },
    slowedAt() {
      now();
      return slowedAt;
    },
  };
}
