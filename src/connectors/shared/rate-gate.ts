import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { type RequestWindow, WINDOW_LOOK_MS } from './request-window.ts';

/**
 * Stock goes before everything else: a late price is a nuisance, a late stock number is an oversell. A write goes before what is only read: it was
 * decided on a reading that grows old meanwhile.
 */
const CALL_PRIORITIES = ['stock', 'write', 'other'] as const;
export type CallPriority = (typeof CALL_PRIORITIES)[number];

/** What waits before a newcomer, in the order of its turns. */
export function callsAhead<T>(
  queues: Readonly<Record<CallPriority, readonly T[]>>,
  priority: CallPriority,
): readonly T[] {
  return CALL_PRIORITIES.slice(0, CALL_PRIORITIES.indexOf(priority) + 1).flatMap((one) => queues[one]);
}

/** Whose turn it is; null: nobody's. */
export function firstInLine(queues: Readonly<Record<CallPriority, readonly unknown[]>>): CallPriority | null {
  return CALL_PRIORITIES.find((priority) => queues[priority].length > 0) ?? null;
}

export interface RateGateOptions {
  readonly clock: Clock;
  /** Ceiling; the gate starts there and comes back to it. */
  readonly requestsPerSecond: number;
  /**
   * A higher ceiling for a store that answers fast and shows no strain: as many calls as keep `BUSY_CALLS` of them under way on average, up to
   * this. What a store can bear is not a number of calls but the time they take it.
   */
  readonly requestsPerSecondFast?: number;
  /** How many calls an idle gate lets through at once. Default: one second's worth. */
  readonly burst?: number;
  /** Calls under way at once; one place of them is kept for stock and writes. Default 4: a small host has five PHP workers, and its own visitors. */
  readonly concurrencyMax?: number;
  /** Never slower than this. */
  readonly requestsPerSecondMin?: number;
  /** An answer slower than this counts as a sign of strain. */
  readonly slowAnswerMs?: number;
  /** Longest wait before a call fails with `rate_limited`. */
  readonly waitMaxMs?: number;
  /** How often the store may be asked by its pairs' settings, whatever it bears. */
  readonly window?: RequestWindow;
}

export interface CallReport {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly latencyMs: number;
  /** What `Retry-After` asked for; null when it asked for nothing. */
  readonly retryAfterMs: number | null;
}

export interface RateGate {
  /**
   * Waits for a turn. The function given back must be called exactly once, when the call ended, with how it went.
   * Throws `rate_limited` when the turn would not come within `waitMaxMs`; rejects with the signal's reason when aborted.
   */
  enter(priority: CallPriority, signal?: AbortSignal): Promise<(report: CallReport) => void>;
  /** Nobody enters before this many ms have passed: for limits that are told outside of an HTTP status. */
  pause(ms: number): void;
  /** Calls per second at this moment. */
  readonly perSecond: number;
}

interface Waiter {
  readonly priority: CallPriority;
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** A store of ours that takes 250 ms for a call is asked 8 times a second. */
const BUSY_CALLS = 2;
const LATENCY_SHARE = 0.2;
/** What a person is told when what they set is what keeps a call back. */
export const OWN_LIMIT = "the limit of requests a minute in the pair's settings";
/**
 * [W1] Nobody enters so long after the machine slept, ms: who waited to write what was decided before looks each second whether it did (`openDeparture`), and
 * leaves the line.
 */
export const AFTER_SLEEP_MS = 1_100;
/** A reason of its own: without one an error with a stack is made each time. */
const WOKEN = 'somebody came or left';
/** A store that showed strain is held to the plain ceiling for this long. */
const STRAIN_REMEMBERED_MS = 60_000;
const SLOW_DOWN = 0.5;
const SPEED_UP_SHARE = 0.05;
/** One strained moment gives many bad answers at once; it is answered by one step down. */
const SLOW_DOWN_PAUSE_MS = 1_000;

/**
 * A token bucket whose rate falls by half on 429, 5xx and slow answers, and climbs back by a twentieth of the ceiling
 * with each good one (additive increase, multiplicative decrease). All waiting goes through the clock, so that a
 * virtual one works.
 */
export function createRateGate(options: RateGateOptions): RateGate {
  const { clock, window } = options;
  const plainCeiling = options.requestsPerSecond;
  const floor = Math.min(plainCeiling, options.requestsPerSecondMin ?? 0.5);
  const plainBucket = Math.max(1, options.burst ?? plainCeiling);
  const concurrencyMax = options.concurrencyMax ?? 4;
  const slowAnswerMs = options.slowAnswerMs ?? 10_000;
  const waitMaxMs = options.waitMaxMs ?? 30_000;
  const queues: Record<CallPriority, Waiter[]> = { stock: [], write: [], other: [] };
  let perSecond = plainCeiling;
  let tokens = plainBucket;
  let averageMs: number | null = null;
  let refilledAt = clock.now();
  let pausedUntil = 0;
  let brokenAt = clock.brokenAt();
  let slowedAt = Number.NEGATIVE_INFINITY;
  let underWay = 0;
  let wakeUp: (() => void) | null = null;
  let isPumping = false;

  function ceilingNow(): number {
    const isTired = clock.now() - slowedAt < STRAIN_REMEMBERED_MS;
    if (options.requestsPerSecondFast === undefined || averageMs === null || isTired) return plainCeiling;
    const bearable = (BUSY_CALLS * 1000) / Math.max(1, averageMs);
    return Math.max(plainCeiling, Math.min(options.requestsPerSecondFast, bearable));
  }

  function refill(): void {
    const now = clock.now();
    tokens = Math.min(Math.max(plainBucket, perSecond), tokens + (Math.max(0, now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
  }

  /** How long a call that enters now, behind `ahead` others, would wait; slots that are taken are not foreseen. */
  function expectedWaitMs(priority: CallPriority, ahead: number): number {
    refill();
    const pause = Math.max(0, pausedUntil - clock.now());
    const missing = ahead + 1 - tokens;
    const rateMs = pause + (missing > 0 ? (missing / perSecond) * 1000 : 0);
    return Math.max(rateMs, window?.waitMs(priority, ahead) ?? 0);
  }

  function refusal(priority: CallPriority, ahead: number, waitMs: number): ConnectorError {
    const isOwn = window !== undefined && window !== null && window.waitMs(priority, ahead) >= waitMs;
    const words = `${isOwn ? OWN_LIMIT : "the store's rate"} leaves no room within ${Math.round(waitMaxMs / 1000)} s`;
    const retryAfterMs = Math.ceil(waitMs);
    return new ConnectorError('rate_limited', words, isOwn ? { retryAfterMs, isOwnLimit: true } : { retryAfterMs });
  }

  /** Those whose turn would come too late are told at once rather than at the end of their patience. */
  function refuseHopeless(): void {
    let ahead = 0;
    for (const priority of CALL_PRIORITIES) {
      queues[priority] = queues[priority].filter((waiter) => {
        const waitMs = expectedWaitMs(priority, ahead);
        if (waitMs + (clock.now() - waiter.since) <= waitMaxMs) {
          ahead += 1;
          return true;
        }
        waiter.refuse(refusal(priority, ahead, waitMs));
        return false;
      });
    }
  }

  /** One place is kept for what can't wait: else the reads of a slow store would take all of them for as long as they last. */
  function placesFor(priority: CallPriority): number {
    return priority === 'other' ? Math.max(1, concurrencyMax - 1) : concurrencyMax;
  }

  function wake(): void {
    wakeUp?.();
    wakeUp = null;
  }

  /** Until somebody comes or leaves, or so long. */
  async function nap(ms: number): Promise<void> {
    const cut = new AbortController();
    const slept = clock.sleep(ms, cut.signal).catch(() => undefined);
    await Promise.race([slept, awoken()]);
    cut.abort(WOKEN);
  }

  function awoken(): Promise<void> {
    return new Promise((resolve) => {
      wakeUp = resolve;
    });
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      for (let next = firstInLine(queues); next !== null; next = firstInLine(queues)) {
        refill();
        if (clock.brokenAt() > brokenAt) {
          brokenAt = clock.brokenAt();
          pausedUntil = Math.max(pausedUntil, clock.now() + AFTER_SLEEP_MS);
        }
        const waitMs = Math.max(pausedUntil - clock.now(), tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000);
        if (waitMs > 0) {
          // Rounded up: a clock of whole milliseconds would otherwise wake us a hair too early, again and again.
          await clock.sleep(Math.ceil(waitMs));
          refuseHopeless();
          continue;
        }
        const windowMs = window?.waitMs(next, 0) ?? 0;
        if (windowMs > 0 || underWay >= placesFor(next)) {
          await (windowMs > 0 ? nap(Math.min(windowMs, WINDOW_LOOK_MS)) : awoken());
          refuseHopeless();
        } else {
          tokens -= 1;
          underWay += 1;
          window?.take(next);
          queues[next].shift()?.admit();
        }
      }
    } finally {
      isPumping = false;
    }
  }

  function leave(report: CallReport): void {
    underWay -= 1;
    wake();
    refill();
    const isStrained = report.status === 429 || report.status >= 500 || report.latencyMs > slowAnswerMs;
    if (!isStrained) {
      if (report.status === 0) return;
      averageMs = averageMs === null ? report.latencyMs : averageMs + (report.latencyMs - averageMs) * LATENCY_SHARE;
      perSecond = Math.min(ceilingNow(), perSecond + Math.max(plainCeiling, perSecond) * SPEED_UP_SHARE);
    } else if (clock.now() - slowedAt >= SLOW_DOWN_PAUSE_MS) {
      slowedAt = clock.now();
      perSecond = Math.max(floor, Math.min(perSecond, plainCeiling) * SLOW_DOWN);
      tokens = Math.min(tokens, 1);
    }
    if (report.retryAfterMs !== null && (report.status === 429 || report.status === 503)) pause(report.retryAfterMs);
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    refuseHopeless();
  }

  return {
    async enter(priority, signal) {
      signal?.throwIfAborted();
      const ahead = callsAhead(queues, priority).length;
      const waitMs = expectedWaitMs(priority, ahead);
      if (waitMs > waitMaxMs) throw refusal(priority, ahead, waitMs);
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          queues[priority] = queues[priority].filter((other) => other !== waiter);
          reject(signal?.reason);
        };
        const done = (settle: () => void) => {
          signal?.removeEventListener('abort', onAbort);
          settle();
        };
        const waiter: Waiter = {
          priority,
          since: clock.now(),
          admit: () => done(resolve),
          refuse: (error) => done(() => reject(error)),
        };
        queues[priority].push(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
        wake();
        void pump();
      });
      let isLeft = false;
      return (report) => {
        if (isLeft) return;
        isLeft = true;
        leave(report);
      };
    },
    pause,
    get perSecond() {
      return perSecond;
    },
  };
}

/** Whatever is asked for, a store is asked again after this: one whose clock is years ahead must not be left alone for years. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * `Retry-After` in ms from now: whole seconds or an HTTP date; null when absent or neither. Never negative, and an hour at most. A date is of the store's
 * clock, and so is held against the answer's own `Date`; against `nowMs` where that is missing.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(RETRY_AFTER_MAX_MS, Math.ceil(Number(text) * 1000));
  if (!/[a-z]/i.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const storeNow = Date.parse(headers['date'] ?? '');
  return Math.min(RETRY_AFTER_MAX_MS, Math.max(0, at - (Number.isNaN(storeNow) ? nowMs : storeNow)));
}
