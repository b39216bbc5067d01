import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { type CallIntent, classifyTransportError, isPassingFailure, redact, untilCancelled } from '../shared/client.ts';
import type { HealthMeter } from '../shared/health-meter.ts';
import type { CallPriority } from '../shared/rate-gate.ts';
import { type HttpResponse, type Transport, TransportError } from '../shared/transport.ts';
import { API_VERSION, type VersionAnswer, versionAnswer } from './api-version.ts';
import type { TokenSource } from './auth.ts';
import { type CallCost, type CostGate, createCostGate, type ThrottleStatus } from './cost-gate.ts';
import { classifyGraphqlErrors, classifyStatus, type GraphqlError, nodeErrorOf, searchWarning } from './errors.ts';
import { type Cost, parseBody, THROTTLED_WAIT_MIN_MS, throttledWaitMs } from './graphql-answer.ts';
import type { OPERATIONS } from './operations.gen.ts';
import type { Shape } from './wire.ts';

export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

export interface ShopifyClientOptions {
  readonly origin: string;
  readonly apiVersion?: string;
  readonly tokens: TokenSource;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly health: HealthMeter;
  /** Shared by all that call the same shop as the same app: the store keeps one bucket for them. */
  readonly gate?: CostGate;
  readonly requestTimeoutMs?: number;
}

export interface CallOptions {
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal | undefined;
  /** Once it was sent, its answer is waited for until this and not until `signal` [C27]. */
  readonly cut?: AbortSignal | undefined;
  /** 'read' for a mutation that may be sent twice without harm: it is then repeated and told like a read. */
  readonly intent?: CallIntent;
  /** Top-level errors that leave the rest of the answer usable. */
  readonly tolerates?: (error: GraphqlError) => boolean;
  /** Takes the errors about single `nodes` of the answer, which then leave the other nodes usable. */
  readonly onNodeError?: (index: number, error: ConnectorError) => void;
}

/** What the answers so far told about the store itself. */
export interface StoreObservation extends VersionAnswer {
  /** Their clock minus ours, ms; null before the first answer with a date. */
  readonly clockSkewMs: number | null;
  /** The least that their clock minus ours can be by the last answer with a date, ms: it was written before it arrived, in whole seconds. */
  readonly clockSkewMinMs: number | null;
}

export interface ShopifyClient {
  /**
   * Runs one operation within the store's rate and gives its checked data. Reads are repeated on passing faults, writes only when nothing can have
   * happened. `userErrors` are part of the data: the caller reads them. Throws `ConnectorError` and nothing else.
   */
  call<T>(
    operation: Operation,
    variables: Record<string, unknown>,
    answer: Shape<T>,
    options?: CallOptions,
  ): Promise<T>;
  observed(): StoreObservation;
}

const READ_TIMEOUT_MS = 30_000;
/** Longer than Shopify works on a mutation before its own edge gives up. */
const WRITE_TIMEOUT_MS = 60_000;
const READ_ATTEMPTS = 4;
const BACKOFF_MS = 400;
const WAIT_MAX_MS = 30_000;
/** What an operation is taken to cost until an answer has told. */
const FIRST_COST: CallCost = { requested: 20, actual: 20 };

/** An answer or the reason that there is none, with what may be done about it. */
type Outcome<T> =
  | Answered<T>
  | {
      readonly type: 'failure';
      readonly error: ConnectorError;
      readonly next: 'give_up' | 'repeat' | 'wait' | 'renew_token';
      readonly waitMs: number;
      /** Nothing came back at all. */
      readonly isUnanswered?: boolean;
      /** What it comes to when repeating does not help: all but some nodes. */
      readonly partial?: Answered<T>;
    };

interface Answered<T> {
  readonly type: 'answer';
  readonly data: T;
  readonly nodeErrors: readonly { readonly index: number; readonly error: ConnectorError }[];
}

export function createShopifyClient(options: ShopifyClientOptions): ShopifyClient {
  const { tokens, transport, clock, random, log, health } = options;
  const url = `${options.origin}/admin/api/${options.apiVersion ?? API_VERSION.handle}/graphql.json`;
  const gate = options.gate ?? createCostGate({ clock, waitMaxMs: WAIT_MAX_MS });
  /** By operation, as the store last charged it. */
  const costs = new Map<string, CallCost>();
  /** As in `shared/client.ts`: the last call got no answer, however often it was repeated, and until one does each is sent once. */
  let isSilent = false;
  let observation: StoreObservation = { served: null, deprecatedReason: null, clockSkewMs: null, clockSkewMinMs: null };

  async function once<T>(
    operation: Operation,
    variables: Record<string, unknown>,
    answer: Shape<T>,
    call: CallOptions,
  ): Promise<Outcome<T>> {
    const intent = call.intent ?? (operation.kind === 'mutation' ? 'write' : 'read');
    const token = await tokens.token(call.signal);
    const answerUntil = call.cut ?? call.signal;
    const costKey = `${operation.name}:${String(variables['variantsFirst'] ?? variables['first'] ?? '')}`;
    const settle = await gate.enter(
      costs.get(costKey) ?? FIRST_COST,
      call.priority ?? (intent === 'write' ? 'write' : 'other'),
      call.signal,
    );
    let bucket: ThrottleStatus | null = null;
    const startedAt = clock.now();
    try {
      const response = await transport({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-shopify-access-token': token },
        body: JSON.stringify({ query: operation.text, variables, operationName: operation.name }),
        timeoutMs: options.requestTimeoutMs ?? (intent === 'write' ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS),
        ...(answerUntil ? { signal: answerUntil } : {}),
      });
      const latencyMs = clock.now() - startedAt;
      isSilent = false;
      observe(response, startedAt);
      const read = readResponse(response, operation, answer, intent, call);
      bucket = read.cost?.throttleStatus ?? null;
      const requested = read.cost?.requestedQueryCost;
      const actual = read.cost?.actualQueryCost;
      if (typeof requested === 'number')
        costs.set(costKey, { requested, actual: typeof actual === 'number' ? actual : requested });
      const { outcome } = read;
      const kind = outcome.type === 'answer' || outcome.error.kind === 'rejected' ? null : outcome.error.kind;
      health.record({ latencyMs, errorKind: kind, throttled: kind === 'rate_limited' });
      if (outcome.type === 'failure' && outcome.next === 'renew_token') {
        return tokens.refuse(token) ? outcome : { ...outcome, next: 'give_up' };
      }
      if (kind === 'unauthorized') tokens.doubt(token);
      return outcome;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const classed = classifyTransportError(error, intent, clean);
      // What we gave up ourselves says nothing of the store.
      if (error.failure !== 'aborted') health.record({ latencyMs: clock.now() - startedAt, errorKind: classed.kind });
      const next = intent === 'read' && isPassingFailure(error) ? 'repeat' : 'give_up';
      return { type: 'failure', error: classed, next, waitMs: 0, isUnanswered: true };
    } finally {
      settle(bucket);
    }
  }

  function readResponse<T>(
    response: HttpResponse,
    operation: Operation,
    answer: Shape<T>,
    intent: CallIntent,
    call: CallOptions,
  ): { outcome: Outcome<T>; cost: Cost | null } {
    const text = new TextDecoder().decode(response.body);
    const status = classifyStatus(response.status, response.headers, text, intent, clock.now());
    if (status !== null) return { outcome: statusOutcome(status, response.status, intent), cost: null };
    const body = parseBody(text);
    if (body === null)
      return { outcome: failed(notUnderstood(operation, intent, 'no GraphQL answer'), 'give_up'), cost: null };
    const cost = body.extensions?.cost ?? null;

    const mismatch = answer.mismatch(body.data);
    const takesNodeErrors = call.onNodeError !== undefined && mismatch === null;
    const nodeErrors: { readonly index: number; readonly error: ConnectorError }[] = [];
    const errors = (body.errors ?? []).filter((error) => {
      if (call.tolerates?.(error) === true) return false;
      const ofNode = takesNodeErrors ? nodeErrorOf(error, operation.name) : null;
      if (ofNode !== null) nodeErrors.push({ index: ofNode.index, error: tidy(ofNode.error) });
      return ofNode === null;
    });
    if (errors.length > 0) {
      const error = tidy(classifyGraphqlErrors(errors, intent, operation.name));
      if (error.kind === 'rate_limited')
        return { outcome: failed(error, 'wait', error.details.retryAfterMs ?? throttledWaitMs(cost)), cost };
      const isPassing = intent === 'read' && isPassingKind(error);
      return {
        outcome: failed(error, isPassing && error.details.platformCode !== 'SHOP_INACTIVE' ? 'repeat' : 'give_up'),
        cost,
      };
    }
    const warning = searchWarning(body.extensions);
    if (warning !== null) return { outcome: failed(tidy(warning), 'give_up'), cost };
    if (mismatch !== null) return { outcome: failed(notUnderstood(operation, intent, mismatch), 'give_up'), cost };
    const answered: Answered<T> = { type: 'answer', data: body.data as T, nodeErrors };
    const passing = nodeErrors.find(({ error }) => isPassingKind(error));
    if (passing === undefined) return { outcome: answered, cost };
    return { outcome: { type: 'failure', error: passing.error, next: 'repeat', waitMs: 0, partial: answered }, cost };
  }

  function statusOutcome<T>(error: ConnectorError, status: number, intent: CallIntent): Outcome<T> {
    const clear = tidy(error);
    if (status === 401) return failed(clear, 'renew_token');
    const retryAfterMs = clear.details.retryAfterMs ?? null;
    if (clear.kind === 'rate_limited') return failed(clear, 'wait', retryAfterMs ?? THROTTLED_WAIT_MIN_MS);
    if (intent === 'read' && status >= 500) {
      if (retryAfterMs === null) return failed(clear, 'repeat');
      return failed(new ConnectorError('rate_limited', clear.message, clear.details), 'wait', retryAfterMs);
    }
    return failed(clear, 'give_up');
  }

  function observe(response: HttpResponse, startedAt: number): void {
    const version = versionAnswer(response.headers);
    const date = Date.parse(response.headers['date'] ?? '');
    // The header tells whole seconds: half a second in on the average.
    const now = clock.now();
    const skew = Number.isNaN(date) ? observation.clockSkewMs : Math.round(date + 500 - (startedAt + now) / 2);
    observation = {
      served: version.served ?? observation.served,
      // Told with the call that uses it, by which the doctor seldom goes.
      deprecatedReason: version.deprecatedReason ?? observation.deprecatedReason,
      clockSkewMs: skew,
      clockSkewMinMs: Number.isNaN(date) ? observation.clockSkewMinMs : date - now,
    };
  }

  function clean(text: string): string {
    return redact(text, tokens.secrets()).slice(0, 500);
  }

  /** [C12]: whatever a store echoes, none of our secrets is in it afterwards. */
  function tidy(error: ConnectorError): ConnectorError {
    const { platformMessage } = error.details;
    const details =
      platformMessage === undefined ? error.details : { ...error.details, platformMessage: clean(platformMessage) };
    return new ConnectorError(error.kind, clean(error.message), details);
  }

  return {
    observed: () => observation,
    async call(operation, variables, answer, call = {}) {
      let waitedMs = 0;
      let renewed = false;
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await untilCancelled(() => once(operation, variables, answer, call), call.signal);
        if (outcome.type === 'answer') return handOut(outcome, call);
        const { error, next } = outcome;
        let waitMs = BACKOFF_MS * 2 ** Math.min(attempt - 1, 4) * (0.5 + random.unit());
        const isLast = next === 'repeat' && (isSilent || attempt >= READ_ATTEMPTS);
        isSilent ||= isLast && outcome.isUnanswered === true;
        if (isLast && outcome.partial !== undefined) return handOut(outcome.partial, call);
        if (next === 'give_up' || isLast) throw error;
        if (next === 'renew_token') {
          if (renewed) throw error;
          renewed = true;
          continue;
        }
        if (next === 'wait') {
          waitMs = Math.max(outcome.waitMs, 1);
          waitedMs += waitMs;
          if (waitedMs > WAIT_MAX_MS) throw withRetryAfter(error, waitMs);
          gate.pause(waitMs);
        }
        log.debug({ operation: operation.name, kind: error.kind, attempt, waitMs }, 'trying again');
        await untilCancelled(() => clock.sleep(waitMs, call.signal), call.signal);
      }
    },
  };
}

function handOut<T>({ data, nodeErrors }: Answered<T>, call: CallOptions): T {
  for (const { index, error } of nodeErrors) call.onNodeError?.(index, error);
  return data;
}

function isPassingKind({ kind }: ConnectorError): boolean {
  return kind === 'unavailable' || kind === 'timeout';
}

/** A write that was answered, but not in words that we know, may have happened [C8]. */
function notUnderstood(operation: Operation, intent: CallIntent, why: string): ConnectorError {
  const message = `Shopify’s answer to ${operation.name} could not be understood: ${why}`.slice(0, 500);
  return new ConnectorError(intent === 'write' ? 'unknown_outcome' : 'malformed', message);
}

function failed<T>(error: ConnectorError, next: 'give_up' | 'repeat' | 'wait' | 'renew_token', waitMs = 0): Outcome<T> {
  return { type: 'failure', error, next, waitMs };
}

function withRetryAfter(error: ConnectorError, retryAfterMs: number): ConnectorError {
  return new ConnectorError('rate_limited', error.message, { ...error.details, retryAfterMs });
}
