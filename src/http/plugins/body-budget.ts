import { pipeline, Transform } from 'node:stream';
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

/** What a request has of the room that there is. */
interface Place {
  readonly source: string;
  bytes: number;
}

/**
 * Takes bodies in by what they say they are, before a byte of them is read, and those that don't say it as they come: past what may be under way they are
 * refused with `RATE_LIMITED`. Register it behind what refuses strangers.
 */
export function addBodyBudget(server: Server): void {
  const places = new WeakMap<FastifyRequest, Place>();
  const bySource = new Map<string, number>();
  let total = 0;

  /** Makes a place larger. Throws where there is no room for that. */
  function grow(place: Place, more: number): void {
    const own = (bySource.get(place.source) ?? 0) + more;
    const isSmall = place.bytes + more <= SMALL_BYTES_MAX;
    if (own > UNDER_WAY_PER_SOURCE_MAX || (!isSmall && total + more > UNDER_WAY_MAX)) {
      const message = 'Too much is being sent at once. Try again in a moment.';
      throw new AppError('RATE_LIMITED', message, { retryAfterMs: RETRY_AFTER_MS });
    }
    bySource.set(place.source, own);
    total += more;
    place.bytes += more;
  }

  function giveBack(place: Place): void {
    const left = (bySource.get(place.source) ?? 0) - place.bytes;
    if (left > 0) bySource.set(place.source, left);
    else bySource.delete(place.source);
    total -= place.bytes;
    place.bytes = 0;
  }

  server.addHook('onRoute', (route) => {
    if (route.config?.policy?.role === 'public') route.bodyLimit ??= OPEN_BODY_BYTES_MAX;
  });

  server.addHook('onRequest', async (request, reply) => {
    const bytes = announced(request);
    if (bytes === 0) return;
    const place = { source: sourceOf(addressOf(request)), bytes: 0 };
    grow(place, bytes);
    places.set(request, place);
    // An answer that waited behind others on a line that broke is not closed by each Node: then the line is.
    const ends = [reply.raw, request.raw.socket];
    const close = () => {
      for (const end of ends) end.off('close', close);
      giveBack(place);
    };
    for (const end of ends) end.on('close', close);
  });

  server.addHook('preParsing', async (request, _reply, payload) => {
    const place = places.get(request);
    if (place === undefined || !isChunked(request)) return payload;
    let received = 0;
    const counted = new Transform({
      transform(piece: Buffer, _encoding, done) {
        received += piece.length;
        try {
          if (received > place.bytes) grow(place, received - place.bytes);
          done(null, piece);
        } catch (error) {
          done(error as AppError);
        }
      },
    });
    // A line that breaks ends the reading, too.
    return pipeline(payload, counted, () => undefined);
  });
}

function isChunked({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** How much of a body may be held for now: all of it, or a little where its length is not told; none of one that is larger than its route takes. */
function announced(request: FastifyRequest): number {
  if (isChunked(request)) return SMALL_BYTES_MAX;
  const bytes = Number(request.headers['content-length'] ?? 0);
  return bytes <= (request.routeOptions.bodyLimit ?? BODY_BYTES_MAX) ? bytes : 0;
}
