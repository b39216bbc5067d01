import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { onRequestAsyncHookHandler } from 'fastify';
import { sourceOf } from '../../accounts/sources.ts';
import { addressOf } from '../caller-address.ts';
import type { Server } from '../types.ts';

const MINUTE_MS = 60_000;
/** Requests a minute and source. Webhooks are not limited here: their signature and size are, and losing one costs a poll period. */
const GENERAL_MAX = 6_000;
const SOURCES_REMEMBERED_MAX = 5_000;

/** For routes that cost a password hash or a demo, or reach somebody outside. */
export const STRICT_LIMITS = {
  signIn: { rateLimit: { max: 60, timeWindow: MINUTE_MS } },
  signUp: { rateLimit: { max: 20, timeWindow: MINUTE_MS } },
  mail: { rateLimit: { max: 20, timeWindow: MINUTE_MS } },
  demo: { rateLimit: { max: 10, timeWindow: MINUTE_MS } },
  contact: { rateLimit: { max: 6, timeWindow: MINUTE_MS } },
  connect: { rateLimit: { max: 60, timeWindow: MINUTE_MS } },
  backup: { rateLimit: { max: 6, timeWindow: MINUTE_MS } },
  message: { rateLimit: { max: 60, timeWindow: MINUTE_MS } },
} as const;

/**
 * Counts every request once, also those to addresses that are not there: by the limit of its route where that has one, else by the general one. The
 * package itself counts behind the hooks of the server, and so behind what asks who is there: register this before that.
 */
export async function addRateLimits(server: Server): Promise<void> {
  await server.register(rateLimit, {
    global: false,
    max: GENERAL_MAX,
    timeWindow: MINUTE_MS,
    cache: SOURCES_REMEMBERED_MAX,
    // Without an address (a unix socket) all callers are one source.
    keyGenerator: (request) => sourceOf(addressOf(request)),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  const counter = (own?: RateLimitOptions) => server.rateLimit(own) as unknown as onRequestAsyncHookHandler;
  const countOne = counter();
  server.addHook('onRoute', (route) => {
    const own = route.config?.rateLimit;
    if (own !== false) route.config = { ...route.config, countOne: own === undefined ? countOne : counter(own) };
  });
  server.addHook('onRequest', async function (request, reply) {
    const count = request.is404 ? countOne : request.routeOptions.config.countOne;
    await count?.call(this, request, reply);
  });
}
