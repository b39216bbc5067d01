import { findPair, isPairHeld } from '../../db/readers/pairs.ts';
import { findOpenRun, findShutOutAt } from '../../db/writers/runs.ts';
import type { PairId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { EngineContext } from '../context.ts';
import { DONE } from '../outcome.ts';
import { held } from '../pair-view.ts';
import { PROBE_MS } from '../stores/store-state.ts';
import { requestRun } from './request-run.ts';

/** How long to wait for the end of a sync that is open and may have passed what is asked for, ms. */
const OPEN_RUN_MS = 10_000;

/** The job: starts a full sync, once the pair is active and no other is open. */
export async function fullSync(ctx: EngineContext, job: ClaimedJob): Promise<JobOutcome> {
  const { pairId } = job.payload as { pairId: PairId };
  const pair = findPair(ctx.db, pairId);
  if (pair === null || pair.status === 'setup') return { type: 'cancel', reason: 'the pair is not linked' };
  if (isPairHeld(ctx.db, pairId)) return held(ctx);
  if (findOpenRun(ctx.db, pairId) !== null) return { type: 'snooze', ms: OPEN_RUN_MS };
  // A store may let the probe in and refuse its catalogue: it is asked for that no more often than it is probed.
  const waitMs = (findShutOutAt(ctx.db, pairId) ?? 0) + PROBE_MS.max - ctx.clock.now();
  if (waitMs > 0 && waitMs <= PROBE_MS.max) return { type: 'snooze', ms: waitMs };
  requestRun(ctx, { pairId, trigger: 'realtime' });
  return DONE;
}
