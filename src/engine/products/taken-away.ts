import type { Tx } from '../../db/database.ts';
import { closeStockDoubts } from '../../db/writers/history.ts';
import { deleteVariantBinding, updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { setLinked } from '../stock/set-linked.ts';

/**
 * [V4][V5] Takes leave of what a write of ours has put away, so that it doesn't count as that side's own removal. A variant that was added again on the other
 * side while the write was under way is that one's alone now: it begins with the number that it shows there, and is made here anew. Returns the hub
 * as it is then.
 */
export function takeLeave(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  archived: readonly VariantId[],
  snapshot: ProductSnapshot,
): HubState {
  const shown = new Set(snapshot.variants.map(({ externalId }) => externalId));
  const leaving = archived.filter((id) => {
    const binding = hub.variantBindings[side].get(id);
    return binding !== undefined && !shown.has(binding.externalId);
  });
  for (const id of leaving) {
    deleteVariantBinding(tx, id, side);
    const row = hub.variants.get(id);
    const left = hub.variantBindings[otherSide(side)].get(id);
    if (row === undefined || left === undefined || row.stockState === 'removed') continue;
    if (row.stockState !== 'live') setLinked(ctx, tx, view, hub, row, left.baseTracked ? left.baseQuantity : 0);
    updateVariant(tx, id, { stockState: 'live', keptBack: null, removedBase: null });
    closeStockDoubts(tx, hub.row.id, id, ctx.clock.now());
  }
  return leaving.length === 0 ? hub : (loadHub(tx, hub.row.id) ?? hub);
}
