import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { classifyTransportError, redact } from '../shared/client.ts';
import { parseJson } from '../shared/exact-json.ts';
import { type HttpResponse, type Transport, TransportError } from '../shared/transport.ts';
import { classifyStatus } from './errors.ts';

export type ShopifyAuth =
  | {
      readonly type: 'token';
      /** Of an app made in the shop's own admin before 2026; never expires. */
      readonly accessToken: string;
      /** The app's API secret key: signs its webhooks. */
      readonly apiSecret?: string;
    }
  /** An app of the Dev Dashboard in the same organisation as the shop. */
  | { readonly type: 'client_credentials'; readonly clientId: string; readonly clientSecret: string };

export interface TokenSource {
  /** A token that is valid now. */
  token(signal?: AbortSignal): Promise<string>;
  /** The store refused `token`. True when it is worth trying again: another one can be had. */
  refuse(token: string): boolean;
  /** The store denied `token` a permission, which the app may have been given since it was granted: a token keeps to what was allowed then. */
  doubt(token: string): void;
  /** Texts that must never be shown. */
  secrets(): readonly string[];
}

/** Renewed this long before it runs out, so that no request is under way with a token that dies. */
const RENEW_BEFORE_MS = 5 * 60_000;
const TIMEOUT_MS = 15_000;
const GRANT_ATTEMPTS = 3;
const GRANT_PAUSE_MS = 1_000;
/** A token is doubted no earlier, ms: what is still not permitted does not cost a grant for each call. */
const DOUBT_AFTER_MS = 60_000;
/** A longer pause than that is left to whoever wants to call. */
const GRANT_PAUSE_MAX_MS = 10_000;
const PASSING_KINDS = new Set(['unavailable', 'timeout', 'rate_limited']);

export interface TokenSourceOptions {
  readonly auth: ShopifyAuth;
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { auth } = options;
  if (auth.type === 'token') {
    return {
      token: () => Promise.resolve(auth.accessToken),
      refuse: () => false,
      doubt: () => undefined,
      secrets: () => [auth.accessToken, auth.apiSecret ?? ''],
    };
  }
  return renewingSource(auth, options);
}

function renewingSource(
  auth: ShopifyAuth & { type: 'client_credentials' },
  { origin, transport, clock, timeoutMs }: TokenSourceOptions,
): TokenSource {
  let current: { readonly token: string; readonly grantedAt: number; readonly renewAt: number } | null = null;
  let renewal: Promise<string> | null = null;
  let previous = '';

  /** One renewal serves everybody who waits; it is not bound to the signal of whoever came first. */
  async function renew(): Promise<string> {
    const answer = await grant();
    previous = current?.token ?? previous;
    const lifeMs = answer.expiresInSeconds * 1000;
    const grantedAt = clock.now();
    const renewAt = grantedAt + Math.max(lifeMs - RENEW_BEFORE_MS, lifeMs / 2);
    current = { token: answer.token, grantedAt, renewAt };
    return answer.token;
  }

  /** Asking for a token changes nothing in the shop, so passing faults are simply asked through. */
  async function grant(): Promise<Grant> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await ask();
        const answer = readGrant(response);
        if (answer === null) throw grantError(response, auth.clientSecret, clock.now());
        return answer;
      } catch (error) {
        const isPassing =
          error instanceof ConnectorError &&
          PASSING_KINDS.has(error.kind) &&
          error.details.platformCode !== 'ENOTFOUND';
        const pauseMs = isPassing ? Math.max(GRANT_PAUSE_MS * attempt, error.details.retryAfterMs ?? 0) : 0;
        if (!isPassing || attempt >= GRANT_ATTEMPTS || pauseMs > GRANT_PAUSE_MAX_MS) throw error;
        await clock.sleep(pauseMs);
      }
    }
  }

  async function ask(): Promise<HttpResponse> {
    try {
      return await transport({
        method: 'POST',
        url: `${origin}/admin/oauth/access_token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams({
          client_id: auth.clientId,
          client_secret: auth.clientSecret,
          grant_type: 'client_credentials',
        }).toString(),
        timeoutMs: timeoutMs ?? TIMEOUT_MS,
      });
    } catch (error) {
      if (error instanceof TransportError) throw classifyTransportError(error, 'read');
      throw error;
    }
  }

  /** Others may be under way with it: it stays a secret. */
  function drop(): void {
    previous = current?.token ?? previous;
    current = null;
  }

  return {
    async token(signal) {
      if (current !== null && clock.now() < current.renewAt) return current.token;
      signal?.throwIfAborted();
      renewal ??= renew().finally(() => {
        renewal = null;
      });
      return await untilAborted(renewal, signal);
    },
    refuse(token) {
      // Somebody else may have renewed in the meantime: then that one is worth a try.
      if (current?.token === token) drop();
      return true;
    },
    doubt(token) {
      if (current?.token === token && clock.now() - current.grantedAt >= DOUBT_AFTER_MS) drop();
    },
    secrets: () => [auth.clientSecret, current?.token ?? '', previous],
  };
}

/** Who is told to end does not wait for the others' renewal: three tries of it take the better part of a minute. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const done = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

interface Grant {
  readonly token: string;
  readonly expiresInSeconds: number;
}

function readGrant(response: HttpResponse): Grant | null {
  if (response.status !== 200) return null;
  const body = json(new TextDecoder().decode(response.body));
  const token = body?.['access_token'];
  const expires = body?.['expires_in'];
  if (typeof token !== 'string' || token === '') return null;
  // Documented as 86399; a grant that does not say is asked for again within the hour.
  return { token, expiresInSeconds: typeof expires === 'number' && expires > 0 ? expires : 3600 };
}

function grantError(response: HttpResponse, secret: string, now: number): ConnectorError {
  const text = redact(new TextDecoder().decode(response.body), [secret]);
  const body = json(text);
  const code = typeof body?.['error'] === 'string' ? body['error'] : `HTTP_${response.status}`;
  const words = typeof body?.['error_description'] === 'string' ? body['error_description'] : '';
  const details = { platformCode: code, ...(words === '' ? {} : { platformMessage: words.slice(0, 500) }) };
  if (code === 'shop_not_permitted') {
    return new ConnectorError(
      'unauthorized',
      'Shopify gives client credentials only when the app and the shop are in the same organisation. Make the app in the organisation that owns this shop, or use the Admin API token of a custom app that the shop has had since before 2026.',
      details,
    );
  }
  if (code === 'invalid_client' || code === 'application_cannot_be_found') {
    return new ConnectorError('unauthorized', 'Shopify does not know this client ID and client secret', details);
  }
  if (code === 'app_not_installed') {
    return new ConnectorError(
      'unauthorized',
      'the app is not installed on this Shopify shop: install it from the Dev Dashboard',
      details,
    );
  }
  if (response.status === 200)
    return new ConnectorError('malformed', 'Shopify’s access token could not be read', details);
  // A shop that is frozen, locked, away, moved or asked too much says nothing of these credentials: they are good again when it is.
  const ofShop = classifyStatus(response.status, response.headers, text, 'read', now);
  if (ofShop?.kind === 'unavailable' || ofShop?.kind === 'rate_limited') return ofShop;
  return new ConnectorError('unauthorized', `Shopify gave no access token (${code})`, details);
}

function json(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
