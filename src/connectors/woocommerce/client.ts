import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { CallIntent, HttpClient } from '../shared/client.ts';
import { parseExactJson } from '../shared/exact-json.ts';
import type { CallPriority } from '../shared/rate-gate.ts';
import type { HttpResponse } from '../shared/transport.ts';
import { classifyAnswer, parseError } from './errors.ts';
import { signOauth } from './oauth.ts';

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface CallOptions {
  readonly query?: Query;
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal | undefined;
  /** Path below the REST root instead of WooCommerce's own namespace. */
  readonly isRoot?: boolean;
}

export interface WooAnswer {
  /** Parsed JSON; integers beyond 2^53 as text. */
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How the key travels. `basic`: in a header, inside TLS or on this machine. `oauth`: signed, for plain http; the
 * secret stays here. `query`: in the address, inside TLS only, for hosts that drop the header.
 */
export type AuthMode = 'basic' | 'query' | 'oauth';

/** What was learned about the store's answering; the doctor reports it. */
export interface ClientState {
  readonly authMode: AuthMode;
  /** `/wp-json/` is not served, `?rest_route=` is. */
  readonly isPlainPermalinks: boolean;
  /** Their clock minus ours, ms, from the last answer's Date header; null before the first. */
  readonly clockSkewMs: number | null;
}

export interface WooClient {
  /** Throws `ConnectorError` for anything but a success with JSON. */
  get(path: string, options?: CallOptions): Promise<WooAnswer>;
  /** `intent` 'read' is for calls that change nothing although they are no GET. */
  send(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    options?: CallOptions & { intent?: CallIntent },
  ): Promise<WooAnswer>;
  readonly state: ClientState;
  clean(text: string): string;
}

export interface WooClientOptions {
  /** As `normaliseStoreUrl` gives it. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
}

const NAMESPACE = '/wc/v3';
const FALLBACK_PAUSE_MS = 600_000;
/** 401s that come just as well when the host has dropped the Authorization header as when the key is unknown. */
const LOOKS_UNAUTHENTICATED =
  /^(?:woocommerce_rest_cannot_(?:view|edit|create|delete|batch)|rest_forbidden|rest_not_logged_in)$/;

/** Speaks WooCommerce's REST API v3: addresses, authentication and JSON, with the two fallbacks that real hosts need. */
export function createWooClient(options: WooClientOptions): WooClient {
  const { url, consumerKey, consumerSecret, http, clock, random } = options;
  const isTls = url.startsWith('https:');
  const isLoopback = /^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::|\/|$)/.test(url);
  /** In order of preference; the next one is tried only while none has ever worked. */
  const modes: readonly AuthMode[] = isTls ? ['basic', 'query'] : isLoopback ? ['basic', 'oauth'] : ['oauth'];
  let authMode: AuthMode = modes[0] ?? 'basic';
  let isAuthProven = false;
  let isPlainPermalinks = false;
  let isRouteProven = false;
  let clockSkewMs: number | null = null;
  /** Until when a key that no way of sending it could prove is sent in one way only. */
  let noFallbackUntil = 0;

  function address(method: string, route: string, query: Query, mode: AuthMode, isPlain: boolean): string {
    const target = isPlain ? `${url}/` : `${url}/wp-json${route}`;
    let pairs = flatten(query);
    if (isPlain) pairs = [['rest_route', route], ...pairs];
    if (mode === 'query') pairs = [...pairs, ['consumer_key', consumerKey], ['consumer_secret', consumerSecret]];
    if (mode === 'oauth') {
      const timestampS = Math.floor((clock.now() + (clockSkewMs ?? 0)) / 1000);
      pairs = signOauth({
        method,
        url: target,
        query: pairs,
        consumerKey,
        consumerSecret,
        nonce: random.id('n'),
        timestampS,
      });
    }
    return pairs.length === 0
      ? target
      : `${target}?${pairs.map(([name, value]) => `${enc(name)}=${enc(value)}`).join('&')}`;
  }

  async function exchange(
    method: string,
    path: string,
    body: unknown,
    call: CallOptions,
    intent: CallIntent,
  ): Promise<HttpResponse> {
    const route = call.isRoot === true ? path : `${NAMESPACE}${path}`;
    const attempt = (mode: AuthMode, isPlain: boolean) =>
      http.send({
        intent,
        priority: call.priority ?? 'other',
        request: {
          method,
          url: address(method, route, call.query ?? {}, mode, isPlain),
          headers: {
            accept: 'application/json',
            'cache-control': 'no-cache',
            'user-agent': 'Twinshelf',
            ...(mode === 'basic'
              ? { authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}` }
              : {}),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeoutMs: intent === 'write' ? options.writeTimeoutMs : options.readTimeoutMs,
          ...(call.signal ? { signal: call.signal } : {}),
        },
      });
    let response = noted(await attempt(authMode, isPlainPermalinks));
    // A 404 that isn't WordPress' own: the web server knows no /wp-json/. Nothing was done, so any call may be asked again.
    if (!isRouteProven && !isPlainPermalinks && response.status === 404 && !isJson(response)) {
      const other = noted(await attempt(authMode, true));
      if (isJson(other)) {
        isPlainPermalinks = true;
        response = other;
      }
    }
    if (isJson(response)) isRouteProven = true;
    // A 401 means that nothing was done, so a write may be repeated too.
    for (const mode of modes) {
      if (isAuthProven || clock.now() < noFallbackUntil || mode === authMode || !isUnauthenticated(response)) continue;
      const other = noted(await attempt(mode, isPlainPermalinks));
      if (other.status === 401 || other.status >= 500) {
        noFallbackUntil = clock.now() + FALLBACK_PAUSE_MS;
        continue;
      }
      authMode = mode;
      response = other;
    }
    // WordPress' index is open to everybody: it proves no key.
    if (response.status < 300 && isJson(response) && call.isRoot !== true) isAuthProven = true;
    return response;
  }

  function noted(response: HttpResponse): HttpResponse {
    const at = Date.parse(response.headers['date'] ?? '');
    if (!Number.isNaN(at)) {
      // The header has whole seconds: half a second is its middle. A second or two is the wire, not the clock.
      const skewMs = at + 500 - clock.now();
      clockSkewMs = Math.abs(skewMs) < 2_000 ? 0 : skewMs;
    }
    return response;
  }

  function isUnauthenticated(response: HttpResponse): boolean {
    if (response.status !== 401) return false;
    return LOOKS_UNAUTHENTICATED.test(String(parseError(textOf(response))?.code ?? ''));
  }

  async function ask(
    method: string,
    path: string,
    body: unknown,
    call: CallOptions,
    intent: CallIntent,
  ): Promise<WooAnswer> {
    const response = await exchange(method, path, body, call, intent);
    const text = textOf(response);
    if (response.status < 200 || response.status >= 300) {
      throw classifyAnswer(
        { status: response.status, headers: response.headers, text, intent },
        http.clean,
        clock.now(),
      );
    }
    try {
      return { data: parseExactJson(text), headers: response.headers };
    } catch {
      // A page with status 200, or JSON cut off: a read said nothing, a write may have been carried out.
      const details = {
        platformMessage: http.clean(text.replace(/<[^>]*>/g, ' ').trim()),
        platformCode: `http_${response.status}`,
      };
      throw new ConnectorError(
        intent === 'write' ? 'unknown_outcome' : 'malformed',
        'the store answered with something other than JSON',
        details,
      );
    }
  }

  return {
    get: (path, call = {}) => ask('GET', path, undefined, call, 'read'),
    send: (method, path, body, call = {}) => ask(method, path, body, call, call.intent ?? 'write'),
    get state() {
      return { authMode, isPlainPermalinks, clockSkewMs };
    },
    clean: http.clean,
  };
}

function flatten(query: Query): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)] as const],
  );
}

/** Commas and colons may stand in a query; encoded, a list of a hundred ids would be half again as long. */
function enc(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function textOf(response: HttpResponse): string {
  return new TextDecoder().decode(response.body);
}

/** By what the body is, not what it says it is: hosts mislabel both ways. */
function isJson(response: HttpResponse): boolean {
  const first = textOf({ ...response, body: response.body.subarray(0, 64) })
    .trimStart()
    .charAt(0);
  return first === '{' || first === '[';
}
