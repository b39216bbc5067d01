import type { Db } from '../db/database.ts';
import { transactRelaxed } from '../db/relaxed.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { periodStart, USAGE_METERS, type UsageKind, type UsageLimits } from '../model/usage.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type CountedUsage, recordUsage } from './record-usage.ts';

/** What is counted within it is one write. */
export const FLUSH_MS = 5 * SECOND_MS;

export interface UsageCounter {
  /** One more, now. Takes a note in memory and nothing else. */
  count(workspaceId: WorkspaceId, kind: UsageKind): void;
  /** Stores what was counted; later counts stay in memory. */
  stop(): void;
}

/** Counts what workspaces use. A crash loses what was counted in its last `FLUSH_MS`, a power cut the last batches too, an orderly stop nothing. */
export function createUsageCounter(ctx: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: UsageLimits;
}): UsageCounter {
  const { clock, log } = ctx;
  const stopped = new AbortController();
  let counted = new Map<string, { count: number } & CountedUsage>();
  let isAsked = false;

  function flush(): void {
    const batch = counted;
    counted = new Map();
    try {
      // A count is no reason to make requests wait for the disk.
      transactRelaxed(ctx.db, (tx) => recordUsage(tx, [...batch.values()], ctx.limits, clock.now()));
    } catch (error) {
      // Nothing was stored: it goes with the next.
      for (const [key, usage] of batch) add(key, usage);
      log.error({ error: String(error) }, 'usage could not be stored');
    }
  }

  function add(key: string, usage: CountedUsage): void {
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { ...usage });
    else known.count += usage.count;
  }

  async function flushSoon(): Promise<void> {
    try {
      await clock.sleep(FLUSH_MS, stopped.signal);
    } catch {
      return;
    }
    isAsked = false;
    flush();
  }

  return {
    count(workspaceId, kind) {
      const since = periodStart(USAGE_METERS[kind].period, clock.now());
      add(`${workspaceId} ${kind} ${since}`, { workspaceId, kind, since, count: 1 });
      if (isAsked || stopped.signal.aborted) return;
      isAsked = true;
      void flushSoon();
    },
    stop() {
      stopped.abort(new Error('stopped'));
      if (counted.size > 0) flush();
    },
  };
}
