import { ConnectorError } from '../../model/connector-error.ts';
import type { SearchKey } from '../../model/search-key.ts';
import { calmPlan, type FaultName, type FaultPlan, type Operation, type RequestFault } from './fault-plan.ts';
import { type Arrival, Knowledge } from './knowledge.ts';
import { Outside } from './outside.ts';
import type { Personality } from './personality.ts';
import { Shelf } from './shelf.ts';
import { Visits } from './visits.ts';
import { type Deliver, Webhooks } from './webhooks.ts';
import type { WorldClock, WorldRandom } from './world.ts';

export interface MemoryPlatformOptions {
  /** Identity of the shop; also the host of its addresses. */
  readonly name: string;
  readonly personality: Personality;
  /** True time. Effects land on it whatever becomes of the process that sent them. */
  readonly clock: WorldClock;
  readonly random: WorldRandom;
  readonly faults?: FaultPlan;
  /** The store's clock minus the true one, ms. */
  readonly skewMs?: number | (() => number);
  readonly currency?: string;
  readonly firstId?: bigint;
  readonly token?: string;
  readonly webhookSecret?: string;
  readonly deliver?: Deliver;
}

/** One request as the server handles it. */
export interface Handling {
  readonly requestId: number;
  readonly operation: Operation;
  readonly sentAt: number;
  /** Our side has stopped waiting. */
  readonly isLate: boolean;
  readonly arrival: Arrival;
  /** Items of the batch that fail for themselves. */
  readonly failing: readonly number[];
  readonly fault: RequestFault | null;
}

export interface Call {
  readonly operation: Operation;
  readonly isWrite: boolean;
  readonly itemCount: number;
  readonly token: string;
  /** Whether the process that sends it still lives: a dead one sends nothing and hears nothing, but what it sent before lands. */
  readonly isAlive: () => boolean;
  /** Aborted before the call is made, nothing is sent. */
  readonly signal: AbortSignal | undefined;
  /** Aborted later, the answer is not waited for. */
  readonly cut: AbortSignal | undefined;
}

/** The share of records that a spotty listing shows: it leaves out so few that no guard minds. */
export const SPOTTY_KEEP = 0.94;

/** A listing that the platform gets wrong for a while, as in an outage: complete by its own word, but empty, short, or without a few records. */
export type ListingOutage = 'empty' | 'shrunken' | 'spotty' | null;

/** Products that are asked for by their ids: a store that has forgotten them all says so of each, one that is down says nothing. */
export type ReadOutage = 'forgetful' | 'down' | null;

const FIRST_ID = 1_001n;

/** A shop on an in-memory platform: its truth (`shelf`), its people (`outside`), its webhooks, and the network in front of it (`exchange`). */
export class MemoryPlatform {
  readonly name: string;
  readonly personality: Personality;
  readonly currency: string;
  readonly clock: WorldClock;
  readonly shelf: Shelf;
  readonly outside: Outside;
  readonly webhooks: Webhooks;
  readonly knowledge = new Knowledge();
  /** Keys of applied stock writes (`keyed`), or whole calls (`compare_and_set`), and when each was applied, by true time. */
  readonly #appliedKeys = new Map<string, number>();
  /** How often each fault really fired. */
  readonly fired = new Map<FaultName, number>();
  readonly requestCounts = { read: 0, write: 0 };
  readonly visits = new Visits();
  /** What stands before the shop lets nobody search for these. */
  readonly shutKeys = new Set<SearchKey>();
  readonly token: string;
  webhookSecret: string;
  faults: FaultPlan;
  listingOutage: ListingOutage = null;
  /** The share of records that a spotty listing shows. */
  spottyKeep = SPOTTY_KEEP;
  readOutage: ReadOutage = null;
  #isRevoked = false;
  #requests = 0;
  readonly #skew: () => number;
  readonly #bucket: { tokens: number; at: number };

  constructor(options: MemoryPlatformOptions) {
    const { personality, clock, random } = options;
    this.name = options.name;
    this.personality = personality;
    this.currency = options.currency ?? 'EUR';
    this.clock = clock;
    this.token = options.token ?? `token-of-${options.name}`;
    this.webhookSecret = options.webhookSecret ?? `webhook-secret-of-${options.name}`;
    this.faults = options.faults ?? calmPlan();
    const skew = options.skewMs ?? 0;
    this.#skew = typeof skew === 'number' ? () => skew : skew;
    this.#bucket = { tokens: personality.rate?.burst ?? 0, at: clock.now() };
    this.shelf = new Shelf({
      clock,
      random: random.fork('shelf'),
      personality,
      skewMs: this.#skew,
      firstId: options.firstId ?? FIRST_ID,
    });
    this.webhooks = new Webhooks({
      clock,
      random: random.fork('webhooks'),
      plan: () => this.faults,
      secret: () => this.webhookSecret,
      deliver: options.deliver ?? (() => true),
      count: (name) => this.count(name),
      tellsStock: personality.tellsStock,
      retries: personality.webhookRetries,
      failuresMax: personality.webhookFailuresMax,
    });
    this.outside = new Outside(this.shelf, this.webhooks.emit.bind(this.webhooks), personality);
  }

  revokeCredentials(): void {
    this.#isRevoked = true;
  }

  restoreCredentials(): void {
    this.#isRevoked = false;
  }

  /** Whether a stock write or a whole call of this key was done, as far as the platform remembers [C16]. */
  hasApplied(key: string): boolean {
    const at = this.#appliedKeys.get(key);
    return at !== undefined && this.clock.now() - at < this.personality.keysKeptMs;
  }

  rememberApplied(key: string): void {
    const now = this.clock.now();
    // In the order in which they were applied: the oldest come first.
    for (const [old, at] of this.#appliedKeys) {
      if (now - at < this.personality.keysKeptMs) break;
      this.#appliedKeys.delete(old);
    }
    if (!this.#appliedKeys.has(key)) this.#appliedKeys.set(key, now);
  }

  count(name: FaultName): void {
    this.fired.set(name, (this.fired.get(name) ?? 0) + 1);
  }

  /**
   * One request over the network. `handle` runs at the moment when the server handles it; the promise settles when the answer arrives, and never
   * when the process that sent it has died. Rejects with a ConnectorError only.
   */
  exchange<T>(call: Call, handle: (handling: Handling) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!call.isAlive()) return;
      if (call.signal?.aborted) {
        reject(new ConnectorError('unavailable', 'The call was aborted before it was sent.', { isCancelled: true }));
        return;
      }
      const sentAt = this.clock.now();
      this.#requests += 1;
      const requestId = this.#requests;
      this.requestCounts[call.isWrite ? 'write' : 'read'] += 1;
      const { operation, isWrite, itemCount } = call;
      const visit = this.visits.note(sentAt, operation, handle);
      const { timeoutMs, fenceMs } = this.personality;
      const fate = this.faults.request({ requestId, at: sentAt, operation, isWrite, itemCount, timeoutMs, fenceMs });
      const latencyMs = Math.min(fate.latencyMs, timeoutMs - 1);
      const handledAfterMs = Math.min(fate.handledAfterMs, latencyMs);
      if (fate.isSlow) this.count('slow');

      let isSettled = false;
      const arrival: Arrival = { answeredAt: Number.POSITIVE_INFINITY };
      const settle = (outcome: () => void): void => {
        if (isSettled || !call.isAlive()) return;
        isSettled = true;
        call.cut?.removeEventListener('abort', abort);
        outcome();
      };
      const answer = (afterMs: number, outcome: () => void): void => {
        this.clock.setTimer(() => settle(outcome), afterMs);
      };
      const abort = (): void =>
        settle(() => reject(lost('unavailable', 'The call was aborted while it was under way.')));
      const refuse = (error: ConnectorError, afterMs = latencyMs): void => {
        const { retryAfterMs } = error.details;
        if (retryAfterMs !== undefined) visit.notBefore = sentAt + afterMs + retryAfterMs;
        answer(afterMs, () => reject(error));
      };
      const lost = (kind: 'timeout' | 'unavailable', words: string): ConnectorError =>
        new ConnectorError(isWrite ? 'unknown_outcome' : kind, words);
      /** What the API refuses is its answer; anything else that is thrown is a bug of ours and must not look like one. */
      const handleAfter = (afterMs: number, isLate: boolean, reply: (outcome: () => void) => void): void => {
        this.clock.setTimer(() => {
          const failing = fate.fault?.type === 'partial_batch' ? fate.fault.indexes : [];
          if (failing.length > 0) this.count('partial_batch');
          try {
            const value = handle({ requestId, operation, sentAt, isLate, arrival, failing, fault: fate.fault });
            reply(() => resolve(value));
          } catch (error) {
            if (!(error instanceof ConnectorError)) throw error;
            reply(() => reject(error));
          }
        }, afterMs);
      };
      const neverReply = (): void => undefined;
      // The answer counts as known only if it arrives at a living process.
      const reply = (outcome: () => void): void =>
        answer(latencyMs - handledAfterMs, () => {
          arrival.answeredAt = this.clock.now();
          outcome();
        });

      call.cut?.addEventListener('abort', abort);

      const throttledMs = this.#throttle();
      if (throttledMs > 0) {
        this.count('own_throttle');
        refuse(new ConnectorError('rate_limited', 'Too many requests.', { retryAfterMs: throttledMs }));
        return;
      }
      if (this.#isRevoked || call.token !== this.token) {
        this.count('revoked');
        refuse(new ConnectorError('unauthorized', 'The credentials are not valid.'));
        return;
      }
      const { fault } = fate;
      switch (fault?.type) {
        case 'rate_limited':
          this.count('rate_limited');
          refuse(new ConnectorError('rate_limited', 'Too many requests.', { retryAfterMs: fault.retryAfterMs }));
          return;
        case 'unauthorized':
          this.count('unauthorized');
          refuse(new ConnectorError('unauthorized', 'The credentials are not valid.'));
          return;
        case 'html_404':
          this.count('html_404');
          refuse(new ConnectorError('unavailable', 'Not found, and not by this API.'));
          return;
        case 'server_error':
        case 'connection_lost':
        case 'timeout': {
          this.count(`${fault.type}_${fault.when}`);
          if (fault.when === 'after') handleAfter(handledAfterMs, false, neverReply);
          if (fault.type === 'timeout') refuse(lost('timeout', 'No answer in time.'), timeoutMs);
          else
            refuse(lost('unavailable', fault.type === 'server_error' ? 'Internal server error.' : 'Connection lost.'));
          return;
        }
        case 'malformed':
          this.count('malformed');
          handleAfter(handledAfterMs, false, neverReply);
          refuse(new ConnectorError(isWrite ? 'unknown_outcome' : 'malformed', 'The answer is not of this API.'));
          return;
        case 'late_landing':
          this.count('late_landing');
          handleAfter(timeoutMs + fault.lateMs, true, neverReply);
          refuse(lost('timeout', 'No answer in time.'), timeoutMs);
          return;
        case 'cut_listing':
          this.count('cut_listing');
          refuse(new ConnectorError('unavailable', 'The listing was cut short.', { platformCode: 'CUT_SHORT' }));
          return;
        default:
          handleAfter(handledAfterMs, false, reply);
      }
    });
  }

  /** Takes a token of the platform's own bucket: 0, or how long to wait for the next one, ms. */
  #throttle(): number {
    const { rate } = this.personality;
    if (!rate) return 0;
    const now = this.clock.now();
    this.#bucket.tokens = Math.min(
      rate.burst,
      this.#bucket.tokens + ((now - this.#bucket.at) / 1_000) * rate.perSecond,
    );
    this.#bucket.at = now;
    if (this.#bucket.tokens < 1) return Math.ceil(((1 - this.#bucket.tokens) / rate.perSecond) * 1_000);
    this.#bucket.tokens -= 1;
    return 0;
  }
}
