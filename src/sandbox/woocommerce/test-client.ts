import { readFileSync } from 'node:fs';
import { createWooSandbox, type WooSandbox } from './create-woo-sandbox.ts';
import type { Delivery } from './environment.ts';
import type { Json, JsonObject } from './json.ts';
import type { WooSandboxOptions } from './options.ts';

/** For this folder's tests: a store on a clock of its own, reached without sockets. */
export interface TestStore {
  readonly sandbox: WooSandbox;
  readonly clock: TestClock;
  /** What the store posted, oldest first. */
  readonly deliveries: Delivery[];
  /** Status of the receiver's answers; 0 stands for one that cannot be reached, -1 for one that keeps silent. */
  receiver: { status: number };
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  /** Untyped, as JSON.parse gives it: tests look into answers field by field. */
  readonly body: ReturnType<JSON['parse']>;
  readonly text: string;
}

export interface TestClock {
  nowMs: number;
  /** Runs what falls due on the way; deliveries under way are awaited. */
  advance(ms: number): Promise<void>;
}

const TEST_ORIGIN = 'https://127.0.0.1:18443';
const START_MS = Date.UTC(2026, 10, 21, 6, 38, 38);

export function createTestStore(options: WooSandboxOptions = {}): TestStore {
  const deliveries: Delivery[] = [];
  const receiver = { status: 200 };
  const timers = new Map<number, { atMs: number; run: () => void }>();
  let nextTimer = 1;
  const clock: TestClock = {
    nowMs: START_MS,
    async advance(ms) {
      const untilMs = clock.nowMs + ms;
      for (;;) {
        await drain();
        const due = [...timers].filter(([, timer]) => timer.atMs <= untilMs).sort((a, b) => a[1].atMs - b[1].atMs)[0];
        if (!due) break;
        timers.delete(due[0]);
        clock.nowMs = Math.max(clock.nowMs, due[1].atMs);
        due[1].run();
      }
      clock.nowMs = untilMs;
    },
  };
  let seed = 1;
  const sandbox = createWooSandbox({
    siteUrl: TEST_ORIGIN,
    ...options,
    environment: {
      now: () => clock.nowMs,
      setTimer: (run, ms) => {
        timers.set(nextTimer, { atMs: clock.nowMs + ms, run });
        return nextTimer++;
      },
      clearTimer: (handle) => timers.delete(handle as number),
      deliver: async (delivery) => {
        deliveries.push(delivery);
        if (receiver.status === -1) return new Promise(() => {});
        if (receiver.status === 0) throw new Error('unreachable');
        return { status: receiver.status };
      },
      random: () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed / 2_147_483_647;
      },
    },
  });
  return { sandbox, clock, deliveries, receiver, call: (method, path, body) => call(sandbox, method, path, body) };
}

async function drain(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

export const BASIC = `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}`;

export async function call(sandbox: WooSandbox, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await sandbox.app.inject({
    method: method as 'GET',
    url: `/wp-json/wc/v3${path}`,
    headers: { authorization: BASIC, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json(), text: response.body };
}

export function sample(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`./fixtures/samples/${name}.json`, import.meta.url), 'utf8')) as JsonObject;
}

/** A value with every scalar replaced by the name of its type: what two answers must have in common. */
export function shape(value: Json): Json {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0] ?? null)];
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]));
  }
  return value === null ? 'null' : typeof value;
}
