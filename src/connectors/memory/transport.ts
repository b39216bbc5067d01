import { ConnectorError } from '../../model/connector-error.ts';
import type { ConnectorHealth } from '../../ports/connector.ts';
import type { Operation } from './fault-plan.ts';
import type { Handling, MemoryPlatform } from './platform.ts';

export interface Request {
  readonly operation: Operation;
  readonly isWrite: boolean;
  readonly itemCount: number;
  /** Aborted before it was sent, it never is. */
  readonly signal: AbortSignal | undefined;
  /** Once it was sent, its answer is waited for until this. */
  readonly cut: AbortSignal | undefined;
}

/** Past this a rate limit is told instead of waited out [C9]. */
const WAIT_MS_MAX = 30_000;
const READ_ATTEMPTS_MAX = 3;
const READ_BACKOFF_MS = 500;
const LATENCIES_KEPT = 128;
const AFTER_SLEEP_MS = 1_100;

/** What a client knows of the process it is a part of, as `MemoryConnectorOptions` says it. */
interface Host {
  readonly isAlive: () => boolean;
  readonly asleep: () => Promise<void> | null;
  readonly brokenAt: () => number;
}

/**
 * The connector's client: keeps to the platform's rate, waits out its 429s, repeats reads on passing faults and never a write [C9], and
 * keeps the figures for `health`. Everything stops for ever, unsettled, once the process is dead.
 */
export class Transport {
  readonly #platform: MemoryPlatform;
  readonly #host: Host;
  readonly #token: string;
  /** When the next request may go, by the platform's rate. It starts with an empty bucket: another process may just have emptied it. */
  #nextAt = 0;
  #calls = 0;
  #failures = 0;
  #throttled = 0;
  #lastContactAt: number | null = null;
  #lastErrorAt: number | null = null;
  #lastErrorKind: string | null = null;
  readonly #latencies: number[] = [];

  constructor(platform: MemoryPlatform, host: Host, token: string) {
    this.#platform = platform;
    this.#host = host;
    this.#token = token;
  }

  async send<T>(request: Request, handle: (handling: Handling) => T): Promise<T> {
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      await this.#gate(request.signal);
      await this.#leaveBed(request.signal);
      try {
        return await this.#once(request, handle);
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        const waitMs = retryAfter(error, request.isWrite, attempt);
        if (waitMs === null || waitedMs + waitMs > WAIT_MS_MAX || request.signal?.aborted) throw error;
        waitedMs += waitMs;
        await this.#sleep(waitMs, request.signal);
      }
    }
  }

  health(): ConnectorHealth {
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    const at = (share: number): number | null => sorted[Math.floor(share * (sorted.length - 1))] ?? null;
    return {
      lastContactAt: this.#lastContactAt,
      lastErrorAt: this.#lastErrorAt,
      lastErrorKind: this.#lastErrorKind,
      callCount: this.#calls,
      failureCount: this.#failures,
      throttledCount: this.#throttled,
      latencyP50Ms: at(0.5),
      latencyP99Ms: at(0.99),
    };
  }

  async #once<T>(request: Request, handle: (handling: Handling) => T): Promise<T> {
    const { clock } = this.#platform;
    const sentAt = clock.now();
    this.#calls += 1;
    try {
      const value = await this.#platform.exchange(
        { ...request, token: this.#token, isAlive: this.#host.isAlive },
        handle,
      );
      this.#lastContactAt = clock.now();
      return value;
    } catch (error) {
      if (error instanceof ConnectorError) {
        this.#failures += 1;
        if (error.kind === 'rate_limited') this.#throttled += 1;
        this.#lastErrorAt = clock.now();
        this.#lastErrorKind = error.kind;
      }
      throw error;
    } finally {
      this.#latencies.push(clock.now() - sentAt);
      if (this.#latencies.length > LATENCIES_KEPT) this.#latencies.shift();
      const sleep = this.#host.asleep();
      if (sleep !== null) await sleep;
    }
  }

  /** One request after the other at the platform's rate, with half of its burst to spare. */
  async #gate(signal: AbortSignal | undefined): Promise<void> {
    const { rate } = this.#platform.personality;
    if (!rate) return;
    const now = this.#platform.clock.now();
    const stepMs = 1_000 / rate.perSecond;
    const burstMs = (rate.burst / 2) * stepMs;
    if (this.#nextAt === 0) this.#nextAt = now + burstMs;
    const goAt = Math.max(now, this.#nextAt - burstMs);
    this.#nextAt = Math.max(this.#nextAt, now) + stepMs;
    if (goAt > now) await this.#sleep(goAt - now, signal);
  }

  /**
   * Nobody is let through while the machine sleeps, nor so soon after it that who waited could not have given up. It may have slept and woken in the midst of
   * a wait, and fall asleep again before anybody was let through.
   */
  async #leaveBed(signal: AbortSignal | undefined): Promise<void> {
    while (!signal?.aborted) {
      const sleep = this.#host.asleep();
      const restMs = this.#host.brokenAt() + AFTER_SLEEP_MS - this.#platform.clock.now();
      if (sleep !== null) await sleep;
      else if (restMs > 0) await this.#sleep(restMs, signal);
      else return;
    }
  }

  /** Until then, or until nobody wants to send any more. */
  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        if (this.#host.isAlive()) resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
      this.#platform.clock.setTimer(wake, ms);
    });
  }
}

/** How long to wait before the request may be sent again; null when it may not. */
function retryAfter(error: ConnectorError, isWrite: boolean, attempt: number): number | null {
  switch (error.kind) {
    case 'rate_limited':
      return error.details.retryAfterMs ?? 1_000;
    case 'timeout':
    case 'unavailable': {
      const isFinal = isWrite || attempt >= READ_ATTEMPTS_MAX || error.details.platformCode === 'CUT_SHORT';
      return isFinal ? null : READ_BACKOFF_MS * 2 ** attempt;
    }
    case 'unknown_outcome':
    case 'unauthorized':
    case 'not_found':
    case 'rejected':
    case 'malformed':
      return null;
  }
}
