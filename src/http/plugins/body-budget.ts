import type { FastifyRequest } from 'fastify';
import { sourceOf } from '../../accounts/sources.ts';
import { AppError } from '../app-error.ts';
import { addressOf } from '../caller-address.ts';
import type { Server } from '../types.ts';

const KB = 1024;
const MB = 1024 * KB;
/** What a route takes that does not say otherwise. */
export const BODY_BYTES_MAX = 256 * KB;
/** What one takes that is open to everyone: a form, or a token. */
const OPEN_BODY_BYTES_MAX = 16 * KB;
/** Bodies that are under way, of all sources together and of one. Each waits in memory until its last byte is there, for half a minute. */
const UNDER_WAY_MAX = 32 * MB;
const UNDER_WAY_PER_SOURCE_MAX = 10 * MB;
/** Most webhooks and all forms are no larger. They go on when larger ones have filled what there is for all: a line of their own costs as much. */
const SMALL_BYTES_MAX = 16 * KB;
const RETRY_AFTER_MS = 5_000;

/**
 * Takes bodies in by what they say they are, before a byte of them is read: past what may be under way they are refused with `RATE_LIMITED`. Register it
 * behind what refuses strangers.
 */
export function addBodyBudget(server: Server): void {
  const bySource = new Map<string, number>();
  let total = 0;

  server.addHook('onRoute', (route) => {
    if (route.config?.policy?.role === 'public') route.bodyLimit ??= OPEN_BODY_BYTES_MAX;
  });

  server.addHook('onRequest', async (request, reply) => {
    const bytes = announced(request);
    if (bytes === 0) return;
    const source = sourceOf(addressOf(request));
    const own = (bySource.get(source) ?? 0) + bytes;
    if (own > UNDER_WAY_PER_SOURCE_MAX || (bytes > SMALL_BYTES_MAX && total + bytes > UNDER_WAY_MAX)) {
      const message = 'Too much is being sent at once. Try again in a moment.';
      throw new AppError('RATE_LIMITED', message, { retryAfterMs: RETRY_AFTER_MS });
    }
    bySource.set(source, own);
    total += bytes;
    // Comes for every answer, also for one whose line broke before it.
    reply.raw.once('close', () => {
      const left = (bySource.get(source) ?? 0) - bytes;
      if (left > 0) bySource.set(source, left);
      else bySource.delete(source);
      total -= bytes;
    });
  });
}

/** How much of a body may be held: all of it, or as much as its route takes where its length is not told; none of one that is larger. */
function announced({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit ?? BODY_BYTES_MAX;
  if (headers['transfer-encoding'] !== undefined) return most;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= most ? bytes : 0;
}
