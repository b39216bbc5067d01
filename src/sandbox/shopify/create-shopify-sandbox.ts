import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { createBulkRunner } from './bulk/bulk-runner.ts';
import { createControls, type SandboxControls } from './controls/controls.ts';
import { createEnvironment } from './environment.ts';
import { createThrottleBucket } from './graphql/throttle.ts';
import { addControlRoutes } from './http/control-routes.ts';
import { createFaultSwitch } from './http/faults.ts';
import { addGraphqlRoute } from './http/graphql-route.ts';
import { cutAllHeld } from './http/hang.ts';
import { addStorageRoutes } from './http/storage-routes.ts';
import { addTokenRoute } from './http/token-route.ts';
import { expandScopes, type SandboxState } from './state.ts';
import { createStats, type SandboxStats } from './stats.ts';
import { commitChanges } from './store/commit.ts';
import { createSearchIndex } from './store/search-index.ts';
import { createStore } from './store/store.ts';
import { resolveConfig, type ShopifySandboxOptions } from './types.ts';
import { createWebhookDispatcher } from './webhooks/dispatcher.ts';

const BODY_BYTES_MAX = 20 * 1024 * 1024;

export interface ShopifySandbox {
  /** Also answers `app.inject`, without a socket. */
  readonly app: FastifyInstance;
  listen(port?: number, host?: string): Promise<{ origin: string; shopDomain: string }>;
  close(): Promise<void>;
  readonly controls: SandboxControls;
  readonly stats: SandboxStats;
  readonly shopDomain: string;
}

/** One pretended Shopify store with its Admin GraphQL API, webhooks and storage. Cheap to make: the schema is shared by all of them. */
export function createShopifySandbox(options: ShopifySandboxOptions = {}): ShopifySandbox {
  const config = resolveConfig(options);
  const environment = createEnvironment(options.environment);
  const store = createStore(config, environment.now());
  const timers = new Set<unknown>();
  let isClosed = false;
  let origin = options.publicOrigin ?? `https://${config.shopDomain}`;

  const schedule = (run: () => void, delayMs: number) => {
    if (isClosed) return;
    let handle: unknown;
    handle = environment.setTimer(() => {
      timers.delete(handle);
      if (!isClosed) run();
    }, delayMs);
    timers.add(handle);
  };

  const webhooks = createWebhookDispatcher({ store, config, environment, schedule });
  const bulk = createBulkRunner(() => state);
  const state: SandboxState = {
    config,
    environment,
    store,
    searchIndex: createSearchIndex(
      store,
      () => config.searchIndexLagMs,
      () => environment.now(),
    ),
    bucket: createThrottleBucket({
      points: config.bucketPoints,
      restorePerSecond: config.restorePointsPerSecond,
      unthrottled: config.unthrottled,
      now: () => environment.now(),
    }),
    idempotency: new Map(),
    webhooks,
    bulk,
    grantedScopes: expandScopes(config.scopes),
    tokens: new Map([[config.accessToken, Number.POSITIVE_INFINITY]]),
    uploads: new Map(),
    origin: () => origin,
    commit: (changes) => commitChanges(state, changes),
    schedule,
  };

  const stats = createStats(webhooks.stats);
  const faults = createFaultSwitch(environment);
  const controls = createControls(state, faults);
  const app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ errors: 'Not Found' }));
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.status(error.statusCode ?? 500).send({ errors: error.message }),
  );
  // The store's own clock, so that a caller can measure how far its clock is off.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Date', new Date(environment.now()).toUTCString());
  });
  if (config.recordTimes) {
    app.addHook('onRequest', async (request) => {
      Object.assign(request, { startedAt: performance.now() });
    });
    app.addHook('onResponse', async (request, reply) => {
      const { startedAt, operationName } = request as { startedAt?: number; operationName?: string };
      stats.times.push({
        operation: operationName ?? request.url,
        startedAt: startedAt ?? 0,
        endedAt: performance.now(),
        status: reply.statusCode,
      });
    });
  }
  const parts = { state, stats, faults };
  addGraphqlRoute(app, parts);
  addTokenRoute(app, parts);
  addStorageRoutes(app, parts);
  if (config.controlRoutes) addControlRoutes(app, controls, stats);

  return {
    app,
    controls,
    stats,
    shopDomain: config.shopDomain,
    async listen(port = 0, host = '127.0.0.1') {
      await app.listen({ port, host });
      const address = app.server.address() as AddressInfo;
      const own = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
      origin = options.publicOrigin ?? own;
      return { origin: own, shopDomain: config.shopDomain };
    },
    async close() {
      isClosed = true;
      for (const handle of timers) environment.clearTimer(handle);
      timers.clear();
      cutAllHeld(state);
      await app.close();
    },
  };
}
