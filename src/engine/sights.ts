import { transact } from '../db/database.ts';
import { SIDES, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { loadHub } from './hub.ts';
import { productLock } from './locks.ts';
import type { PairView } from './pair-view.ts';
import { fingerprintOf } from './plan/plan-item.ts';
import type { ProductSubject } from './products/product-subject.ts';

/**
 * What a listing, a search or a witness has just shown. Where another pass (or this one) is at work on one of the records, that pass may have read it
 * before: it is told, or it would write over what we have seen.
 */
export function noteSights(ctx: EngineContext, view: PairView, side: Side, shown: readonly ProductSnapshot[]): void {
  const at = ctx.clock.now();
  for (const snapshot of shown)
    ctx.locks.noteSight(productLock(view.shops[side], snapshot.externalId), { at, snapshot });
}

/** Whether there was a sight of a record since its reading was asked for that shows it otherwise than `seen`. Which of the two is the later nobody knows (a search may lag). */
export function otherSight(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  seen: ProductSnapshot,
  since: number,
): boolean {
  const sight = ctx.locks.sightOf(productLock(view.shops[side], seen.externalId));
  return sight !== undefined && sight.at >= since && !isSame(side, sight.snapshot, seen);
}

/**
 * [G9] A delete is held against its counterpart as that was last seen: where a listing, a search or a witness has shown it otherwise since this pass
 * read it, or at all where this pass did not, both are looked at again at once.
 */
export function waitForSights(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  for (const subject of subjects) {
    const isGone = (side: Side) => subject.gone.has(side) || subject.snapshots[side]?.trashed === true;
    if (!SIDES.some(isGone) || subject.outcome !== null) continue;
    const isOutdated = (side: Side): boolean => {
      const read = subject.snapshots[side];
      return read !== undefined && otherSight(ctx, view, side, read, subject.askedAt[side] ?? 0);
    };
    const unread = SIDES.filter((side) => isSeenUnread(ctx, view, subject, side));
    // [W1] While the machine slept it may have come back. Of what was found by its mark, or is not there, no more is known than when the pass began.
    const isOfBefore = (side: Side) =>
      isGone(side) && (subject.askedAt[side] ?? subject.openedAt) <= ctx.clock.brokenAt();
    if (unread.length === 0 && !SIDES.some((side) => isOutdated(side) || isOfBefore(side))) continue;
    subject.outcome = { type: 'snooze', ms: 0 };
    const { productId } = subject;
    if (unread.length > 0 && productId !== null)
      transact(ctx.db, (tx) =>
        enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: unread }, ctx.clock.now()),
      );
  }
}

/** Shown to somebody while this pass, which has not read it, holds its lock. */
function isSeenUnread(ctx: EngineContext, view: PairView, subject: ProductSubject, side: Side): boolean {
  if (subject.productId === null || subject.snapshots[side] !== undefined || subject.gone.has(side)) return false;
  const externalId = loadHub(ctx.db, subject.productId)?.bindings[side]?.externalId;
  return typeof externalId === 'string' && ctx.locks.sightOf(productLock(view.shops[side], externalId)) !== undefined;
}

/** In everything that a write may meet; stock has writes of its own. */
export function isSame(side: Side, a: ProductSnapshot, b: ProductSnapshot): boolean {
  return fingerprintOf({ [side]: a }) === fingerprintOf({ [side]: b });
}
