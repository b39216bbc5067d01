import { isAreaOn } from '../../core/direction.ts';
import { stockTarget } from '../../core/stock.ts';
import type { SentStock } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { NewVariant } from '../../ports/connector.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { limitedVariants } from '../stock/limited-stock.ts';
import type { ProductSubject } from './product-subject.ts';

/**
 * New variants begin with the hub's stock, tracked as they are on the side that they came from [V3]. What that side does not count and yet does
 * not sell without end begins as counted, with nothing to sell [S13].
 */
export function newVariantsOf(
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  ids: readonly VariantId[],
): readonly NewVariant[] {
  const source = otherSide(side);
  const limited = limitedVariants(subject.snapshots[source]);
  const shown = new Map(subject.snapshots[source]?.variants.map((variant) => [variant.externalId, variant.fields]));
  return ids.flatMap((variantId) => {
    const known = hub.row.data.variants[variantId];
    const row = hub.variants.get(variantId);
    if (known === undefined || row === undefined || row.stockState === 'removed') return [];
    const bound = hub.variantBindings[source].get(variantId);
    // Where it comes from it is not there, so that nobody knows how it is counted.
    if (bound === undefined) return [];
    // [R10] While prices are not kept the same the hub's may be an old one; it is made with the one that it has now.
    const { price } = (isAreaOn('prices', view.settings) ? null : shown.get(bound.externalId)) ?? known;
    const fields = { ...known, price };
    if (limited.has(bound.externalId)) return [{ variantId, fields, stock: { tracked: true, quantity: 0 } }];
    const tracked = bound.baseTracked;
    const quantity = tracked ? stockTarget(row.quantity, fields.backorders, view.settings) : 0;
    return [{ variantId, fields, stock: { tracked, quantity } }];
  });
}

export function stockOf(variants: readonly NewVariant[]): SentStock {
  const stock: Record<VariantId, NewVariant['stock']> = {};
  for (const variant of variants) stock[variant.variantId] = variant.stock;
  return stock;
}
