import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { AFTER_SLEEP_MS, type CallPriority, callsAhead, firstInLine, OWN_LIMIT } from '../shared/rate-gate.ts';
import { type RequestWindow, WINDOW_LOOK_MS } from '../shared/request-window.ts';

/** Shopify's `extensions.cost.throttleStatus`: the bucket as the store reports it. No size is assumed; they differ by plan and change. */
export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
}

/** What a call takes from the bucket before it runs, and what it keeps of that in the end. */
export interface CallCost {
  readonly requested: number;
  readonly actual: number;
}

export interface CostGate {
  /**
   * Waits until the requested points are likely to be there. The ticket must be settled exactly once, with what the answer said of the bucket (null: nothing).
   * Throws `rate_limited` when that would take longer than `waitMaxMs`; rejects with the signal's reason when aborted.
   */
  enter(cost: CallCost, priority: CallPriority, signal?: AbortSignal): Promise<(status: ThrottleStatus | null) => void>;
  /** Nobody enters before this many ms have passed: for `Retry-After`. */
  pause(ms: number): void;
}

interface Waiter {
  readonly cost: CallCost;
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

interface Bucket {
  available: number;
  readAt: number;
  readonly max: number;
  readonly perSecond: number;
}

/** Share of the bucket that only stock may use, and its ceiling in points: room for several calls of 250 quantities. */
const STOCK_RESERVE_SHARE = 0.1;
const STOCK_RESERVE_MAX = 100;

export interface CostGateOptions {
  readonly clock: Clock;
  readonly waitMaxMs?: number;
  /** How often the store may be asked by its pairs' settings, whatever its bucket holds. */
  readonly window?: RequestWindow;
}

export function createCostGate(options: CostGateOptions): CostGate {
  const { clock, window } = options;
  const waitMaxMs = options.waitMaxMs ?? 30_000;
  const queues: Record<CallPriority, Waiter[]> = { stock: [], write: [], other: [] };
  let bucket: Bucket | null = null;
  /** Points taken by calls under way, and how many of them will be given back. */
  let pointsInFlight = 0;
  let refundsInFlight = 0;
  let callsInFlight = 0;
  let pausedUntil = 0;
  let brokenAt = clock.brokenAt();
  let isPumping = false;
  let wakeUp: (() => void) | null = null;

  function availableNow(): number {
    if (bucket === null) return 0;
    const grown = ((clock.now() - bucket.readAt) / 1000) * bucket.perSecond;
    return Math.min(bucket.max, bucket.available + Math.max(0, grown));
  }

  /** Ms until a call may go: 0 now, Infinity "when the first answer has told the bucket". */
  function waitFor(points: number, priority: CallPriority): number {
    const pauseMs = Math.max(0, pausedUntil - clock.now());
    if (bucket === null) return callsInFlight === 0 ? pauseMs : Number.POSITIVE_INFINITY;
    const reserve = priority === 'stock' ? 0 : Math.min(STOCK_RESERVE_MAX, bucket.max * STOCK_RESERVE_SHARE);
    // What is dearer than the whole bucket goes when the bucket is full: the store then decides.
    const needed = Math.min(points + reserve, bucket.max);
    const missing = needed - availableNow();
    return Math.max(pauseMs, missing <= 0 ? 0 : Math.ceil((missing / bucket.perSecond) * 1000));
  }

  /** By what calls really keep, for most of what they ask is given back when they end: else a burst of cheap calls would look hopeless. */
  function expectedWaitMs(cost: CallCost, ahead: readonly Waiter[]): number {
    const pauseMs = Math.max(0, pausedUntil - clock.now());
    if (bucket === null) return pauseMs;
    const kept = ahead.reduce((sum, waiter) => sum + waiter.cost.actual, 0);
    const missing = kept + Math.min(cost.requested, bucket.max) - availableNow() - refundsInFlight;
    return Math.max(pauseMs, (missing / bucket.perSecond) * 1000);
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      for (;;) {
        const priority = firstInLine(queues);
        const head = priority === null ? undefined : queues[priority][0];
        if (priority === null || head === undefined) return;
        if (clock.brokenAt() > brokenAt) {
          brokenAt = clock.brokenAt();
          pausedUntil = Math.max(pausedUntil, clock.now() + AFTER_SLEEP_MS);
        }
        const windowMs = window?.waitMs(priority, 0) ?? 0;
        const waitMs = Math.max(windowMs, waitFor(head.cost.requested, priority));
        const waitedMs = clock.now() - head.since;
        if (waitMs <= 0) {
          queues[priority].shift();
          take(head.cost);
          window?.take(priority);
          head.admit();
        } else if (waitedMs > waitMaxMs) {
          queues[priority].shift();
          head.refuse(noRoom(waitMs, windowMs));
        } else {
          await nap(windowMs > 0 ? Math.min(waitMs, WINDOW_LOOK_MS) : waitMs);
        }
      }
    } finally {
      isPumping = false;
    }
  }

  function take({ requested, actual }: CallCost): void {
    callsInFlight += 1;
    pointsInFlight += requested;
    refundsInFlight += requested - actual;
    if (bucket !== null) bucket = { ...bucket, available: availableNow() - requested, readAt: clock.now() };
  }

  /** Sleeps, or until something changed: a newcomer with stock, an answer that told more of the bucket. */
  async function nap(ms: number): Promise<void> {
    const cut = new AbortController();
    const woken = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    const slept = Number.isFinite(ms)
      ? clock.sleep(ms, cut.signal).catch(() => undefined)
      : new Promise<void>(() => {});
    await Promise.race([woken, slept]);
    wakeUp = null;
    cut.abort();
  }

  return {
    async enter(cost, priority, signal) {
      signal?.throwIfAborted();
      const ahead = callsAhead(queues, priority);
      const windowMs = window?.waitMs(priority, ahead.length) ?? 0;
      const waitMs = Math.max(windowMs, expectedWaitMs(cost, ahead));
      if (waitMs > waitMaxMs) throw noRoom(waitMs, windowMs);
      await new Promise<void>((resolve, reject) => {
        const leave = (settle: () => void) => {
          signal?.removeEventListener('abort', onAbort);
          settle();
        };
        const waiter: Waiter = {
          cost,
          since: clock.now(),
          admit: () => leave(resolve),
          refuse: (error) => leave(() => reject(error)),
        };
        const onAbort = () => {
          queues[priority] = queues[priority].filter((other) => other !== waiter);
          wakeUp?.();
          reject(signal?.reason);
        };
        queues[priority].push(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
        wakeUp?.();
        void pump();
      });
      let isSettled = false;
      return (status) => {
        if (isSettled) return;
        isSettled = true;
        callsInFlight -= 1;
        pointsInFlight -= cost.requested;
        refundsInFlight -= cost.requested - cost.actual;
        if (status !== null && isTold(status)) {
          // Calls still under way may not be in the reported number yet: counted against us, never for us.
          bucket = {
            available: status.currentlyAvailable - pointsInFlight,
            readAt: clock.now(),
            max: status.maximumAvailable,
            perSecond: status.restoreRate,
          };
        }
        wakeUp?.();
      };
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}

/** Whether an answer really says how full the bucket is: with a part of it missing no wait could be told, and nobody would ever go. */
export function isTold({ maximumAvailable, currentlyAvailable, restoreRate }: ThrottleStatus): boolean {
  return Number.isFinite(currentlyAvailable) && isAmount(restoreRate) && isAmount(maximumAvailable);
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function noRoom(waitMs: number, windowMs: number): ConnectorError {
  const retryAfterMs = Number.isFinite(waitMs) ? Math.ceil(waitMs) : 1_000;
  const isOwn = windowMs >= waitMs;
  const words = `${isOwn ? OWN_LIMIT : 'Shopify’s rate'} leaves no room for this call now`;
  return new ConnectorError('rate_limited', words, isOwn ? { retryAfterMs, isOwnLimit: true } : { retryAfterMs });
}
