import { AppError } from './app-error.ts';

/** More in line than anybody types ahead of the answers. */
const IN_LINE_MAX = 8;
const RETRY_AFTER_MS = 2_000;

/** What is slow is done one after the other for each key; what is more than a few is refused with RATE_LIMITED. */
export interface Lanes {
  inLine<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, { count: number; last: Promise<unknown> }>();
  return {
    async inLine(key, work) {
      const lane = lanes.get(key) ?? { count: 0, last: Promise.resolve() };
      if (lane.count >= IN_LINE_MAX) {
        const message = 'Several searches are under way already. Try again in a moment.';
        throw new AppError('RATE_LIMITED', message, { retryAfterMs: RETRY_AFTER_MS });
      }
      lanes.set(key, lane);
      lane.count += 1;
      const turn = lane.last.then(work);
      lane.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        lane.count -= 1;
        if (lane.count === 0) lanes.delete(key);
      }
    },
  };
}
