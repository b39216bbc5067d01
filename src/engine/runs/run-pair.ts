import { findPair, isPairHeld } from '../../db/readers/pairs.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { closeProblemsBefore } from '../../db/writers/history.ts';
import { findRun } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { RunId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync } from '../enqueue.ts';
import { enqueueOpenIntents } from '../enqueue-open-intents.ts';
import { DONE, outcomeOfError } from '../outcome.ts';
import { loadPairView } from '../pair-view.ts';
import { applyItems } from '../plan/apply-items.ts';
import { hasNewKeys } from '../stores/store-state.ts';
import { anotherTry } from './another-try.ts';
import { failureCode } from './listing-failed.ts';
import { RunProgress } from './run-progress.ts';
import { scanPair } from './scan-pair.ts';

/** Before the second try of a run, ms; before each further one it is four times as much. */
const TRY_AGAIN_MS = 5_000;
/** [A4] A first link is watched: a shop that is back is noticed within this, ms. */
const LINK_PAUSE_MAX_MS = 80_000;

/** The job: one requested sync, from a plan or by a full scan. It goes on after a crash or a stop where its last page ended. */
export async function runPair(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { runId } = job.payload as { runId: RunId };
  const run = findRun(ctx.db, runId);
  const view = run === null ? null : loadPairView(ctx, run.pairId, runId);
  if (run === null || view === null || run.status !== 'running') return { type: 'cancel', reason: 'the run is over' };
  const progress = new RunProgress(ctx, run);
  const before = progress.mark();
  if (progress.isCancelled()) return finish(ctx, run, progress, 'cancelled', null);
  // [A2] Of a store that does not let us in nothing is asked but the probe, and of the other nothing is of use then.
  const shut = SIDES.map((side) => view.stores[side]).find(({ status }) => status === 'error');
  if (shut !== undefined) {
    const message = shut.statusReason ?? 'The store does not let us in.';
    return finish(ctx, run, progress, 'failed', { code: 'UNAUTHORIZED', message });
  }
  try {
    const end =
      run.planId === null
        ? await scanPair(ctx, view, run, progress, signal)
        : await applyItems(ctx, view, run, run.planId, progress, signal);
    if (end === 'cancelled') return finish(ctx, run, progress, 'cancelled', null);
    if (end === 'halted')
      return finish(ctx, run, progress, 'failed', {
        code: 'PAIR_HALTED',
        message: 'The pair was halted for safety; nothing more was written.',
      });
    return finish(ctx, run, progress, 'completed', null);
  } catch (error) {
    // A call that was cut off because we were asked to end says nothing about the store, and costs no try.
    signal.throwIfAborted();
    if (!(error instanceof ConnectorError)) throw error;
    // A store that answers nothing keeps nobody from ending it.
    if (progress.isCancelled()) return finish(ctx, run, progress, 'cancelled', null);
    const outcome = outcomeOfError(error);
    if (outcome.type === 'snooze' && error.kind === 'rate_limited') return outcome;
    if (error.kind === 'unauthorized' && SIDES.some((side) => hasNewKeys(ctx, view.stores[side])))
      return { type: 'snooze', ms: 0 };
    const hasMoved = progress.mark() !== before;
    const again = anotherTry(ctx, view, job, outcome, hasMoved);
    if (again?.type === 'retry') {
      const longestMs = view.pair.status === 'linking' ? LINK_PAUSE_MAX_MS : Number.POSITIVE_INFINITY;
      return { ...again, afterMs: pauseMs(again.afterMs, hasMoved ? 0 : job.attempts, longestMs) };
    }
    return finish(ctx, run, progress, 'failed', { code: failureCode(ctx, view, error), message: error.message });
  }
}

/** [A4] A nightly run has time, and what keeps a shop away for a moment (an update, a restart) takes longer than a second. */
function pauseMs(askedMs: number | undefined, attempts: number, longestMs: number): number {
  return Math.max(askedMs ?? 0, Math.min(longestMs, TRY_AGAIN_MS * 4 ** attempts));
}

function finish(
  ctx: EngineContext,
  run: RunRow,
  progress: RunProgress,
  status: 'completed' | 'failed' | 'cancelled',
  error: { readonly code: string; readonly message: string } | null,
): JobOutcome {
  progress.finish(status, error, (tx) => {
    const pair = findPair(tx, run.pairId);
    if (pair?.status === 'linking') {
      // A link that did not end is planned again: what is linked already is found linked.
      if (status === 'completed')
        updatePair(tx, pair.id, { status: 'active', linkedAt: ctx.clock.now(), guardSince: ctx.clock.now() });
      else updatePair(tx, pair.id, { status: 'setup' });
    }
    enqueueOpenIntents(tx, run.pairId, ctx.clock.now());
    // [T1] [A2] What nobody has asked for by hand, and a pause or a shut store has cut off, is made up for once the pair goes on.
    const isOwed = run.trigger === 'realtime' || (run.trigger !== 'manual' && pair?.status !== 'halted');
    const isCutOff = run.planId === null && status !== 'completed' && !progress.isCancelled();
    if (isOwed && isCutOff && isPairHeld(tx, run.pairId)) enqueueFullSync(tx, run.pairId, ctx.clock.now());
    // A full scan has looked at everything again: what was put aside before it, and failed again, was put aside again.
    if (status === 'completed' && run.planId === null)
      closeProblemsBefore(tx, run.pairId, 'JOB_PUT_ASIDE', run.startedAt, ctx.clock.now());
  });
  return DONE;
}
