import type { Tx } from '../../db/database.ts';
import { findVariantBindingByExternal } from '../../db/readers/products.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import { deleteVariantBinding, upsertVariantBinding } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

/** What a side's variant is known by from now on, at rest. */
export function bindingRow(
  view: PairView,
  hub: HubState,
  side: Side,
  id: VariantId,
  variant: { readonly externalId: string; readonly stockId: string },
  base: { readonly tracked: boolean; readonly quantity: number },
): VariantBindingRow {
  return {
    variantId: id,
    side,
    productId: hub.row.id,
    pairId: view.pair.id,
    storeId: view.stores[side].id,
    externalId: variant.externalId,
    stockId: variant.stockId,
    baseQuantity: base.quantity,
    baseTracked: base.tracked,
    intentFrom: null,
    intentTo: null,
    intentKey: null,
    intentSentAt: null,
    fencedUntil: null,
    provisional: 0,
  };
}

/** [V6] Who was known by its id before has no record there any more: the shop gave it out again, and the other's product is looked at. */
export function bindItem(tx: Tx, row: VariantBindingRow, at: number): void {
  const owner = findVariantBindingByExternal(tx, row.pairId, row.side, row.externalId);
  if (owner !== null && owner.variantId !== row.variantId) {
    deleteVariantBinding(tx, owner.variantId, row.side);
    enqueueProductSync(tx, row.pairId, { ref: { productId: owner.productId }, observe: SIDES }, at);
  }
  upsertVariantBinding(tx, row);
}
