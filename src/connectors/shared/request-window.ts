import type { Clock } from '../../ports/clock.ts';
import type { CallPriority } from './rate-gate.ts';

/** How many requests may leave for one store in any minute, by what a person set. It outlives the store's connectors. */
export interface RequestWindow {
  /** Ms until a request may leave behind `ahead` others that go before it; 0: now. What says 0 for nobody ahead may be taken at once. */
  waitMs(priority: CallPriority, ahead: number): number;
  /** A request leaves now. */
  take(priority: CallPriority): void;
  /** Whether nothing has left within the last minute. */
  isIdle(): boolean;
}

export interface RequestWindowOptions {
  readonly clock: Clock;
  /** Requests in any minute. Asked each time, so that a changed setting holds for the next request; null: as many as the store bears. */
  readonly limit: () => number | null;
}

const WINDOW_MS = 60_000;
/** Whoever waits for the window looks again after this: by then it may be another limit. */
export const WINDOW_LOOK_MS = 1_000;
/** The highest limit there is: of what left before that many others nothing depends. */
const KEPT_MAX = 10_000;
/** Kept for stock: a listing that has used up a minute in ten seconds must not keep a sale waiting for the other fifty. */
const STOCK_SHARE = 0.1;
/**
 * Once so much of a minute is left, what is not stock leaves evenly until the oldest request is a minute old. Else a fast store would be asked nothing for
 * most of each minute, and what waited for its turn all that time would be given up and begun again, with the reads that it had done.
 */
const SPREAD_SHARE = 0.5;

export function createRequestWindow({ clock, limit }: RequestWindowOptions): RequestWindow {
  /** When requests left, in order; those before `first` are more than a minute old. */
  let times: number[] = [];
  let first = 0;
  /** When the last one left that was not stock. */
  let spreadAt = Number.NEGATIVE_INFINITY;

  /** Forgets what is over, and gives the time. */
  function settle(): number {
    const now = clock.now();
    const setBackMs = (times.at(-1) ?? now) - now;
    if (setBackMs > 0) {
      // Else nothing would leave until the clock is again where it was.
      times = times.map((at) => at - setBackMs);
      spreadAt -= setBackMs;
    }
    for (let at = times[first]; at !== undefined && at <= now - WINDOW_MS; at = times[first]) first += 1;
    first = Math.max(first, times.length - KEPT_MAX);
    if (first >= KEPT_MAX) {
      times = times.slice(first);
      first = 0;
    }
    return now;
  }

  return {
    waitMs(priority, ahead) {
      const most = limit();
      if (most === null) return 0;
      const now = settle();
      const room = priority === 'stock' ? most : most - Math.floor(most * STOCK_SHARE);
      const free = room - (times.length - first);
      if (free <= ahead) {
        const last = times[first + ahead - free];
        return last === undefined ? WINDOW_MS : last + WINDOW_MS - now;
      }
      const spread = Math.floor(room * SPREAD_SHARE);
      if (priority === 'stock' || free - ahead > spread) return 0;
      const leaveAtOnce = Math.max(0, free - spread);
      const from = leaveAtOnce > 0 ? now : Math.max(spreadAt, now - WINDOW_MS);
      const oldestIsOverAt = (times[first] ?? now) + WINDOW_MS;
      const gapMs = (oldestIsOverAt - from) / (Math.min(free, spread) + 1);
      return Math.max(0, Math.ceil(from + gapMs * (ahead + 1 - leaveAtOnce) - now));
    },
    take(priority) {
      const now = settle();
      times.push(now);
      if (priority !== 'stock') spreadAt = now;
    },
    isIdle() {
      settle();
      return first === times.length;
    },
  };
}
