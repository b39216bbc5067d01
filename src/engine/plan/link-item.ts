import { findProductByExternal } from '../../db/readers/products.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { PlanItemRow } from '../../db/schema/run.ts';
import { type PerSide, SIDES } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { HaltSignal } from '../guard.ts';
import type { PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { makeSubject, type ProductSubject } from '../products/product-subject.ts';
import { storeSubject } from '../products/store-subject.ts';
import { sidesOf } from './since-planned.ts';

/** Makes the hub record and its bindings from what was read, in one transaction, without any write to a store. */
export function linkItem(
  ctx: EngineContext,
  view: PairView,
  item: PlanItemRow,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): ProductSubject | null {
  const side = sidesOf(snapshots)[0];
  const first = side === undefined ? undefined : snapshots[side];
  if (side === undefined || first === undefined) return null;
  const bound = SIDES.map((each) => {
    const snapshot = snapshots[each];
    return snapshot === undefined ? null : findProductByExternal(ctx.db, view.pair.id, each, snapshot.externalId);
  }).find((id) => id !== null);
  const subject = makeSubject(
    ctx,
    view,
    bound ? { productId: bound } : { side, externalId: first.externalId },
    [],
    null,
  );
  if (bound) return subject;
  for (const each of SIDES) {
    const snapshot = snapshots[each];
    if (snapshot !== undefined) subject.snapshots[each] = snapshot;
  }
  try {
    // The disk is waited for once a chunk, when the run's cursor moves on: until then the chunk would be linked anew.
    transactRelaxed(ctx.db, (tx) => storeSubject(ctx, tx, view, subject, { plansWrites: false }));
  } catch (error) {
    if (!(error instanceof HaltSignal)) throw error;
    haltPair(ctx, view.pair.id, error.halt);
    return null;
  }
  subject.result = item.action === 'link' ? 'unchanged' : 'skipped';
  return subject;
}
