import { countHidden } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant } from '../../db/readers/hub-rows.ts';
import type { VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import { updateVariant } from '../../db/writers/products.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { countDelta } from './absorb-stock.ts';
import { receivesStock } from './stock-drift.ts';
import type { StockRows } from './stock-subject.ts';

/** [V5] What a removed variant is known to have held as the very record that a side shows again; null: it is another one, or its stock was not kept the same. */
export function baseShownAgain(
  { removedBase }: Pick<VariantRow, 'removedBase'>,
  side: Side,
  { externalId, stock }: Pick<VariantSnapshot, 'externalId' | 'stock'>,
): number | null {
  const isSame = removedBase !== null && removedBase.side === side && removedBase.externalId === externalId;
  return isSame && stock.tracked ? removedBase.quantity : null;
}

/**
 * [V5][S2] Goes on with the stock of a variant that was only hidden, from two fresh readings. False where it has to be linked anew [S7]: a side counts it
 * no more, or has no say in it any more [S11].
 */
export function countShownAgain(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { variant, product, bindings }: StockRows,
  readings: PerSide<StockSnapshot>,
): boolean {
  if (variant.removedBase === null) return false;
  const { woocommerce, shopify } = bindings;
  if (woocommerce === undefined || shopify === undefined || SIDES.some((side) => receivesStock(view, side)))
    return false;
  const deltas = countHidden({ woocommerce: baseIn(woocommerce), shopify: baseIn(shopify) }, readings);
  if (deltas === null) return false;
  updateVariant(tx, variant.id, { stockState: 'live', keptBack: null, removedBase: null });
  const { backorders } = product.data.variants[variant.id] ?? {};
  const label = { title: product.title, sku: variant.sku, backorders };
  // What came in first: nobody has sold what was not there.
  for (const side of [...SIDES].sort((a, b) => deltas[b] - deltas[a])) {
    const row = findVariant(tx, variant.id);
    const binding = bindings[side];
    if (row === null || binding === undefined) continue;
    countDelta(ctx, tx, view, row, binding, deltas[side], readings[side].quantity, label, 'stock_delta');
  }
  return true;
}

function baseIn({ baseQuantity, baseTracked }: VariantBindingRow) {
  return { quantity: baseQuantity, tracked: baseTracked };
}
