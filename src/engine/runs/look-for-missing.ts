import { transact } from '../../db/database.ts';
import { listBindings } from '../../db/readers/hub-rows.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { countBound } from '../../db/readers/products.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { listMissing, listMissingDeleted, markLookedFor } from '../../db/writers/scan-marks.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { closeUntrue, lookForUnknown } from '../close-problems.ts';
import type { EngineContext } from '../context.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { endOf, type RunEnd } from '../plan/apply-items.ts';
import { productBatches } from '../products/product-batches.ts';
import { makeSubject } from '../products/product-subject.ts';
import { syncSubjects } from '../products/sync-products.ts';
import { handOver } from './hand-over.ts';
import type { RunProgress } from './run-progress.ts';

/** Deleted products that one scan asks a side for: a shop may keep thousands in its bin for ever, and a request for each shows what it did before. */
const DELETED_MAX = 100;

/** [G7] What complete listings did not show is read by its id: only "not there" is a delete. */
export async function lookForMissing(
  ctx: EngineContext,
  view: PairView,
  run: RunRow,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<RunEnd> {
  for (const side of SIDES) {
    // Both before anything is read: what is found in the bin is deleted from then on.
    const missing = listUnlisted(ctx, view, run, side);
    const away = listDeleted(ctx, view, run, side);
    const deleted = new Set<ProductId | null>(away);
    for (const batch of productBatches(ctx, [...missing, ...away], (productId) => productId)) {
      if (progress.isCancelled()) return 'cancelled';
      const current = loadPairView(ctx, view.pair.id, run.id);
      const end = endOf(current);
      if (current === null || end !== null) return end ?? 'cancelled';
      const subjects = batch.map((productId) => makeSubject(ctx, current, { productId }, [side], null));
      await syncSubjects(ctx, current, subjects, signal);
      signal.throwIfAborted();
      handOver(ctx, current, subjects);
      // What lies where it lay is none of the products that a run has gone through.
      const met = subjects.filter((subject) => subject.result !== 'unchanged' || !deleted.has(subject.productId));
      progress.record(met, 'look_for_missing', { progress: 99 });
      const looked = batch.filter((productId) => deleted.has(productId));
      transact(ctx.db, (tx) => markLookedFor(tx, side, looked, run.scanNumber));
    }
  }
  const now = loadPairView(ctx, view.pair.id, run.id);
  if (now !== null) {
    await closeUntrue(ctx, now);
    await lookForUnknown(ctx, now, run.startedAt);
  }
  return findPair(ctx.db, view.pair.id)?.status === 'halted' ? 'halted' : 'completed';
}

/** Complete listings that have to leave a record out. Where nobody tells of deletes, whoever asks for a sync counts on it, and the next may be far away. */
function listingsOf({ settings }: PairView): number {
  return settings.syncSchedule === 'realtime' ? 2 : 1;
}

function listUnlisted(ctx: EngineContext, view: PairView, run: RunRow, side: Side): readonly ProductId[] {
  const missing = listMissing(ctx.db, view.pair.id, side, run.scanNumber - listingsOf(view));
  if (listingsOf(view) > 1) return missing;
  // What was made since the run began, most likely by it, came after its listing.
  const isNew = (id: ProductId) =>
    (listBindings(ctx.db, id).find((own) => own.side === side)?.madeAt ?? 0) >= run.startedAt;
  return missing.filter((id) => !isNew(id));
}

/**
 * [P1] What was put away is deleted for good, or its bin emptied, and no shop tells of it: what a person was told of it, or of others because of it, would
 * stay open for ever. One whose other record is listed is looked at with that. Where nothing lives that could vouch for several of them, they would be
 * asked for every minute and never be believed.
 */
function listDeleted(ctx: EngineContext, view: PairView, run: RunRow, side: Side): readonly ProductId[] {
  const deleted = listMissingDeleted(ctx.db, view.pair.id, side, run.scanNumber - listingsOf(view), DELETED_MAX);
  return deleted.length === 1 || countBound(ctx.db, view.pair.id, side) > 0 ? deleted : [];
}
