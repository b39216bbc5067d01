import type { SessionReply } from '../../src/contracts/auth.ts';
import { ApiError, errorFrom, noAnswer } from './api-error.ts';
import type { Operations } from './client.gen.ts';
import { inOneTab } from './one-tab.ts';
import { clearSession, getAccessToken, getPersonKey, getStoredRefreshToken, storeRenewed } from './session.ts';

type Query = Readonly<Record<string, unknown>>;

interface RequestOptions {
  readonly method?: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly limitMs?: number | undefined;
}

/** A request that hangs is an error with a name. Connecting a store tests it, and may take its time; what takes longer says so by `limitMs`. */
const REQUEST_TIMEOUT_MS = 60_000;

function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`;
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query, body, signal, limitMs = REQUEST_TIMEOUT_MS } = options;
  const token = getAccessToken();
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await fetch(addressOf(path, query), {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        // Not counted as usage of the API.
        'x-requested-by': 'dashboard',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw noAnswer();
  }
}

/** An answer can break off half-way, or take too long to arrive. */
function textOf(response: Response): Promise<string> {
  return response.text().catch(() => {
    throw noAnswer();
  });
}

async function read<T>(response: Response): Promise<T> {
  const text = await textOf(response);
  let body: unknown = null;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    if (response.ok) throw errorFrom(response.status, null);
  }
  if (!response.ok) throw errorFrom(response.status, body, response.headers.get('retry-after'));
  return body as T;
}

let refreshing: Promise<boolean> | null = null;

/** Exchanges the refresh token for a new access token; false when the session is over. Many callers share one exchange. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= exchange(getAccessToken()).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** The refresh token belongs to all tabs, and exchanged twice it ends the session. */
function exchange(old: string | null): Promise<boolean> {
  return inOneTab(async () => {
    // Another tab was quicker, or somebody signed out or in.
    if (getAccessToken() !== old) return getAccessToken() !== null;
    const stored = getStoredRefreshToken();
    try {
      const response = await send('/auth/refresh', { method: 'POST', body: stored ? { refreshToken: stored } : {} });
      const { accessToken, user } = await read<SessionReply>(response);
      // Whoever signed out meanwhile stays signed out.
      if (getAccessToken() === old) storeRenewed(accessToken, user);
      return getAccessToken() !== null;
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return false;
      throw error;
    }
  });
}

const SESSION_OVER: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'SESSION_EXPIRED']);

function isExpired({ status, code, message }: ApiError): boolean {
  return status === 401 && (code === 'TOKEN_EXPIRED' || message === 'Token expired');
}

const MOVED = 'This was not done: you are signed in to another account or workspace by now.';

/** What an earlier session is told ends no later one. */
function sessionOver(token: string | null, message = 'Session expired. Please log in again.'): ApiError {
  if (getAccessToken() === token) clearSession('expired');
  return new ApiError(401, {
    code: 'SESSION_EXPIRED',
    message,
    details: {},
    requestId: '',
  });
}

type Input<K extends keyof Operations> = Operations[K]['input'] & Pick<RequestOptions, 'signal' | 'limitMs'>;

interface AnyInput extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * Calls a route of the API; what it takes and gives is typed by the API's own description. An expired access token is renewed once and the call
 * repeated; when that fails the session is cleared, which brings every signed-in page to the sign-in page. Throws `ApiError`.
 */
export function call<K extends keyof Operations>(
  route: K,
  ...[input = {}]: Record<never, never> extends Operations[K]['input'] ? [input?: Input<K>] : [input: Input<K>]
): Promise<Operations[K]['reply']> {
  const { params = {}, ...rest }: AnyInput = input;
  const [method = '', template = ''] = route.split(' /api');
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return request(path, { ...rest, method });
}

/** The same for what is saved as it comes, and not read here. */
export function callForText(route: 'GET /api/workspace/audit/export'): Promise<string> {
  return request(route.replace('GET /api', ''), {}, async (response) =>
    response.ok ? textOf(response) : read<never>(response),
  );
}

async function request<T>(
  path: string,
  options: RequestOptions,
  take: (response: Response) => Promise<T> = read<T>,
): Promise<T> {
  const token = getAccessToken();
  const person = getPersonKey();
  try {
    return await take(await send(path, options));
  } catch (error) {
    if (!(error instanceof ApiError) || token === null || path.startsWith('/auth/log')) throw error;
    if (error.status === 401 && SESSION_OVER.has(error.code)) throw sessionOver(token);
    if (!isExpired(error)) throw error;
    // Another call can have renewed it while this one was under way.
    if (getAccessToken() === token && !(await refreshSession())) throw sessionOver(token);
    // What one person wanted is not done by the next, and what was wanted in one workspace not in the next.
    if (getPersonKey() !== person) throw sessionOver(token, MOVED);
    return take(await send(path, options));
  }
}
