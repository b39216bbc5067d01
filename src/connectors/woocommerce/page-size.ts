import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { ANSWER_TOO_LARGE } from '../shared/transport.ts';

/** How many whole records a store is asked for at once: a hundred, or as many as it can give within its time, its memory and what we take of an answer. */
export interface PageSize {
  readonly now: number;
  /** Asks for a page of so many; a full one that came quickly tells that more can be asked for, one that failed that fewer have to be. */
  ask<T>(size: number, get: () => Promise<T>, count: (answer: T) => number): Promise<T>;
  /** Whether a page of so many that failed is to be asked for once more, as a smaller one: the store is there, and gave it up by itself. */
  isSmallerWorth(size: number, error: unknown): boolean;
}

const SIZE_MAX = 100;
const SIZE_MIN = 10;
const FEWER = 4;
const QUICK_MS = 5_000;
/** So long after one that was too large none that is larger than the last is asked for: a scan of a large catalogue is through by then. */
const CAUTION_MS = 30 * 60_000;
/** PHP out of memory, or out of its time before the web server's own. */
const GIVEN_UP = [500, 502, 504];

export function createPageSize(clock: Clock): PageSize {
  let now = SIZE_MAX;
  let cautiousUntil = 0;
  return {
    get now() {
      return now;
    },
    async ask(size, get, count) {
      const askedAt = clock.now();
      try {
        const answer = await get();
        const isQuick = clock.now() - askedAt < QUICK_MS;
        const isFull = count(answer) >= size && size >= now;
        if (isQuick && isFull && clock.now() >= cautiousUntil) now = Math.min(SIZE_MAX, now * 2);
        return answer;
      } catch (error) {
        const isTooMuch = isGivenUp(error) || (error instanceof ConnectorError && error.kind === 'timeout');
        // That a few can't be had says nothing of their number.
        if (isTooMuch && size > SIZE_MIN) {
          now = Math.max(SIZE_MIN, Math.min(now, Math.floor(size / FEWER)));
          cautiousUntil = clock.now() + CAUTION_MS;
        }
        throw error;
      }
    },
    isSmallerWorth: (size, error) => now < size && isGivenUp(error),
  };
}

function isGivenUp(error: unknown): boolean {
  if (!(error instanceof ConnectorError)) return false;
  const { httpStatus, platformCode } = error.details;
  return platformCode === ANSWER_TOO_LARGE || (error.kind === 'unavailable' && GIVEN_UP.includes(httpStatus ?? 0));
}
