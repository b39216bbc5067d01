import { type App, startApp } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { makeTestLog, type TestLog } from '../support/test-log.ts';

export interface RunningApp {
  readonly app: App;
  readonly log: TestLog;
  /** One request; `token` is sent when there is one. */
  call<T = Record<string, never>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | null,
    token?: string,
  ): Promise<{ status: number; body: T }>;
}

/** On a free port of this machine, with everything that a test does not ask for switched off. */
export function testConfig(dataDir: string): Config {
  return {
    server: { host: '127.0.0.1', port: 0, publicUrl: null, tls: null, trustedProxies: [] },
    mail: null,
    openId: null,
    dataDir,
    demo: false,
    allowLocalStores: true,
    logLevel: 'debug',
    shopifyApiVersion: null,
    signup: 'first',
    usageLimits: { api_calls: null },
    historyKeptMs: null,
    backupsKept: 0,
    breachedPasswordsFile: null,
    given: { setupToken: null, jwtSecret: null, encryptionKeys: null },
  };
}

/** The whole program on a free port, as `main.ts` starts it; replies are held to their contracts. */
export async function startTestApp(dataDir: string, change: Partial<Config> = {}): Promise<RunningApp> {
  const log = makeTestLog();
  const config: Config = { ...testConfig(dataDir), ...change };
  const app = await startApp({ config, log, webDir: null, isStrict: true });
  return {
    app,
    log,
    async call<T>(method: string, path: string, body: object | null = null, token = '') {
      const reply = await fetch(`${app.url}${path}`, {
        method,
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: (await reply.json()) as T };
    },
  };
}

/** Asks again and again until `read` gives something other than null. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | null> | T | null,
  withinMs = 10_000,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    if (Date.now() > until) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
