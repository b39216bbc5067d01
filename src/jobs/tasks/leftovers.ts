import type { Db } from '../../db/database.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { dropLeftovers, type Leftovers } from '../../db/writers/leftovers.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { LEFTOVERS_TASK } from '../../model/job.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Task } from '../task.ts';

/** Rows dropped in one transaction: all that belongs to a pair of 100,000 products, dropped at once, let nobody in for 17 s. */
const PORTION = 500;
/** Between portions others have their turn. */
const PAUSE_MS = 10;
/** A turn ends after so many, and the job goes on in the next one: it may take longer than any one job may. */
const PORTIONS_PER_TURN = 1_000;

/** Drops what a pair, a store or a workspace has left behind that is gone. Whatever stops it, it goes on where it was: with what is still there. */
export function leftoversTask({ db, clock }: { readonly db: Db; readonly clock: Clock }): Task {
  return {
    name: LEFTOVERS_TASK,
    batchMax: 1,
    timeoutMs: 30 * MINUTE_MS,
    async run(jobs, _group, signal) {
      const leftovers = jobs[0]?.payload as Leftovers;
      for (let i = 0; i < PORTIONS_PER_TURN; i += 1) {
        // A portion that a power cut undoes is dropped again.
        const dropped = transactRelaxed(db, (tx) => dropLeftovers(tx, leftovers, PORTION));
        if (dropped < PORTION) return [{ type: 'done' }];
        await clock.sleep(PAUSE_MS, signal);
      }
      return [{ type: 'snooze', ms: PAUSE_MS }];
    },
  };
}
