import type { Db } from '../db/database.ts';
import { transactRelaxed } from '../db/relaxed.ts';
import { wakeJobs } from '../db/writers/jobs.ts';
import type { Clock } from '../ports/clock.ts';

/** What record locks call when one is free again: the jobs that were refused it may start at once. */
export function wakeWaiters(db: Db, clock: Clock): (jobKeys: readonly string[]) => void {
  return (jobKeys) => {
    if (!db.connection.inTransaction) transactRelaxed(db, (tx) => wakeJobs(tx, jobKeys, clock.now()));
  };
}
