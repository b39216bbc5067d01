import { mayFollow } from '../../core/direction.ts';
import { isDrafting } from '../../core/safety.ts';
import { stockTarget } from '../../core/stock.ts';
import type { ProductRow, VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { BackorderRule } from '../../model/product.ts';
import { baseOf, type HubState, isBound } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

/** Stock that goes on as soon as both sides are read in one pass: out of a backup [S14], or to be linked anew [S7]. */
export const isWaitingForBoth = (state: VariantRow['stockState']): boolean =>
  state === 'restored' || state === 'relinking';

/** [S2][G8] Whether a product was deleted on the other side and was put away for it nowhere: this one goes on selling. */
export function sellsAlone({ state, deletedOn, priorStatus }: ProductRow, side: Side): boolean {
  return state === 'deleted' && deletedOn === otherSide(side) && priorStatus === null;
}

/** [S2] The same of one that was to be put away for it and is on sale still: that was refused, or is on its way. */
export function goesOnSelling(view: PairView, hub: HubState, side: Side): boolean {
  if (sellsAlone(hub.row, side)) return true;
  if (hub.row.state !== 'deleted' || hub.row.deletedOn !== otherSide(side) || !isBound(hub, side)) return false;
  return isDrafting(baseOf(hub, side, view).fields.status, 'archived');
}

/**
 * [S2][V4] Whether a variant that was removed on the other side shows more here than there was: what was sold before, counted and not written yet. Nothing
 * else of it is kept the same any more.
 */
export function showsTooMany(
  view: PairView,
  { quantity, stockState }: Pick<VariantRow, 'quantity' | 'stockState'>,
  { baseTracked, baseQuantity }: VariantBindingRow,
  backorders: BackorderRule,
): boolean {
  if (stockState !== 'removed' || !baseTracked || quantity >= baseQuantity) return false;
  return stockTarget(quantity, backorders, view.settings) < baseQuantity;
}

/** [S3] Whether a side still has to be given another stock number than it is known to hold. */
export function owesStock(view: PairView, hub: HubState, side: Side, row: VariantBindingRow): boolean {
  const variant = hub.variants.get(row.variantId);
  const other = hub.variantBindings[otherSide(side)].get(row.variantId);
  const isAlone = goesOnSelling(view, hub, side);
  if (!view.settings.syncInventory || variant === undefined) return false;
  const backorders = hub.row.data.variants[row.variantId]?.backorders ?? 'no';
  const isReceiver = view.settings.stockTwoWay || mayFollow(side, view.settings);
  if (variant.stockState === 'removed') return isReceiver && showsTooMany(view, variant, row, backorders);
  if (other === undefined && !isAlone) return false;
  if (variant.stockState !== 'live') return isWaitingForBoth(variant.stockState);
  if (!row.baseTracked || other?.baseTracked === false || !isReceiver) return false;
  // [S2] Only what it shows too many of.
  if (isAlone && variant.quantity >= row.baseQuantity) return false;
  return row.baseQuantity !== stockTarget(variant.quantity, backorders, view.settings);
}
