import { DAY_MS } from '../lib/time.ts';

/** So much faster or slower than even does it run to come near the wall clock. */
const STEER_MAX = 0.05;
/** A wall clock that is further off than this is taken as it is, ms. */
const STEP_MIN_MS = DAY_MS;

export interface TimeSources {
  /** The machine's clock, ms since the epoch: anybody may set it. */
  readonly wallMs: () => number;
  /** A clock that nobody sets, ms since whenever. */
  readonly evenMs: () => number;
}

/**
 * Time that nobody sets. It begins at the wall clock, runs by the even one, and comes near the wall clock again by at most 5 % of its speed: when a person,
 * a time server or a virtual machine that wakes sets that ahead by an hour, a fence, a lease or a pause is still not more than 5 % shorter than promised, and
 * when it is set back none is longer and no time comes twice. The hour is made up for in twenty; the next start takes the wall clock as it is.
 * The price: the even clock stands while a machine sleeps, so that what was read before a sleep of less than a day looks younger than it is.
 *
 * What is further off than a day is taken at once, to either side. Ahead, it is a machine that slept, for which the time did pass, or one whose battery
 * was dead: no store's certificate was good at its time, so that no request of before is under way. Back, the scheduler moves what waits (`scheduler.ts`).
 */
export function createSteeredTime({ wallMs, evenMs }: TimeSources): () => number {
  let at = wallMs();
  let readAt = evenMs();
  return () => {
    const even = evenMs();
    const elapsed = even - readAt;
    readAt = even;
    const gap = wallMs() - (at + elapsed);
    const steerMax = STEER_MAX * elapsed;
    at += elapsed + (Math.abs(gap) > STEP_MIN_MS ? gap : Math.min(steerMax, Math.max(-steerMax, gap)));
    return Math.floor(at);
  };
}
