import { guardLimit, judgeListing } from '../../core/safety.ts';
import { type Db, transact } from '../../db/database.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { listDeletesInQuestion, listOpenConflicts, listOpenProblems } from '../../db/writers/history.ts';
import { findScanState, setScanState } from '../../db/writers/observations.ts';
import { markSeen } from '../../db/writers/scan-marks.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { isGuardWaived } from '../guard.ts';
import { type HubState, loadHub } from '../hub.ts';
import { onlySideOf } from '../matching/only-side.ts';
import { otherHalf } from '../matching/other-half.ts';
import { asConnectorError } from '../outcome.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { endOf, type RunEnd } from '../plan/apply-items.ts';
import { isLevel } from '../products/is-level.ts';
import { lookAtTurns } from '../products/look-at-turns.ts';
import { productBatches } from '../products/product-batches.ts';
import { makeSubject, type ProductSubject } from '../products/product-subject.ts';
import { hasFieldDrift } from '../products/store-drift.ts';
import { syncSubjects } from '../products/sync-products.ts';
import { UNSYNCABLE_CODES } from '../products/unsyncable-words.ts';
import { hasLeftOver } from '../products/variants-to-archive.ts';
import { noteSights } from '../sights.ts';
import { untoldShort } from '../stock/absorb-stock.ts';
import { hasLimits, noteLimits } from '../stock/limited-stock.ts';
import { noteReadError, noteStoreListed } from '../stores/store-state.ts';
import { watchUnits } from '../stores/store-units.ts';
import { expectCatalogues } from './expect-catalogues.ts';
import { handOver } from './hand-over.ts';
import { listingFailed } from './listing-failed.ts';
import { lookForMissing } from './look-for-missing.ts';
import { measureAccuracy } from './measure-accuracy.ts';
import type { RunProgress } from './run-progress.ts';

/** Variants that are compared before others get a turn. */
const VARIANTS_PER_TURN = 300;

/**
 * The full scan: both catalogues are listed and held against what is known, a page at a time. What differs is synced by the same pass as
 * a webhook would start, with fresh readings; what is level costs nothing more.
 */
export async function scanPair(
  ctx: EngineContext,
  begun: PairView,
  run: RunRow,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { scanNumber } = run;
  const view = await withUnits(ctx, begun, run, signal);
  const bound = expectCatalogues(ctx, view, run);
  const expected = Math.max(1, bound.woocommerce + bound.shopify);
  let done = 0;
  for (const side of SIDES) {
    const state = findScanState(ctx.db, run.id, side);
    let listed = state.count;
    if (!state.isComplete) {
      try {
        for await (const page of view.connectors[side].scan({ resume: state.resume, signal })) {
          if (progress.isCancelled()) return 'cancelled';
          const current = loadPairView(ctx, view.pair.id, run.id);
          const end = endOf(current);
          if (current === null || end !== null) return end ?? 'cancelled';
          listed += page.snapshots.length;
          noteSights(ctx, current, side, page.snapshots);
          const subjects = await differing(ctx, current, side, page.snapshots, progress);
          await sync(
            ctx,
            current,
            subjects,
            progress,
            Math.min(98, Math.round((98 * (done + listed)) / expected)),
            signal,
          );
          transact(ctx.db, (tx) => {
            markSeen(
              tx,
              current.pair.id,
              side,
              page.snapshots.map((snapshot) => snapshot.externalId),
              scanNumber,
            );
            setScanState(tx, run.id, side, { resume: page.resume, count: listed, isComplete: page.isComplete });
          });
        }
        noteStoreListed(ctx, view.stores[side].id);
      } catch (error) {
        throw listingFailed(ctx, run.id, view.stores[side], asConnectorError(error));
      }
    }
    done += listed;
    const reason = judgeListing(bound[side], listed);
    if (reason !== null && !isGuardWaived(view, ctx.clock.now(), reason)) {
      haltPair(ctx, view.pair.id, {
        reason,
        side,
        count: bound[side] - listed,
        limit: guardLimit(bound[side]),
        at: ctx.clock.now(),
      });
      return 'halted';
    }
  }
  transact(ctx.db, (tx) => updatePair(tx, view.pair.id, { scanNumber }));
  return await lookForMissing(ctx, view, run, progress, signal);
}

/** [A3] Two catalogues are held against each other by what their numbers mean now. */
async function withUnits(ctx: EngineContext, view: PairView, run: RunRow, signal: AbortSignal): Promise<PairView> {
  for (const side of SIDES) {
    try {
      await watchUnits(ctx, view.stores[side], view.connectors[side], ctx.clock.now(), signal);
    } catch (error) {
      noteReadError(ctx, view.stores[side], asConnectorError(error));
      throw error;
    }
  }
  return loadPairView(ctx, view.pair.id, run.id) ?? view;
}

async function sync(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  progress: RunProgress,
  percent: number,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of productBatches(ctx, subjects, ({ productId }) => productId))
    await syncSubjects(ctx, view, batch, signal);
  // Asked to end: what was left undone is no result. The page is listed again.
  signal.throwIfAborted();
  handOver(ctx, view, subjects);
  progress.record(subjects, 'sync', { progress: percent });
}

async function differing(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  snapshots: readonly ProductSnapshot[],
  progress: RunProgress,
): Promise<readonly ProductSubject[]> {
  const inQuestion = listDeletesInQuestion(ctx.db, view.pair.id);
  const found: ProductSubject[] = [];
  let variants = 0;
  for (const snapshot of snapshots) {
    if (!compare(ctx, view, side, snapshot, inQuestion, progress))
      found.push(makeSubject(ctx, view, { side, externalId: snapshot.externalId }, [side], null));
    variants += snapshot.variants.length;
    if (variants < VARIANTS_PER_TURN) continue;
    await ctx.clock.sleep(0);
    variants = 0;
  }
  return found;
}

/** Whether a record is as it was left. */
function compare(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  snapshot: ProductSnapshot,
  inQuestion: ReadonlySet<string>,
  progress: RunProgress,
): boolean {
  const productId = findProductByExternal(ctx.db, view.pair.id, side, snapshot.externalId);
  const hub = productId === null ? null : loadHub(ctx.db, productId);
  if (hub === null) return false;
  progress.countFields(measureAccuracy(view, hub, side, snapshot));
  if (inQuestion.has(hub.row.id) || !isLevel(view, hub, side, snapshot)) return false;
  // What is to be told, or is told and over, is a matter of the ordinary look.
  if (untoldShort(ctx.db, view, hub).length > 0 || hasFieldDrift(ctx.db, view, hub, side)) return false;
  if (listOpenConflicts(ctx.db, hub.row.id).length > 0) return false;
  if (hasLeftOver(ctx.db, view, hub, side) || isToldUnlike(ctx.db, hub, side)) return false;
  // [M1] Its other half may have been free to join it for a while.
  if (onlySideOf(ctx.db, hub) === side && otherHalf(ctx, view, hub, side, snapshot).is === 'matched') return false;
  if (snapshot.turnsAt !== undefined)
    transactRelaxed(ctx.db, (tx) => lookAtTurns(tx, view, hub.row.id, side, snapshot, ctx.clock.now()));
  if (hasLimits(ctx.db, hub, snapshot))
    transactRelaxed(ctx.db, (tx) => noteLimits(ctx, tx, view, { snapshots: { [side]: snapshot } }, hub));
  if (!progress.hasMet(hub)) progress.countLevel(1);
  return true;
}

/** [L5][P1] Whether a person was told that a record, which is as it should be now, does not fit, or lacks something. */
function isToldUnlike(db: Db, hub: HubState, side: Side): boolean {
  const isSo = (code: string) => code === 'DELETED_ON_TARGET' || UNSYNCABLE_CODES.includes(code);
  return listOpenProblems(db, hub.row.id).some((own) => own.side === side && isSo(own.code));
}
