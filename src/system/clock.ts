import type { Clock } from '../ports/clock.ts';
import { createSteeredTime } from './steered-time.ts';

/** Timers of Node take 31 bits of milliseconds; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const time = createSteeredTime({ wallMs: () => Date.now(), evenMs: () => performance.now() });

/**
 * The process's time, near the wall clock and not at its mercy (`steered-time.ts`). Its timers do not keep the process alive: what listens does.
 * By the wall clock itself goes only what another machine compares with its own: the codes of an authenticator app, and the time in a signed webhook. Turns of
 * a schedule do not, though a time zone is named in them: they are jobs, and may be early or late by what is being made up for. Stores need no wall clock
 * either: how far theirs is from `now` is learned from their answers.
 */
export const systemClock: Clock = {
  now: time.now,
  brokenAt: time.brokenAt,
  slowedAt: time.slowedAt,
  wallNow: () => Date.now(),
  async sleep(ms, signal) {
    // No wait at all still lets everything that is due run first: long work yields by it, and deliveries of one turn share a commit.
    if (ms <= 0) await new Promise<void>((resolve) => setImmediate(resolve));
    // By a clock that nobody sets: one on the wall that was set back an hour would lengthen every wait by that hour.
    const until = performance.now() + ms;
    for (let left = ms; left > 0; left = until - performance.now()) await pause(Math.min(left, TIMER_MAX_MS), signal);
    signal?.throwIfAborted();
  },
};

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
