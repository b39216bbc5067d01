import { step } from '../../db/database.ts';
import { isPairHeld } from '../../db/readers/pairs.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { PairId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { Halt } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { HaltSignal } from '../guard.ts';
import { isBound, loadHub } from '../hub.ts';
import { LOCK_WAIT_MS, LOOK_AGAIN_MS } from '../locks.ts';
import { findCounterparts } from '../matching/find-counterparts.ts';
import { lookBeforeCreate } from '../matching/look-before-create.ts';
import { lookForMark } from '../matching/look-for-mark.ts';
import { DONE } from '../outcome.ts';
import { endOfPass, held, loadPairView, type PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { waitForSights } from '../sights.ts';
import { joinedSides } from '../stock/joined-sides.ts';
import { goOnWithoutStock } from '../stock/known-stock.ts';
import { confirmUnits } from '../stores/confirm-units.ts';
import { waitForRoom } from '../stores/wait-for-room.ts';
import { decideSubject } from './decide-subject.ts';
import { givenNow } from './given-variants.ts';
import { observeProducts, proveGone } from './observe-products.ts';
import { productBatches } from './product-batches.ts';
import {
  alsoCount,
  knownProduct,
  lockSubject,
  type ProductSubject,
  releaseSubject,
  subjectOfJob,
} from './product-subject.ts';
import { type ProductPush, pushProducts } from './push-products.ts';
import { setReusedApart } from './reused-id.ts';
import { settleProductIntents } from './settle-products.ts';
import { asKnown, storeSubject } from './store-subject.ts';
import { variantsToArchive } from './variants-to-archive.ts';

/** The job: brings up to a batch of products level. */
export async function syncProducts(
  ctx: EngineContext,
  pairId: PairId,
  jobs: readonly ClaimedJob[],
  signal: AbortSignal,
): Promise<readonly JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const batch of productBatches(ctx, jobs, (job) => knownProduct(ctx, pairId, job)))
    outcomes.push(...(await syncBatch(ctx, pairId, batch, signal)));
  return outcomes;
}

async function syncBatch(
  ctx: EngineContext,
  pairId: PairId,
  jobs: readonly ClaimedJob[],
  signal: AbortSignal,
): Promise<readonly JobOutcome[]> {
  const view = loadPairView(ctx, pairId);
  if (view === null) return jobs.map(() => ({ type: 'cancel', reason: 'the pair is gone' }));
  const isUnlinked = view.pair.status === 'setup';
  if (isPairHeld(ctx.db, pairId)) return jobs.map(() => held(ctx));
  const subjects = jobs.map((job) => subjectOfJob(ctx, view, job));
  if (isUnlinked) {
    // [W4] Its link was given up half way: what was sent is settled, so that the next plan knows of it, and nothing else is done.
    for (const subject of subjects)
      if (!hasOpenIntent(ctx, subject)) subject.outcome = { type: 'cancel', reason: 'the pair is not linked' };
  }
  await syncSubjects(ctx, view, subjects, signal, { plansWrites: !isUnlinked });
  return subjects.map((subject) => subject.outcome ?? DONE);
}

/**
 * One pass over products: settle open intents, read the sides that may have moved, find out which other sides would have to be
 * written and read those too, then store everything in one transaction - hub, bases, history, conflicts, stock, intents - and only then write.
 */
export async function syncSubjects(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
  options: { readonly plansWrites: boolean } = { plansWrites: true },
): Promise<void> {
  try {
    claimAll(ctx, view, subjects);
    await settleProductIntents(ctx, view, subjects, signal);
    await observeProducts(ctx, view, subjects, signal);
    setReusedApart(ctx, view, subjects);
    await findCounterparts(ctx, view, subjects, signal);
    goOnWithoutStock(ctx, view, subjects);
    const followers = subjects.filter((subject) => mustReadFollowers(ctx, view, subject));
    if (followers.length > 0) await observeProducts(ctx, view, followers, signal);
    setReusedApart(ctx, view, followers);
    await proveGone(ctx, view, subjects, signal);
    waitForRoom(ctx, view, subjects);
    await lookBeforeCreate(ctx, view, subjects, signal);
    await lookForMark(ctx, view, subjects, signal);
    await confirmUnits(ctx, view, subjects, signal);
    goOnWithoutStock(ctx, view, subjects);
    // The last thing before what was decided is stored: what is shown until then counts.
    waitForSights(ctx, view, subjects);

    const pushes = storeAll(ctx, view, subjects, options);
    for (const subject of subjects) {
      subject.releaseStock?.();
      subject.releaseStock = null;
    }
    await pushProducts(ctx, view, pushes, signal);
  } catch (error) {
    if (!(error instanceof HaltSignal)) throw error;
    haltPair(ctx, view.pair.id, error.halt);
    for (const subject of subjects) subject.outcome ??= held(ctx);
  } finally {
    for (const subject of subjects) releaseSubject(subject);
  }
}

/**
 * What was read of all of them, in one transaction. [G1] What the guard stops at is not touched, what went before it stays: were all of it
 * undone, two kinds of harm in one batch would stop each other for ever, however often a person lets one of them pass.
 */
function storeAll(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  options: { readonly plansWrites: boolean },
): readonly ProductPush[] {
  let halt: Halt | null = null as Halt | null;
  // The disk is waited for when the writes are marked as sent, before anything leaves; undone by a power cut, the jobs are still there.
  const pushes = transactRelaxed(ctx.db, (tx) => {
    const list: ProductPush[] = [];
    const end = endOfPass(ctx, view);
    for (const subject of subjects) {
      if (subject.outcome !== null) continue;
      if (end !== null || halt !== null) {
        subject.outcome = end ?? held(ctx);
        continue;
      }
      try {
        list.push(...step(tx, () => storeSubject(ctx, tx, view, subject, options)));
      } catch (error) {
        if (!(error instanceof HaltSignal)) throw error;
        halt = error.halt;
        subject.outcome = held(ctx);
      }
    }
    return list;
  });
  if (halt !== null) haltPair(ctx, view.pair.id, halt);
  return pushes;
}

/** Two jobs may lead to one record; the second waits for the first. */
function claimAll(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  for (const subject of subjects) {
    if (subject.outcome !== null) continue;
    if (!lockSubject(ctx, view, subject))
      subject.outcome = { type: 'snooze', ms: subject.job === null ? LOOK_AGAIN_MS : LOCK_WAIT_MS };
  }
}

function hasOpenIntent(ctx: EngineContext, subject: ProductSubject): boolean {
  const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
  return SIDES.some((side) => hub?.bindings[side]?.intent);
}

/**
 * Whether what was read would make us write a side that was not read in this pass: it is read just before, so that an edit made
 * there meanwhile is merged and not trampled.
 */
function mustReadFollowers(ctx: EngineContext, view: PairView, subject: ProductSubject): boolean {
  if (subject.outcome !== null || subject.productId === null) return false;
  const hub = loadHub(ctx.db, subject.productId);
  if (hub === null) return false;
  // A record that has just joined: what it joined is read as well.
  const isUnread = (side: Side) =>
    subject.observe.has(side) && isBound(hub, side) && !subject.snapshots[side] && !subject.gone.has(side);
  if (subject.unknown !== null && SIDES.some(isUnread)) return true;
  if (asKnown(ctx.db, view, hub, subject) !== 'apart') return false;
  // A record that goes, or comes back, moves its counterpart's status: that is read first too.
  const isStatusMoving =
    hub.row.state === 'deleted' ||
    subject.gone.size > 0 ||
    SIDES.some((side) => subject.snapshots[side]?.trashed === true);
  const decision = decideSubject(ctx, view, hub, subject);
  let isNeeded = false;
  for (const side of SIDES) {
    if (!isBound(hub, side) || subject.snapshots[side] !== undefined || subject.gone.has(side)) continue;
    const write = decision.reconciliation.sides[side]?.write;
    const leaving = decision.matches[otherSide(side)]?.missing ?? [];
    if (!write && !isStatusMoving && variantsToArchive(view, hub, side, leaving).length === 0) continue;
    subject.observe.add(side);
    isNeeded = true;
  }
  if (!view.settings.syncInventory) return isNeeded;
  const given = givenNow(view, hub, subject.snapshots).map(({ side }) => side);
  for (const side of new Set([...joinedSides(hub, decision), ...given])) {
    if (subject.counted.has(side) || subject.gone.has(side)) continue;
    if (!alsoCount(ctx, view, subject, hub, side)) return false;
    isNeeded = true;
    subject.observe.add(side);
    // Read before its stock was locked, if at all.
    delete subject.snapshots[side];
  }
  return isNeeded;
}
