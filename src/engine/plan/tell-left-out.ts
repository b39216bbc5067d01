import { findProductByExternal } from '../../db/readers/products.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { PlanItemRow } from '../../db/schema/run.ts';
import { findObservation } from '../../db/writers/observations.ts';
import { otherSide, type PerSide, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { loadHub } from '../hub.ts';
import { tellAmbiguous } from '../matching/ambiguous.ts';
import { tellNamesake } from '../matching/namesakes.ts';
import type { PairView } from '../pair-view.ts';
import { linkItem } from './link-item.ts';
import { fingerprintOf } from './plan-item.ts';
import { BY_TITLE, planRecord } from './plan-record.ts';
import { hasCounterpart } from './since-planned.ts';

/**
 * What a plan leaves alone and a person has to see to is a problem once the plan is applied. What is only not made in the other shop is known from then
 * on, as what one shop alone has: it is found when the other one gets it, or when a SKU is corrected [M1]. `scanId`: of the listing that it is applied by.
 */
export function tellLeftOut(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  item: PlanItemRow,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): void {
  const { side, reason, isRefused } = item.data;
  if (side === null) return;
  if (item.action === 'ambiguous' && reason === BY_TITLE) {
    leaveNamesakes(ctx, view, scanId, item, side, snapshots);
    return;
  }
  if (item.action === 'ambiguous') {
    const snapshot = snapshots[side];
    if (snapshot === undefined) return;
    const { externalId } = snapshot;
    if (findProductByExternal(ctx.db, view.pair.id, side, externalId) !== null) return;
    // Somebody may have made its keys unique since the plan was made.
    const isAmbiguous = planRecord(ctx, view, scanId, side, snapshot, () => {})?.action === 'ambiguous';
    const { candidates = [] } = item.data;
    const rivals = candidates.flatMap(
      (one) => findProductByExternal(ctx.db, view.pair.id, one.side, one.externalId) ?? [],
    );
    const partner = candidates.find((one) => one.side !== side)?.title;
    transactRelaxed(ctx.db, (tx) => {
      if (isAmbiguous) tellAmbiguous(ctx, tx, view, { productId: null, side, snapshot, rivals, partner }, reason);
      else enqueueProductSync(tx, view.pair.id, { ref: { side, externalId }, observe: [side] }, ctx.clock.now());
    });
    return;
  }
  const source = otherSide(side);
  const externalId = source === 'woocommerce' ? item.woocommerceId : item.shopifyId;
  if (externalId === null) return;
  if (isRefused !== true && isStill(ctx, view, scanId, item, snapshots)) {
    linkItem(ctx, view, item, snapshots);
    return;
  }
  // [B12] What is refused is tried by itself, which makes it a problem until somebody mends it.
  transactRelaxed(ctx.db, (tx) =>
    enqueueProductSync(tx, view.pair.id, { ref: { side: source, externalId }, observe: [source] }, ctx.clock.now()),
  );
}

/** Whether the other shop still has nothing like it, and it is what it was when the plan was made. */
function isStill(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  item: PlanItemRow,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): boolean {
  return fingerprintOf(snapshots) === item.fingerprint && !hasCounterpart(ctx, view, scanId, snapshots);
}

/** [M1] It and its namesakes are known from then on as what one shop alone has: whatever of them moves, the others are found by it. */
function leaveNamesakes(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  item: PlanItemRow,
  side: Side,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): void {
  const snapshot = snapshots[side];
  if (snapshot === undefined) return;
  // Somebody may have given it a key or another title since the plan was made.
  const now = planRecord(ctx, view, scanId, side, snapshot, () => {});
  const isStillSo = now?.action === 'ambiguous' && now.data.reason === BY_TITLE;
  for (const { side: other, externalId } of isStillSo ? (now.data.candidates ?? []) : []) {
    const namesake = findObservation(ctx.db, scanId, other, externalId);
    if (namesake !== null) linkItem(ctx, view, item, { [other]: namesake });
  }
  const productId = isStillSo ? linkItem(ctx, view, item, { [side]: snapshot })?.productId : null;
  const hub = productId == null ? null : loadHub(ctx.db, productId);
  const ref = { side, externalId: snapshot.externalId };
  transactRelaxed(ctx.db, (tx) => {
    if (hub !== null) tellNamesake(ctx, tx, view, hub.row, otherSide(side));
    else enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, ctx.clock.now());
  });
}
