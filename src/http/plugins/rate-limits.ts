import rateLimit from '@fastify/rate-limit';
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

export async function addRateLimits(server: Server): Promise<void> {
  await server.register(rateLimit, {
    global: true,
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
}
