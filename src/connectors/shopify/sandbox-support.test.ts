import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../ports/clock.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { createShopifySandbox, type ShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import type { ShopifySandboxOptions } from '../../sandbox/shopify/types.ts';
import type { DownloadTransport, HttpRequest, HttpResponse, Transport } from '../shared/transport.ts';

/** A sandbox in this process, on virtual time: no socket, no waiting. For the tests of this folder (in a `*.test.ts`, which alone may import the sandbox). */

interface Timer {
  readonly at: number;
  readonly run: () => void;
  readonly isSleep: boolean;
}

/** Time stands still until somebody sleeps; then it jumps to the next timer, be it the sleeper's or the sandbox's. */
export class VirtualTime implements Clock {
  #now: number;
  #timers = new Set<Timer>();
  #isPumping = false;

  constructor(startAt = Date.UTC(2026, 10, 21, 9)) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  slowedAt(): number {
    return 0;
  }

  brokenAt(): number {
    return 0;
  }

  wallNow(): number {
    return this.#now;
  }

  setTimer(run: () => void, delayMs: number, isSleep = false): Timer {
    const timer = { at: this.#now + Math.max(0, delayMs), run, isSleep };
    this.#timers.add(timer);
    return timer;
  }

  clearTimer(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const timer = this.setTimer(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        ms,
        true,
      );
      const onAbort = () => {
        this.clearTimer(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      void this.#pump();
    });
  }

  /** Lets time pass; what is due happens on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#fire(next);
      await settle();
    }
    this.#now = Math.max(this.#now, until);
    await settle();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    await settle();
    while ([...this.#timers].some(({ isSleep }) => isSleep)) {
      const next = this.#next(Number.POSITIVE_INFINITY);
      if (next) this.#fire(next);
      await settle();
    }
    this.#isPumping = false;
  }

  #next(until: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    return next;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }
}

/** Long enough for a request through `app.inject` to go there and back. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface InProcessShop {
  readonly sandbox: ShopifySandbox;
  readonly time: VirtualTime;
  readonly transport: Transport;
  readonly download: DownloadTransport;
  /** Webhooks that were sent and not taken yet. */
  readonly deliveries: RawDelivery[];
  readonly urls: string[];
  /** A call with the merchant's hands, past the connector. */
  graphql(query: string, variables?: Record<string, unknown>): Promise<Record<string, never>>;
  close(): Promise<void>;
}

export function createInProcessShop(
  options: ShopifySandboxOptions & { clockSkewMs?: number; startAt?: number } = {},
): InProcessShop {
  const { clockSkewMs = 0, startAt, ...rest } = options;
  const time = new VirtualTime(startAt);
  const deliveries: RawDelivery[] = [];
  const urls: string[] = [];
  const sandbox = createShopifySandbox({
    ...rest,
    environment: {
      now: () => time.now() + clockSkewMs,
      setTimer: (run, delayMs) => time.setTimer(run, delayMs),
      clearTimer: (timer) => time.clearTimer(timer),
      random: () => 0.5,
      deliver: async ({ headers, body }) => {
        const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        deliveries.push({ headers: lower, body: new TextEncoder().encode(body) });
        return { status: 200 };
      },
      ...rest.environment,
    },
  });

  async function inject(request: HttpRequest): Promise<HttpResponse> {
    urls.push(request.url);
    const { pathname, search } = new URL(request.url);
    const answer = await sandbox.app.inject({
      method: request.method as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { payload: Buffer.from(request.body) }),
    });
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    return { status: answer.statusCode, headers, body: answer.rawPayload };
  }

  return {
    sandbox,
    time,
    deliveries,
    urls,
    transport: inject,
    async download(request) {
      const { status, headers, body } = await inject(request);
      async function* lines() {
        // A line at a time, as a slow network would, so that a test can act in between.
        for (let from = 0; from < body.byteLength; ) {
          const end = body.indexOf(10, from);
          const to = end < 0 ? body.byteLength : end + 1;
          yield body.subarray(from, to);
          from = to;
        }
      }
      return { status, headers, chunks: lines() };
    },
    async graphql(query, variables = {}) {
      const answer = await sandbox.app.inject({
        method: 'POST',
        url: '/admin/api/2026-10/graphql.json',
        headers: {
          'x-shopify-access-token': options.accessToken ?? 'shpat_sandbox_token',
          'content-type': 'application/json',
        },
        payload: { query, variables },
      });
      const body = answer.json() as { data?: Record<string, never>; errors?: unknown };
      assert.ok(body.data && body.errors === undefined, JSON.stringify(body));
      for (const payload of Object.values(body.data) as { userErrors?: unknown[] }[]) {
        assert.deepEqual(payload?.userErrors ?? [], [], JSON.stringify(payload));
      }
      return body.data;
    },
    close: () => sandbox.close(),
  };
}

test('virtual time jumps to the next timer when somebody sleeps', async () => {
  const time = new VirtualTime(0);
  const order: string[] = [];
  time.setTimer(() => order.push('timer'), 50);
  await Promise.all([time.sleep(100).then(() => order.push('long')), time.sleep(20).then(() => order.push('short'))]);
  assert.deepEqual(order, ['short', 'timer', 'long']);
  assert.equal(time.now(), 100);
});
