import type { Claim } from '../db/writers/jobs.ts';
import type { Log } from '../ports/log.ts';
import type { JobResult } from './batch.ts';

/** Jobs of one call of a task, which have ended together. */
export interface EndedJobs {
  readonly task: string;
  readonly groupKey: string;
  readonly claims: readonly Claim[];
  readonly results: readonly JobResult[];
  /** Of the call. */
  readonly durationMs: number;
}

/**
 * A line for each job: by its key, which is made of ids, what it was about, and how it ended. Reasons are left out: they hold what a store said, and a store
 * quotes titles.
 */
export function logJobs(log: Log, { task, groupKey, claims, results, durationMs }: EndedJobs): void {
  claims.forEach(({ key, attempts }, i) => {
    const result = results[i] ?? { type: 'interrupted' };
    const outcome = result.type === 'outcome' ? result.outcome.type : result.type;
    log.info({ task, pairId: groupKey, key, attempts, outcome, durationMs, together: claims.length }, 'a job ended');
  });
}
