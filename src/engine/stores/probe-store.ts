import { transact } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { StoreId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { isAboutRights } from '../../model/store-info.ts';
import type { EngineContext } from '../context.ts';
import { DONE } from '../outcome.ts';
import { enqueueStoreCheck } from './check-store.ts';
import { noteStoreWorks, PROBE_MS } from './store-state.ts';
import { hasOtherUnits, noteUnits } from './store-units.ts';

/** The job: asks a store that does not let us in whether it does again, ever more seldom, until it does. Its pairs' work waits for that. */
export async function probeStore(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { storeId } = job.payload as { storeId: StoreId };
  const store = findStore(ctx.db, storeId);
  if (store === null || store.status === 'disconnected') return { type: 'cancel', reason: 'the store is gone' };
  if (store.status !== 'error') return DONE;
  const { info, findings } = await ctx.connectors.forStore(store, null).inspect(signal);
  // Who may look but not write would be let in and shut out again with every write.
  const failure = findings.find((finding) => finding.level === 'error' && (info === null || isAboutRights(finding)));
  if (info !== null && failure === undefined) {
    // [A3] What it changed while it was shut is known before anything of it is read again.
    transact(ctx.db, (tx) => {
      noteUnits(ctx, tx, findStore(tx, storeId) ?? store, info);
      // Who is shut out is not looked at by the doctor, and what it told of may be mended since.
      enqueueStoreCheck(tx, storeId, ctx.clock.now());
    });
    if (hasOtherUnits(info, store.info)) ctx.connectors.forget(storeId);
    noteStoreWorks(ctx, storeId);
    return DONE;
  }
  const reason = failure?.message ?? 'the store does not answer';
  return { type: 'retry', reason, afterMs: Math.min(PROBE_MS.max, PROBE_MS.min * 2 ** Math.min(job.attempts, 10)) };
}
