import { findPair } from '../../db/readers/pairs.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';

/**
 * What a run or a plan that failed in passing (`outcome`) ends with: another try, or null when it is to be called failed. As many follow the first one
 * as the pair's `retryAttempts` says now. Who got further than the try before has not failed before: only tries in a row that lead nowhere are counted.
 */
export function anotherTry(
  ctx: EngineContext,
  view: PairView,
  job: ClaimedJob,
  outcome: JobOutcome,
  hasMoved: boolean,
): JobOutcome | null {
  const { retryAttempts } = findPair(ctx.db, view.pair.id)?.settings ?? view.settings;
  if (outcome.type !== 'retry' || (!hasMoved && job.attempts >= retryAttempts)) return null;
  return { ...outcome, isProgress: hasMoved };
}
