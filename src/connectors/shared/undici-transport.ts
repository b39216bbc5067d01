import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { ADDRESS_REFUSED, type AddressPolicy, isAddressAllowed, refuseUrl } from './address-guard.ts';
import { parseUrl } from './parse-url.ts';
import {
  ANSWER_TOO_LARGE,
  type DownloadTransport,
  type HttpRequest,
  type HttpResponse,
  RESPONSE_BYTES_MAX,
  type Transport,
  TransportError,
} from './transport.ts';
import { toTransportError } from './transport-failure.ts';
import { unpack } from './unpack.ts';

/** Moments of one exchange by `performance.now()`: what the store took is `firstByteAt - requestWrittenAt`. */
export interface ExchangeTiming {
  readonly url: string;
  readonly requestWrittenAt: number;
  readonly firstByteAt: number;
  readonly endAt: number;
}

export interface UndiciTransportOptions {
  /** Also private networks over https, and loopback over http: for a shop on the same machine or network. */
  readonly allowLocal?: boolean;
  /** Origins ("http://shop.lan:8080") that the operator vouches for: no address is refused, http is allowed. */
  readonly trustedOrigins?: ReadonlySet<string>;
  /** PEM certificates trusted in addition to the system's. */
  readonly extraCertificates?: readonly string[];
  /** Sockets kept per origin. */
  readonly connectionsPerOrigin?: number;
  readonly connectTimeoutMs?: number;
  readonly onTiming?: (timing: ExchangeTiming) => void;
  /** For tests: how names are resolved. */
  readonly lookup?: typeof systemLookup;
}

export interface UndiciTransport {
  readonly transport: Transport;
  readonly download: DownloadTransport;
  /** Waits a moment for what is under way, then closes every socket. */
  close(): Promise<void>;
}

/** A connection that is only being opened would hold a shutdown up for its whole time-out. */
const CLOSE_PATIENCE_MS = 2_000;

/**
 * The real transport: keep-alive sockets, TLS 1.2 or newer, guarded addresses, capped answers, no redirects, no
 * repeats.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const agents = new Map<string, Agent>();

  function policyOf(url: URL): AddressPolicy {
    if (options.trustedOrigins?.has(url.origin) === true) return 'trusted';
    return options.allowLocal === true ? 'local' : 'public';
  }

  function agentOf(policy: AddressPolicy, plain: boolean): Agent {
    const key = `${policy}:${plain}`;
    const known = agents.get(key);
    if (known) return known;
    const agent = new Agent({
      // HTTP/2 clients may repeat a request by themselves after a GOAWAY; a write must never be repeated unseen.
      allowH2: false,
      pipelining: 1,
      connections: options.connectionsPerOrigin ?? 16,
      keepAliveTimeout: 20_000,
      keepAliveMaxTimeout: 60_000,
      maxResponseSize: -1,
      headersTimeout: 0, // one deadline for the whole exchange is kept by `exchange`
      bodyTimeout: 0,
      connect: {
        timeout: options.connectTimeoutMs ?? 10_000,
        minVersion: 'TLSv1.2',
        lookup: guardedLookup(policy, plain, options.lookup ?? systemLookup),
        ...(options.extraCertificates ? { ca: [...options.extraCertificates] } : {}),
      },
    });
    agents.set(key, agent);
    return agent;
  }

  /** Sends, and hands out the body as it comes; `settle` stops the clock and must be called once. */
  async function exchange(request: HttpRequest) {
    const url = checkedUrl(request.url, policyOf);
    const policy = policyOf(url);
    const timing = { url: safeUrl(url), requestWrittenAt: 0, firstByteAt: 0, endAt: 0 };
    const abort = new AbortController();
    const state = { isSent: false, isTimedOut: false };
    const fail = (error: unknown) =>
      toTransportError(error, {
        url: timing.url,
        timeoutMs: request.timeoutMs,
        isSent: state.isSent,
        isTimedOut: state.isTimedOut,
        isAborted: request.signal?.aborted === true,
      });
    let timer: NodeJS.Timeout | undefined;
    const stopTimer = () => clearTimeout(timer);
    const restartTimer = () => {
      stopTimer();
      timer = setTimeout(() => {
        state.isTimedOut = true;
        abort.abort();
      }, request.timeoutMs);
    };
    const onAbort = () => abort.abort();
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      stopTimer();
      request.signal?.removeEventListener('abort', onAbort);
    };
    restartTimer();
    try {
      request.signal?.throwIfAborted();
      const dispatcher = agentOf(policy, url.protocol === 'http:').compose(
        watch(() => {
          state.isSent = true;
          timing.requestWrittenAt = performance.now();
        }),
      );
      const answer = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        signal: abort.signal,
      });
      timing.firstByteAt = performance.now();
      return { answer, timing, fail, settle, stopTimer, restartTimer };
    } catch (error) {
      settle();
      throw fail(error);
    }
  }

  const transport: Transport = async (request) => {
    const compressible = { 'accept-encoding': 'gzip, deflate, br', ...request.headers };
    const { answer, timing, fail, settle } = await exchange({ ...request, headers: compressible });
    try {
      const bytesMax = request.maxBytes ?? RESPONSE_BYTES_MAX;
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of answer.body) {
        size += (chunk as Uint8Array).byteLength;
        if (size > bytesMax) throw tooLarge(timing.url, bytesMax);
        chunks.push(chunk as Uint8Array);
      }
      const headers = flatHeaders(answer.headers);
      const body = await decoded(Buffer.concat(chunks, size), headers['content-encoding'], bytesMax, timing.url);
      timing.endAt = performance.now();
      options.onTiming?.(timing);
      return { status: answer.statusCode, headers, body, url: timing.url } satisfies HttpResponse;
    } catch (error) {
      throw fail(error);
    } finally {
      settle();
    }
  };

  const download: DownloadTransport = async (request) => {
    const plainText = { 'accept-encoding': 'identity', ...request.headers };
    const { answer, timing, fail, settle, stopTimer, restartTimer } = await exchange({
      ...request,
      headers: plainText,
    });
    const bytesMax = request.maxBytes ?? Number.POSITIVE_INFINITY;
    async function* read(): AsyncGenerator<Uint8Array> {
      let size = 0;
      try {
        for await (const chunk of answer.body) {
          stopTimer(); // what the reader does with a piece takes its time: it is no silence of the server
          size += (chunk as Uint8Array).byteLength;
          if (size > bytesMax) throw tooLarge(timing.url, bytesMax);
          yield chunk as Uint8Array;
          restartTimer();
        }
        timing.endAt = performance.now();
        options.onTiming?.(timing);
      } catch (error) {
        throw fail(error);
      } finally {
        settle();
      }
    }
    return { status: answer.statusCode, headers: flatHeaders(answer.headers), chunks: read() };
  };

  return {
    transport,
    download,
    async close() {
      const closing = [...agents.values()];
      agents.clear();
      const timer = setTimeout(() => {
        for (const agent of closing) void agent.destroy();
      }, CLOSE_PATIENCE_MS);
      await Promise.all(closing.map((agent) => agent.close().catch(() => undefined)));
      clearTimeout(timer);
    },
  };
}

/** Tells when the first byte is about to be written: what divides "cannot have happened" from "may have happened". */
function watch(onStart: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        handler.onRequestStart?.(controller, context);
        // An abort that came while the socket was being opened is told here, and then nothing is written.
        if (!controller.aborted) onStart();
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

/**
 * Name resolution that refuses a name of which any address is not allowed. The socket connects to the very addresses
 * that were checked, so a second answer of a hostile resolver is never asked for.
 */
function guardedLookup(policy: AddressPolicy, plain: boolean, lookup: typeof systemLookup): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return callback(error, [], 0);
      const refused = addresses.find(({ address }) => !isAddressAllowed(address, policy, plain));
      const [first] = addresses;
      if (refused || !first) {
        const reason = refused ? 'resolves to an address that is not allowed' : 'has no address';
        return callback(new TransportError('before_send', 'blocked', `${hostname} ${reason}`, ADDRESS_REFUSED), [], 0);
      }
      if (lookupOptions.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function checkedUrl(text: string, policyOf: (url: URL) => AddressPolicy): URL {
  const url = parseUrl(text);
  if (!url) throw new TransportError('before_send', 'blocked', 'not a valid address');
  const refusal = refuseUrl(url, policyOf(url));
  if (refusal !== null) throw new TransportError('before_send', 'blocked', refusal, ADDRESS_REFUSED);
  return url;
}

/** Origin and path: a query may carry credentials. */
function safeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function flatHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

async function decoded(body: Buffer, encoding: string | undefined, bytesMax: number, url: string): Promise<Uint8Array> {
  try {
    return await unpack(body, encoding, bytesMax);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url, bytesMax);
    throw error;
  }
}

function tooLarge(url: string, bytesMax: number): TransportError {
  return new TransportError('after_send', 'too_large', `${url} answered more than ${bytesMax} bytes`, ANSWER_TOO_LARGE);
}
