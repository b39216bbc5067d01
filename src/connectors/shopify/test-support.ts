import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import type { DownloadTransport, HttpRequest, HttpResponse, Transport } from '../shared/transport.ts';

/** Used by the tests of this folder only. */

/** A clock whose sleeps end at once and move its hands: waiting is counted, not done. */
export interface TestClock extends Clock {
  readonly slept: number[];
  advance(ms: number): void;
}

export function createTestClock(startAt = Date.UTC(2026, 10, 21)): TestClock {
  let now = startAt;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    brokenAt: () => 0,
    slowedAt: () => 0,
    wallNow: () => now,
    advance(ms) {
      now += ms;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted(); // a sleep that was cut short takes no time
      slept.push(ms);
      now += ms;
    },
  };
}

export const testRandom: Random = { id: (prefix) => `${prefix}test`, unit: () => 0.5 };

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const noDownload: DownloadTransport = () => Promise.reject(new Error('nothing is downloaded in this test'));

export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Record<string, unknown>;
}

/** A transport that answers GraphQL by a function; what it gives back is the body, or a whole response. */
export function graphqlTransport(
  answer: (request: GraphqlRequest, http: HttpRequest) => object | Promise<object>,
): Transport & { readonly requests: GraphqlRequest[] } {
  const requests: GraphqlRequest[] = [];
  const transport = async (http: HttpRequest): Promise<HttpResponse> => {
    const request = JSON.parse(String(http.body)) as GraphqlRequest;
    requests.push(request);
    const value = await answer(request, http);
    return isResponse(value) ? value : jsonResponse(value);
  };
  return Object.assign(transport, { requests });
}

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: new TextEncoder().encode(text) };
}

function isResponse(value: object): value is HttpResponse {
  return 'status' in value && 'headers' in value && 'body' in value;
}
