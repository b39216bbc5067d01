import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { CallIntent, HttpClient } from '../shared/client.ts';
import { parseExactJson } from '../shared/exact-json.ts';
import type { CallPriority } from '../shared/rate-gate.ts';
import type { HttpResponse } from '../shared/transport.ts';
import { restAddress } from './address.ts';
import { type CrashedWrites, createCrashedWrites } from './crashed-writes.ts';
import { classifyAnswer, parseError } from './errors.ts';
import { createPageSize, type PageSize } from './page-size.ts';
import { withLists } from './php-lists.ts';
import { createProductSearch, type ProductSearch } from './product-search.ts';
import { isJson, isKept, isMethodShut, isNoRoute, notTaken, textOf, tryParse } from './raw-answer.ts';

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface CallOptions {
  readonly query?: Query;
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal | undefined;
  readonly cut?: AbortSignal | undefined;
  /** Path below the REST root instead of WooCommerce's own namespace: without a key, which WordPress would take for a user that it does not know. */
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
  /** The same against what this machine's clock shows, which our time may still be on its way to. */
  readonly wallSkewMs: number | null;
  /** A cache stands in front of the API and keeps what it answers. */
  readonly isCached: boolean;
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
  readonly find: ProductSearch;
  readonly state: ClientState;
  readonly pages: PageSize;
  readonly batches: PageSize;
  readonly crashed: CrashedWrites;
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
const DETOUR_PAUSE_MS = 60_000;
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
  /** Until when the other way is not tried again by a store that once answered. */
  let noDetourUntil = 0;
  let clockSkewMs: number | null = null;
  let isCached = false;
  /** Until when a key that no way of sending it could prove is sent in one way only. */
  let noFallbackUntil = 0;
  /** Nothing but GET and POST gets through to WordPress. */
  let isPostOnly = false;

  /** The site's own address, asked for when the first signature is due: undefined before. */
  let home: string | null | undefined;

  async function request(
    method: string,
    route: string,
    body: unknown,
    call: CallOptions,
    intent: CallIntent,
    mode: AuthMode | null,
    isPlain: boolean,
    isAskedAgain: (response: HttpResponse) => boolean = () => false,
  ): Promise<HttpResponse> {
    const urlOf = () =>
      restAddress({
        ...{ method, url, route, query: call.query ?? {}, isPlain, mode, consumerKey, consumerSecret },
        home: home ?? null,
        nonce: random.id('n'),
        timestampS: Math.floor((clock.now() + (clockSkewMs ?? 0)) / 1000),
      });
    const response = await http.send({
      intent,
      priority: call.priority ?? (intent === 'write' ? 'write' : 'other'),
      cut: call.cut,
      isAskedAgain,
      urlOf,
      request: {
        method,
        url: urlOf(),
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
    return noted(response);
  }

  /** WordPress' index is open to everybody; where it isn't, the address that we were given is taken to be the site's own. */
  async function learnHome(call: CallOptions): Promise<void> {
    const { priority, signal } = call;
    const asking = { ...(priority ? { priority } : {}), signal, query: { _fields: 'home' } };
    const response = await request('GET', '/', undefined, asking, 'read', null, isPlainPermalinks);
    const own = response.status === 200 && isJson(response) ? (tryParse(textOf(response)) as { home?: unknown }) : null;
    home = typeof own?.home === 'string' ? own.home : null;
  }

  async function exchange(
    method: string,
    path: string,
    body: unknown,
    call: CallOptions,
    intent: CallIntent,
  ): Promise<HttpResponse> {
    const route = call.isRoot === true ? path : `${NAMESPACE}${path}`;
    const attempt = async (mode: AuthMode, isPlain: boolean, isLast = false) => {
      if (mode === 'oauth' && home === undefined) await learnHome(call);
      const isAskedAgain = (response: HttpResponse) =>
        !isLast && isUnauthenticated(response) && (mode !== authMode || mayFallBack());
      return request(method, route, body, call, intent, call.isRoot === true ? null : mode, isPlain, isAskedAgain);
    };
    let sent = { mode: authMode, isPlain: isPlainPermalinks };
    const resend = () => {
      sent = { mode: authMode, isPlain: isPlainPermalinks };
      return attempt(sent.mode, sent.isPlain);
    };
    let response = await attempt(sent.mode, sent.isPlain);
    // The first calls after a start leave together. What one of them has learned meanwhile is no refusal of the others.
    if (sent.isPlain !== isPlainPermalinks && isNoRoute(response, url, intent)) response = await resend();
    // The web server or WordPress knows no such way. Nothing was done, so any call may be asked again by the other one.
    // A way that has worked may end: plain permalinks, rewrite rules lost in a move, or a firewall that shuts the detour again.
    const mayDetour = !isRouteProven || clock.now() >= noDetourUntil;
    if (mayDetour && isNoRoute(response, url, intent)) {
      const isPlain = !isPlainPermalinks;
      sent = { mode: authMode, isPlain };
      const other = await attempt(sent.mode, isPlain);
      if (isJson(other)) {
        isPlainPermalinks = isPlain;
        response = other;
      } else noDetourUntil = clock.now() + DETOUR_PAUSE_MS;
    }
    if (isJson(response)) isRouteProven = true;
    // A 401 means that nothing was done, so a write may be repeated too.
    if (sent.mode !== authMode && isUnauthenticated(response)) response = await resend();
    for (const mode of modes) {
      if (!mayFallBack() || mode === authMode || !isUnauthenticated(response)) continue;
      const other = await attempt(mode, isPlainPermalinks, true);
      const isRefused = other.status === 401 && !isUnauthenticated(other);
      if (!isRefused && (other.status === 401 || other.status >= 500)) {
        noFallbackUntil = clock.now() + FALLBACK_PAUSE_MS;
        continue;
      }
      // Also when the key is refused: that somebody has looked at it tells which way leads there, and the words tell more.
      authMode = mode;
      response = other;
    }
    // WordPress' index is open to everybody: it proves no key.
    if (response.status < 300 && isJson(response) && call.isRoot !== true) isAuthProven = true;
    return response;
  }

  /** WordPress takes its other methods as a POST that names them, for the many servers that let no PUT and no DELETE through. */
  async function exchangeAnyhow(
    method: string,
    path: string,
    body: unknown,
    call: CallOptions,
    intent: CallIntent,
  ): Promise<HttpResponse> {
    const isCommon = method === 'GET' || method === 'POST';
    const asPost = () => exchange('POST', path, body, { ...call, query: { ...call.query, _method: method } }, intent);
    if (!isCommon && isPostOnly) return asPost();
    const response = await exchange(method, path, body, call, intent);
    if (isCommon || !isMethodShut(response)) return response;
    const other = await asPost();
    if (!isJson(other)) return response;
    isPostOnly = true;
    return other;
  }

  /** Whether a key that seems not to have been seen is sent in the other way. */
  function mayFallBack(): boolean {
    return !isAuthProven && modes.length > 1 && clock.now() >= noFallbackUntil;
  }

  function noted(response: HttpResponse): HttpResponse {
    const at = Date.parse(response.headers['date'] ?? '');
    if (!Number.isNaN(at)) {
      // The header has whole seconds: half a second is its middle. A second or two is the wire, not the clock.
      const skewMs = at + 500 - clock.now();
      clockSkewMs = Math.abs(skewMs) < 2_000 ? 0 : skewMs;
    }
    isCached ||= response.status === 200 && isKept(response.headers);
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
    const response = await exchangeAnyhow(method, path, body, call, intent);
    const text = textOf(response);
    if (response.status < 200 || response.status >= 300) {
      throw classifyAnswer(
        { status: response.status, headers: response.headers, text, intent },
        http.clean,
        clock.now(),
      );
    }
    try {
      return { data: withLists(parseExactJson(text)), headers: response.headers };
    } catch (error) {
      throw notTaken(error, text, response.status, intent, http.clean);
    }
  }

  const get: WooClient['get'] = (path, call = {}) => ask('GET', path, undefined, call, 'read');
  return {
    get,
    find: createProductSearch(get, clock),
    send: (method, path, body, call = {}) => ask(method, path, body, call, call.intent ?? 'write'),
    get state() {
      const wallSkewMs = clockSkewMs === null ? null : clockSkewMs + clock.now() - clock.wallNow();
      return { authMode, isPlainPermalinks, clockSkewMs, wallSkewMs, isCached };
    },
    pages: createPageSize(clock, 10),
    // A hundred writes are to be four calls at most: by how long they take a write is fenced. It begins with as few: how long this store takes is not known yet.
    batches: createPageSize(clock, 25, 25),
    crashed: createCrashedWrites(),
    clean: http.clean,
  };
}
