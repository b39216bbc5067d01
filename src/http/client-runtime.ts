/** The part of the generated client that is the same for every API (`render-client.ts` puts the types before it). */
export const CLIENT_RUNTIME = `
/** An answer that was no success; \`status\` 0 and code \`NO_ANSWER\`: there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'NO_ANSWER' | \`HTTP_\${number}\`;
  readonly details: Readonly<Record<string, unknown>>;
  /** The server's log knows the request by it. */
  readonly requestId: string;

  constructor(status: number, error: { code: string; message: string; details?: object; requestId?: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code as ApiError['code'];
    this.details = { ...error.details };
    this.requestId = error.requestId ?? '';
  }

  /** How long to wait before the next try, where the server says so, ms. */
  get retryAfterMs(): number | null {
    const ms = this.details['retryAfterMs'];
    return typeof ms === 'number' ? ms : null;
  }
}

export interface ClientOptions {
  /** "https://sync.example.com" */
  baseUrl: string;
  /** An API token (\`ts_...\`); a function is asked before each request. */
  token?: string | (() => string | Promise<string>);
  /** Until there is an answer, ms; 60 seconds if nothing is said. */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** A POST that is sent again with the same key within a day happens once, and gives the same answer. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Input<K extends keyof Operations> = Operations[K]['input'];
type Reply<K extends keyof Operations> = Operations[K]['reply'];

/** One method for each route. Throws \`ApiError\`. */
export type Client = {
  [Name in keyof typeof ROUTES]: {} extends Input<(typeof ROUTES)[Name]>
    ? (input?: Input<(typeof ROUTES)[Name]> & CallOptions) => Promise<Reply<(typeof ROUTES)[Name]>>
    : (input: Input<(typeof ROUTES)[Name]> & CallOptions) => Promise<Reply<(typeof ROUTES)[Name]>>;
};

interface AnyInput extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const TIMEOUT_MS = 60_000;

export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\\/+$/, '');

  async function call(route: string, input: AnyInput = {}): Promise<unknown> {
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/\\{(\\w+)\\}/g, (_all, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined && value !== null) query.set(name, String(value));
    }
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    const hasBody = input.body !== undefined;
    const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    let response: Response;
    let text: string;
    try {
      response = await (options.fetch ?? fetch)(base + path + (query.size > 0 ? '?' + query : ''), {
        method,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: 'Bearer ' + token }),
          ...(hasBody ? { 'content-type': 'application/json' } : {}),
          ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
        },
        body: hasBody ? JSON.stringify(input.body) : null,
        redirect: 'error',
        signal: input.signal === undefined ? limit : AbortSignal.any([input.signal, limit]),
      });
      text = await response.text();
    } catch (cause) {
      if (input.signal?.aborted) throw cause;
      throw new ApiError(0, { code: 'NO_ANSWER', message: 'There was no answer from ' + base + '.' });
    }
    const body = parse(text, response.headers.get('content-type') ?? '');
    if (response.ok) return body;
    const { error } = (body ?? {}) as { error?: { code: string; message: string } };
    throw new ApiError(response.status, error ?? { code: 'HTTP_' + response.status, message: 'HTTP ' + response.status });
  }

  const methods = Object.entries(ROUTES).map(([name, route]) => [name, (input?: AnyInput) => call(route, input)]);
  return Object.fromEntries(methods) as Client;
}

function parse(text: string, type: string): unknown {
  if (!type.startsWith('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * All pages of a list, one after the other:
 * \`for await (const { records } of paginate(client.listRecords, { query: { limit: 200 } }))\`
 */
export async function* paginate<I extends { query?: object } | undefined, R extends { nextCursor: string | null }>(
  list: (input: I) => Promise<R>,
  input: NonNullable<NoInfer<I>>,
): AsyncGenerator<R, void, undefined> {
  let cursor: string | null = null;
  do {
    const page: R = await list(cursor === null ? input : ({ ...input, query: { ...input.query, cursor } } as I));
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
`;
