import { assert } from '../../lib/assert.ts';
import { type ProcessClock, processClock, sleepOn, type TimerClock } from './process-clock.ts';
import { type Timer, TimerHeap } from './timer-heap.ts';

export interface VirtualClockOptions {
  readonly settleTurns?: number;
  /**
   * All that runs on the clock hangs on promises alone: timers may follow each other without a turn of the event loop between them, which asks the
   * system for what has arrived, and costs more than most timers do.
   */
  readonly isPromisesOnly?: boolean;
}

/** Timers run by one call before it is held to be a livelock. */
const TIMERS_MAX = 50_000_000;

/**
 * Virtual time. Nothing waits: `advance` moves the hands to the next timer, runs it, and drains.
 *
 * Draining. Between two timers everything that the first set off has to come to rest, or the order of events would depend on how many
 * `await`s deep some code is. Everything that runs here (engine, p-queue without intervals, memory connector, better-sqlite3)
 * hangs on promises alone; Node empties the microtask queue (and `process.nextTick`) to the last entry before it goes on to the
 * next macrotask. So one `setImmediate` is an exact barrier, whatever the depth, with no number of turns to guess: about 1.2 µs (400,000 sleeps
 * a second), against 0.8 µs for a chain of 20 resolved promises, which is none. Real timers, sockets, files and worker threads don't count as
 * rest: code on this clock must use none. Code that yields by `setImmediate` itself is given `settleTurns` such turns.
 */
export class VirtualClock implements TimerClock {
  #now: number;
  #order = 0;
  readonly #timers = new TimerHeap();
  #isAuto = false;
  #isPumping = false;
  /** Calls of `runUntil` under way. */
  #runs = 0;
  readonly #settleTurns: number;
  readonly #isPromisesOnly: boolean;

  constructor(startAt = Date.UTC(2026, 0, 5, 9), options: VirtualClockOptions = {}) {
    this.#now = startAt;
    this.#settleTurns = options.settleTurns ?? 1;
    this.#isPromisesOnly = options.isPromisesOnly ?? false;
    assert(this.#settleTurns === 1 || !this.#isPromisesOnly, 'promises alone need no turns to settle in');
  }

  now(): number {
    return this.#now;
  }

  readonly brokenAt = (): number => 0;

  readonly slowedAt = (): number => 0;

  wallNow(): number {
    return this.#now;
  }

  /** When the next timer is due; null when there is none. */
  nextAt(): number | null {
    return this.#timers.first()?.at ?? null;
  }

  /** Fractions of a millisecond are rounded up: time is whole milliseconds everywhere. */
  setTimer(run: () => void, ms: number): Timer {
    assert(ms >= 0 && Number.isFinite(ms), 'a timer waits for a finite time');
    const timer: Timer = { at: this.#now + Math.ceil(ms), order: this.#order, run };
    this.#order += 1;
    this.#timers.push(timer);
    if (this.#isAuto) this.#pump();
    return timer;
  }

  clearTimer(timer: Timer): void {
    timer.run = null;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  /** Lets everything that is under way come to rest at the present instant (timers apart). */
  async drain(): Promise<void> {
    for (let turn = 0; turn < this.#settleTurns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Goes to the next timer, runs it and drains. False when there is none (or none up to `limit`): time stands still. */
  async advance(limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    const at = this.nextAt();
    if (at === null || at > limit) return false;
    this.#fireNext();
    await this.drain();
    return true;
  }

  /** Runs every timer up to and including `at`, and leaves the hands there. */
  async runUntil(at: number): Promise<void> {
    this.#runs += 1;
    try {
      await this.drain();
      if (this.#isPromisesOnly) await this.#runThrough(at);
      else
        for (let count = 0; await this.advance(at); count += 1) assert(count < TIMERS_MAX, 'runUntil comes to an end');
    } finally {
      this.#runs -= 1;
    }
    this.#now = Math.max(this.#now, at);
  }

  /**
   * What `advance` does until there is none left up to `limit`. A tick that is asked for by a microtask comes when the microtask queue is empty, as the
   * next macrotask would. Beside another run each timer has its turn of the loop, so that both get on.
   */
  #runThrough(limit: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let count = 0;
      const fire = (): void => {
        try {
          const at = this.nextAt();
          if (at === null || at > limit) {
            resolve();
            return;
          }
          this.#fireNext();
          count += 1;
          assert(count < TIMERS_MAX, 'runUntil comes to an end');
          queueMicrotask(next);
        } catch (error) {
          reject(error);
        }
      };
      const next = (): void => {
        if (this.#runs === 1) process.nextTick(fire);
        else setImmediate(fire);
      };
      fire();
    });
  }

  runFor(ms: number): Promise<void> {
    return this.runUntil(this.#now + ms);
  }

  /** Turns the hands until `promise` settles, and gives what it settles to. Throws when it hangs on something that is no timer. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    await this.drain();
    while (!isSettled) assert(await this.advance(), 'a promise on virtual time waits for a timer');
    return promise;
  }

  /**
   * From now on the hands turn by themselves whenever nothing else can happen: for tests that just `await`. Returns what stops it.
   * Each timer is a macrotask of its own, so the draining is the same.
   */
  autoRun(): () => void {
    this.#isAuto = true;
    this.#pump();
    return () => {
      this.#isAuto = false;
    };
  }

  /** This clock as somebody reads it whose hands are `ms` (may change) ahead of it. */
  skewed(ms: number | (() => number)): TimerClock {
    const offset = typeof ms === 'number' ? () => ms : ms;
    return {
      now: () => this.#now + offset(),
      brokenAt: () => 0,
      slowedAt: () => 0,
      wallNow: () => this.#now + offset(),
      sleep: (wait, signal) => this.sleep(wait, signal),
      setTimer: (run, wait) => this.setTimer(run, wait),
      clearTimer: (timer) => this.clearTimer(timer),
    };
  }

  /** The clock of a process that can be killed. `skew` as in `skewed`. */
  process(skew: number | (() => number) = 0): ProcessClock {
    return processClock(this.skewed(skew));
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      if (!this.#isAuto || this.nextAt() === null) return;
      this.#fireNext();
      this.#pump();
    });
  }

  #fireNext(): void {
    const timer = this.#timers.pop();
    const run = timer?.run;
    if (!timer || !run) return;
    this.#now = Math.max(this.#now, timer.at);
    timer.run = null;
    run();
  }
}
