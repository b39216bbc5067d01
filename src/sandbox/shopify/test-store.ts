import { readFileSync } from 'node:fs';
import { createShopifySandbox, type ShopifySandbox } from './create-shopify-sandbox.ts';
import type { ShopifySandboxOptions, WebhookRequest } from './types.ts';

/** For the tests of this folder: a sandbox under a hand-moved clock, called in process. */

export interface TestAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the API answered.
  readonly body: any;
}

export interface TestStore {
  readonly sandbox: ShopifySandbox;
  readonly hooks: WebhookRequest[];
  /** What the receiver answers; 200 at first. */
  setHookStatus(status: number | 'unreachable'): void;
  now(): number;
  /** Runs every timer that falls due within the time. */
  advance(ms: number): Promise<void>;
  call(
    query: string,
    variables?: Record<string, unknown>,
    options?: { version?: string; token?: string },
  ): Promise<TestAnswer>;
  /** One of fixtures/operations by file name. */
  run(operation: string, variables?: Record<string, unknown>): Promise<TestAnswer>;
  locationId(): string;
}

export const TEST_TOKEN = 'shpat_test';
const START = Date.parse('2026-11-21T10:00:00.250Z');

export function readOperation(name: string): string {
  return readFileSync(new URL(`./fixtures/operations/${name}.graphql`, import.meta.url), 'utf8');
}

export function createTestStore(options: ShopifySandboxOptions = {}): TestStore {
  let now = START;
  let nextTimer = 1;
  let hookStatus: number | 'unreachable' = 200;
  const timers = new Map<number, { dueAt: number; run: () => void }>();
  const hooks: WebhookRequest[] = [];
  const sandbox = createShopifySandbox({
    accessToken: TEST_TOKEN,
    clientSecret: 'test-secret',
    ...options,
    environment: {
      now: () => now,
      setTimer: (run, delayMs) => {
        const handle = nextTimer;
        nextTimer += 1;
        timers.set(handle, { dueAt: now + delayMs, run });
        return handle;
      },
      clearTimer: (handle) => void timers.delete(handle as number),
      deliver: async (request) => {
        hooks.push(request);
        if (hookStatus === 'unreachable') throw new Error('unreachable');
        return { status: hookStatus };
      },
      ...options.environment,
    },
  });

  const store: TestStore = {
    sandbox,
    hooks,
    setHookStatus: (status) => {
      hookStatus = status;
    },
    now: () => now,
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        // Deliveries end in promises; let them settle before looking for the next timer.
        await new Promise((resolve) => setImmediate(resolve));
        const due = [...timers.entries()]
          .filter(([, timer]) => timer.dueAt <= end)
          .sort(([a, left], [b, right]) => left.dueAt - right.dueAt || a - b)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].dueAt);
        due[1].run();
      }
      now = end;
    },
    async call(query, variables = {}, { version = '2026-10', token = TEST_TOKEN } = {}) {
      const response = await sandbox.app.inject({
        method: 'POST',
        url: `/admin/api/${version}/graphql.json`,
        headers: { 'X-Shopify-Access-Token': token },
        payload: { query, variables },
      });
      return { status: response.statusCode, headers: response.headers, body: response.json() };
    },
    run: (operation, variables) => store.call(readOperation(operation), variables),
    locationId: () => sandbox.controls.snapshot().locations[0]?.id ?? '',
  };
  return store;
}
