import type { Clock } from '../../ports/clock.ts';
import type { Timer } from './timer-heap.ts';

/** What code on virtual time needs of a clock: the engine takes the `Clock` part, stores the timers too. */
export interface TimerClock extends Clock {
  setTimer(run: () => void, ms: number): Timer;
  clearTimer(timer: Timer): void;
}

/** The clock of one process of ours: `kill` is kill -9. */
export interface ProcessClock extends TimerClock {
  isAlive(): boolean;
  /** Its timers never fire and its sleeps never settle again. What runs in other processes and in the stores goes on. */
  kill(): void;
  /** Its machine sleeps for so long: no timer of it moves. Then its time has gone on without it. */
  fallAsleep(ms: number): void;
  /** Until it wakes; null: it is awake. */
  asleep(): Promise<void> | null;
}

/** A process's own clock, on hands that go on without it. */
export function processClock(view: TimerClock): ProcessClock {
  let isAlive = true;
  let slept = 0;
  let brokenAt = 0;
  let sleep: Promise<void> | null = null;
  // A timer that was set before the machine slept has as much time left when it wakes. The first is what its owner knows it by.
  const put = new WeakMap<Timer, Timer>();
  const setTimer = (run: () => void, ms: number): Timer => {
    let known = slept;
    const fire = (): void => {
      if (!isAlive) return;
      const more = slept - known;
      known = slept;
      if (more > 0) put.set(timer, view.setTimer(fire, more));
      else run();
    };
    const timer = view.setTimer(fire, ms);
    return timer;
  };
  const clock: ProcessClock = {
    now: () => view.now(),
    brokenAt: () => brokenAt,
    slowedAt: () => 0,
    wallNow: () => view.wallNow(),
    setTimer,
    clearTimer: (timer) => {
      view.clearTimer(timer);
      const later = put.get(timer);
      if (later !== undefined) view.clearTimer(later);
    },
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    isAlive: () => isAlive,
    kill: () => {
      isAlive = false;
    },
    asleep: () => sleep,
    fallAsleep: (ms) => {
      if (sleep !== null) return;
      slept += ms;
      sleep = new Promise((resolve) => {
        view.setTimer(() => {
          sleep = null;
          brokenAt = view.now();
          resolve();
        }, ms);
      });
    },
  };
  return clock;
}

/** A sleep by a clock's timers. */
export function sleepOn(clock: TimerClock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clock.clearTimer(timer);
      reject(signal?.reason);
    };
    const timer = clock.setTimer(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}
