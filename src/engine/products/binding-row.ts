import type { VariantBindingRow } from '../../db/schema/product.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
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
