import { hideBackorders } from '../../core/hide.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import { type HubState, knownVariants } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

const NONE: ReadonlySet<VariantId> = new Set();

/** [R17] A product as this side would show it, where it shows no rule for backorders of what is `hidden`. */
export function shownOn(
  view: PairView,
  side: Side,
  hidden: ReadonlySet<VariantId>,
): (product: CanonicalProduct) => CanonicalProduct {
  return (product) => hideBackorders(view.connectors[side].represent(product), hidden);
}

/** [R17] Variants of which a reading of this side shows no rule for backorders. */
export function hiddenAmong(
  view: PairView,
  side: Side,
  known: ReadonlyMap<VariantId, VariantSnapshot>,
): ReadonlySet<VariantId> {
  if (!view.connectors[side].capabilities.hidesBackorders) return NONE;
  return new Set([...known].filter(([, { stock }]) => !stock.tracked).map(([id]) => id));
}

/** The same for those that we know of a product. */
export function hiddenIn(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): ReadonlySet<VariantId> {
  if (!view.connectors[side].capabilities.hidesBackorders) return NONE;
  return hiddenAmong(view, side, knownVariants(hub, side, snapshot));
}

/** [R17] The same of a side that was not read: what it was last known not to count. */
export function hiddenOn(view: PairView, hub: HubState, side: Side): ReadonlySet<VariantId> {
  if (!view.connectors[side].capabilities.hidesBackorders) return NONE;
  const rows = [...hub.variantBindings[side].values()].filter((row) => !row.baseTracked);
  return new Set(rows.map((row) => row.variantId));
}

/** [R17] Those, and with inventory switched off, when nobody notes what is counted, every other: a doubt is not held against the side. */
export function maybeHiddenOn(view: PairView, hub: HubState, side: Side): ReadonlySet<VariantId> {
  if (view.settings.syncInventory || !view.connectors[side].capabilities.hidesBackorders)
    return hiddenOn(view, hub, side);
  return new Set(hub.variantBindings[side].keys());
}
