import { isAnotherRecord } from '../../core/another-record.ts';
import { isFieldOn } from '../../core/is-field-on.ts';
import type { Db, Tx } from '../../db/database.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { baseOf, type HubState, isBound, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { acceptGone } from './handle-gone.ts';
import { makeSubject, type ProductSubject } from './product-subject.ts';
import { hasFieldDrift } from './store-drift.ts';

/** [V6] Whether a reading of a bound record shows another one, which has been given its id. */
function isReused(db: Db, view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  const binding = hub.bindings[side];
  if (binding?.externalId !== snapshot.externalId || snapshot.trashed) return false;
  // [R10][R11] Where the base waits, what it differs in may have been edited long ago.
  if (!isFieldOn('title', view.settings) || hasFieldDrift(db, view, hub, side)) return false;
  const mark = { pairId: view.pair.id, hubId: hub.row.id };
  return isAnotherRecord({ base: () => baseOf(hub, side, view), madeAt: binding.madeAt, mark }, snapshot);
}

/** [V6] What was read of another record is nothing of the one that was asked for: that one is gone. */
export function setReusedApart(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  for (const subject of subjects) {
    const hub = subject.productId === null || subject.outcome !== null ? null : loadHub(ctx.db, subject.productId);
    for (const side of SIDES) {
      const snapshot = subject.snapshots[side];
      if (hub === null || snapshot === undefined || !isReused(ctx.db, view, hub, side, snapshot)) continue;
      delete subject.snapshots[side];
      subject.gone.add(side);
      subject.reused.set(side, snapshot.externalId);
    }
  }
}

/**
 * [V6] People move the date of a product, and its address: what it is compared with is what was read last, also where nothing of it is merged. While the
 * date is another than the one that we know, no reading of its stock counts. Returns the record as it stands then.
 */
export function noteMade(
  tx: Tx,
  view: PairView,
  hub: HubState,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): HubState {
  let isMoved = false;
  for (const side of SIDES) {
    const [snapshot, binding] = [snapshots[side], hub.bindings[side]];
    if (snapshot?.madeAt === undefined || binding?.externalId !== snapshot.externalId) continue;
    const { madeAt } = snapshot;
    const { handle } = snapshot.fields;
    // Of what lies in the bin WordPress has changed the address.
    const isHandleKnown = snapshot.trashed || (binding.base ?? hub.row.data).fields.handle === handle;
    const base = isHandleKnown ? null : baseOf(hub, side, view);
    if (madeAt === binding.madeAt && (base === null || base.fields.handle === handle)) continue;
    isMoved = true;
    const moved = base === null ? {} : { base: { ...base, fields: { ...base.fields, handle } } };
    updateProductBinding(tx, hub.row.id, side, { madeAt, ...moved });
  }
  return isMoved ? (loadHub(tx, hub.row.id) ?? hub) : hub;
}

/** [V6] Who has been given the id of a record that is gone by now is looked at as what it is. */
export function lookAtReused(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject): void {
  const hub = subject.productId === null ? null : loadHub(tx, subject.productId);
  for (const [side, externalId] of subject.reused)
    if (hub !== null && !isBound(hub, side))
      enqueueProductSync(tx, view.pair.id, { ref: { side, externalId }, observe: [side] }, ctx.clock.now());
}

/**
 * [V6] A record that we have made was given an id by its shop under which we know another: that one is gone. False where another pass is at work on that
 * one: nothing is stored then.
 */
export function endReused(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  productId: ProductId,
  side: Side,
  externalId: string,
): boolean {
  const owner = findProductByExternal(tx, view.pair.id, side, externalId);
  if (owner === null || owner === productId) return true;
  const release = ctx.locks.tryAcquire([`hub:${owner}`]);
  if (release === null) return false;
  try {
    const hub = loadHub(tx, owner);
    if (hub === null) return true;
    const ref = { productId: owner };
    const subject = makeSubject(ctx, view, ref, [], null);
    subject.gone.add(side);
    subject.reused.set(side, externalId);
    acceptGone(ctx, tx, view, subject, hub, side);
    enqueueProductSync(tx, view.pair.id, { ref, observe: [otherSide(side)] }, ctx.clock.now());
    return true;
  } finally {
    release();
  }
}
