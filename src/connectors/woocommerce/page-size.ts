import { DAY_MS } from '../../lib/time.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { ANSWER_TOO_LARGE } from '../shared/transport.ts';

/**
 * How many whole records a store is asked for at once, or given in a batch: a hundred, or as many as it can manage within its time, its memory and what we
 * take of an answer.
 */
export interface PageSize {
  readonly now: number;
  /** Asks for a page of so many; a full one that came quickly tells that more can be asked for, one that failed that fewer have to be. */
  ask<T>(size: number, get: () => Promise<T>, count: (answer: T) => number): Promise<T>;
  /** How long ago this was called, ms. */
  begin(): () => number;
  /** What is known by now; called, it is what is known again: whatever failed since was not for its number. */
  remember(): () => void;
  /** Whether a page of so many that failed is to be asked for once more, as a smaller one: the store is there, and gave it up by itself. */
  isSmallerWorth(size: number, error: unknown): boolean;
}

const SIZE_MAX = 100;
const FEWER = 4;
/** Each page of a listing overlaps the one before by a record. */
const LEAST = 2;
const QUICK_MS = 5_000;
/**
 * So long after one that was too large none that is larger than the last is asked for, ms: half a minute at first, since the store may only have been
 * restarted, and twice as long each time, until a scan of a large catalogue is through meanwhile.
 */
const CAUTION_MS = { first: 30_000, longest: 30 * 60_000 };
/** After a batch that was carried out, and answered with more than we take: its records stay as large, and each of its writes waits until it can't land any more. */
const LOST_CAUTION_MS = DAY_MS;
/** PHP out of memory, or out of its time before the web server's own; as Cloudflare tells it, too. */
const GIVEN_UP = [500, 502, 504, 520, 524];

/** `first`: until more have been asked for, and came quickly. */
export function createPageSize(clock: Clock, sizeMin: number, first = SIZE_MAX): PageSize {
  let now = first;
  let cautiousUntil = 0;
  let cautionMs = CAUTION_MS.first;
  return {
    get now() {
      return now;
    },
    begin() {
      const begunAt = clock.now();
      return () => clock.now() - begunAt;
    },
    async ask(size, get, count) {
      const askedAt = clock.now();
      try {
        const answer = await get();
        const isQuick = clock.now() - askedAt < QUICK_MS;
        const isFull = count(answer) >= size && size >= now;
        if (isQuick && isFull && now === SIZE_MAX) cautionMs = CAUTION_MS.first;
        if (isQuick && isFull && clock.now() >= cautiousUntil) now = Math.min(SIZE_MAX, now * 2);
        return answer;
      } catch (error) {
        const isTooMuch = isGivenUp(error) || isUnanswered(error);
        // That a few can't be had says nothing of their number.
        const least = isMoreThanTaken(error) ? LEAST : sizeMin;
        if (isTooMuch && size > least) {
          now = Math.max(least, Math.min(now, Math.floor(size / FEWER)));
          cautiousUntil = clock.now() + (isLost(error) ? LOST_CAUTION_MS : cautionMs);
          cautionMs = Math.min(CAUTION_MS.longest, cautionMs * 2);
        }
        throw error;
      }
    },
    remember() {
      const known = { now, cautiousUntil, cautionMs };
      return () => {
        ({ now, cautiousUntil, cautionMs } = known);
      };
    },
    isSmallerWorth: (size, error) => now < size && isGivenUp(error),
  };
}

/** Of a batch, whose writes may have been carried out: what became of fewer is known sooner. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ConnectorError) || error.details.isCancelled === true) return false;
  return error.kind === 'timeout' || error.kind === 'unknown_outcome';
}

function isGivenUp(error: unknown): boolean {
  if (!(error instanceof ConnectorError)) return false;
  const { httpStatus } = error.details;
  return isMoreThanTaken(error) || (error.kind === 'unavailable' && GIVEN_UP.includes(httpStatus ?? 0));
}

/** It came, and is too large for us. So it is told at once, and each smaller one is less. */
function isMoreThanTaken(error: unknown): boolean {
  return error instanceof ConnectorError && error.details.platformCode === ANSWER_TOO_LARGE;
}

/** WooCommerce answers a batch with whole products, whatever was asked of them. */
function isLost(error: unknown): boolean {
  return isMoreThanTaken(error) && (error as ConnectorError).kind === 'unknown_outcome';
}
