import { ConnectorError, type ConnectorErrorDetails } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import type { HealthMeter } from './health-meter.ts';
import { type CallPriority, parseRetryAfter, type RateGate } from './rate-gate.ts';
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from './transport.ts';

/** A read may be repeated; a write whose answer is unknown never is. */
export type CallIntent = 'read' | 'write';

export interface HttpClientOptions {
  readonly transport: Transport;
  readonly gate: RateGate;
  readonly health: HealthMeter;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Texts that must never appear in a message: keys, tokens. */
  readonly secrets: readonly string[];
  /** Attempts of a read, the first included. */
  readonly readAttempts?: number;
  /** Longest wait that a `Retry-After` may cost inside one call. */
  readonly waitMaxMs?: number;
}

export interface Call {
  readonly request: HttpRequest;
  /** The address for each repetition, where one that was sent may not be sent again: a signature counts once. */
  readonly urlOf?: () => string;
  readonly intent: CallIntent;
  readonly priority: CallPriority;
  /** Whether an answer says only that the call is to be sent in another way: what comes of that is the store's, and this no failure of it. */
  readonly isAskedAgain?: (response: HttpResponse) => boolean;
  /** Once it was sent, its answer is waited for until this and not until the request's `signal` [C27]. */
  readonly cut?: AbortSignal | undefined;
}

export interface HttpClient {
  /**
   * Sends within the store's rate and gives whatever the server answered, error statuses included. Reads are repeated
   * on lost connections, 429, 500, 502-504 and 520-524; writes only on 429, where the server says that it did nothing. Throws
   * `ConnectorError` when no answer came.
   */
  send(call: Call): Promise<HttpResponse>;
  /** Free of secrets, cut to 500 characters. */
  clean(text: string): string;
}

const PLATFORM_MESSAGE_MAX = 500;
/** A store that is away is looked for so often. */
const AWAY_PAUSE_MAX_MS = 15_000;
const BACKOFF_MS = 400;
/** From 520 on: Cloudflare's words for a server behind it that it can't reach, or that breaks off. */
const PASSING_STATUSES = [500, 502, 503, 504, 520, 521, 522, 523, 524];

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { transport, gate, health, clock, random, log } = options;
  const attemptsMax = options.readAttempts ?? 3;
  const waitMaxMs = options.waitMaxMs ?? 30_000;

  /**
   * The last call got no answer, however often it was repeated: until one does, each is sent once. A few stores that are down, and let every call wait for
   * its end three times, would fill all the places where the others' work is done.
   */
  let isSilent = false;
  /** Whoever waits for a store's first answer is a person who connects it: three times the longest wait is more than any browser or proxy gives them. */
  let hasAnswered = false;

  const clean = (text: string) => redact(text, options.secrets).slice(0, PLATFORM_MESSAGE_MAX);

  async function once(call: Call): Promise<HttpResponse | TransportError> {
    const leave = await gate.enter(call.priority, call.request.signal);
    const startedAt = clock.now();
    try {
      const response = await transport(call.cut ? { ...call.request, signal: call.cut } : call.request);
      const latencyMs = clock.now() - startedAt;
      leave({ status: response.status, latencyMs, retryAfterMs: askedPauseMs(response, clock.now()) });
      const throttled = response.status === 429;
      const errorKind = call.isAskedAgain?.(response) === true ? null : kindOfStatus(response.status);
      health.record({ latencyMs, errorKind, throttled });
      return response;
    } catch (error) {
      const latencyMs = clock.now() - startedAt;
      leave({ status: 0, latencyMs, retryAfterMs: null });
      if (!(error instanceof TransportError)) throw error;
      // What we gave up ourselves says nothing of the store.
      if (error.failure !== 'aborted')
        health.record({ latencyMs, errorKind: classifyTransportError(error, call.intent).kind });
      return error;
    }
  }

  return {
    clean,
    async send(call) {
      for (let attempt = 1; ; attempt += 1) {
        const { request, urlOf } = call;
        const sent = attempt > 1 && urlOf ? { ...call, request: { ...request, url: urlOf() } } : call;
        const outcome = await untilCancelled(() => once(sent), request.signal);
        const isHanging = !hasAnswered && outcome instanceof TransportError && outcome.failure === 'timeout';
        const isLast = isSilent || isHanging || attempt >= attemptsMax;
        if (outcome instanceof TransportError) {
          isSilent ||= isLast && outcome.failure !== 'aborted';
          const error = classifyTransportError(outcome, call.intent, clean);
          const isPassing = call.intent === 'read' && isPassingFailure(outcome);
          if (isLast || !isPassing) throw error;
          log.debug({ kind: error.kind, attempt }, 'read failed, trying again');
        } else {
          isSilent = false;
          hasAnswered = true;
          if (isLast || !isPassingStatus(outcome.status, call.intent)) return outcome;
          const retryAfterMs = parseRetryAfter(outcome.headers, clock.now());
          // The gate holds everybody back for that long; past the patience of one call the answer is given to the caller.
          if (retryAfterMs !== null && retryAfterMs > waitMaxMs) return outcome;
          log.debug({ status: outcome.status, attempt }, 'store is strained, trying again');
        }
        const backoffMs = BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + random.unit());
        await untilCancelled(() => clock.sleep(backoffMs, call.request.signal), call.request.signal);
      }
    },
  };
}

/**
 * What to make of a call that got no whole answer. Before the first byte was sent nothing can have happened; after it,
 * a read is simply unanswered, while a write may have been carried out [C8].
 */
export function classifyTransportError(
  error: TransportError,
  intent: CallIntent,
  clean: (text: string) => string = (text) => text.slice(0, PLATFORM_MESSAGE_MAX),
): ConnectorError {
  const message = clean(error.message);
  const details: ConnectorErrorDetails = {
    ...(error.code === '' ? {} : { platformCode: error.code }),
    ...(error.failure === 'aborted' ? { isCancelled: true } : {}),
  };
  if (intent === 'write' && error.phase === 'after_send')
    return new ConnectorError('unknown_outcome', message, details);
  if (error.failure === 'timeout') return new ConnectorError('timeout', message, details);
  if (error.failure === 'too_large') return new ConnectorError('malformed', message, details);
  return new ConnectorError('unavailable', message, details);
}

/** `text` without any of `secrets`, in plain, URL-encoded or base64 form. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      clean = clean.replaceAll(form, '[hidden]');
    }
  }
  return clean;
}

/** For the health page: refusals of single records (400, 404) are answers like any other. */
function kindOfStatus(status: number): string | null {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'unavailable' : null;
}

/** Whether the same call may get an answer in a moment. */
export function isPassingFailure(error: TransportError): boolean {
  return (
    error.failure === 'timeout' ||
    error.failure === 'refused' ||
    error.failure === 'connection_lost' ||
    // That there is no such name is an answer; that nobody could be asked for it passes.
    (error.failure === 'dns' && error.code !== 'ENOTFOUND')
  );
}

/**
 * How long everybody is to be held back. With 429 a store says that it is asked too much, and is obeyed. With 503 it guesses when it is back:
 * WordPress says ten minutes whenever a plugin is updated, which takes seconds, and what is sold meanwhile would be sold in the other shop too.
 */
function askedPauseMs({ status, headers }: HttpResponse, nowMs: number): number | null {
  const askedMs = parseRetryAfter(headers, nowMs);
  return askedMs !== null && status === 503 ? Math.min(askedMs, AWAY_PAUSE_MAX_MS) : askedMs;
}

function isPassingStatus(status: number, intent: CallIntent): boolean {
  if (status === 429) return true;
  return intent === 'read' && PASSING_STATUSES.includes(status);
}

/** [C27] Given up before it was sent. */
export function cancelled(message: string): ConnectorError {
  return new ConnectorError('unavailable', message, { isCancelled: true });
}

/** [C1]: a cancelled wait is told like a cancelled call, as `unavailable`: nothing was sent. */
export async function untilCancelled<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    // Anything else that is thrown meanwhile is a bug, and a bug may come after the sending.
    if (signal?.aborted === true && error === signal.reason)
      throw cancelled('the call was cancelled before it was sent');
    throw error;
  }
}
