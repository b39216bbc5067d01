import { hideBackorders, keepOptions } from '../../core/hide.ts';
import { canonicalOf } from '../../core/variants.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductFields } from '../../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import { baseOf, type HubState, isBound, knownVariants } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

/** [R17] What a side cannot show. */
export interface Hidden {
  /** Variants of which it shows no rule for backorders. */
  readonly rules: ReadonlySet<VariantId>;
  /** It as it is, where that it has options, or has none, can't be changed there; null: it can. */
  readonly own: CanonicalProduct | null;
}

const NONE: ReadonlySet<VariantId> = new Set();
const NOTHING: Hidden = { rules: NONE, own: null };

/** [R17] A product as this side would show it, but for what is hidden there. */
export function shownOn(view: PairView, side: Side, hidden: Hidden): (product: CanonicalProduct) => CanonicalProduct {
  return (product) => hideIn(view.connectors[side].represent(product), hidden);
}

/** The same of what is as the side shows it. */
export function hideIn(product: CanonicalProduct, { rules, own }: Hidden): CanonicalProduct {
  const hidden = hideBackorders(product, rules);
  return own === null ? hidden : keepOptions(hidden, own);
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

/**
 * [R17] A product of a single variant as a side shows it that can't be rid of its options, or can't be given any, whatever the hub holds. With more
 * variants than one they are what tells them apart. That it has some, or none, since it was last read is an edit like any.
 */
export function fixedOptions(
  view: PairView,
  hub: HubState,
  side: Side,
  own: CanonicalProduct,
  isLone: boolean,
): CanonicalProduct | null {
  if (!isLone || !isFixing(view, side, own)) return null;
  const isEdit = isBound(hub, side) && hasOptions(baseOf(hub, side, view)) !== hasOptions(own);
  return isEdit ? null : own;
}

/** What a reading of this side can't show of a product that we know. */
export function hiddenIn(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): Hidden {
  const { hidesBackorders } = view.connectors[side].capabilities;
  const mayBeFixed = isFixing(view, side, snapshot) && isLone(hub);
  if (!hidesBackorders && !mayBeFixed) return NOTHING;
  const known = knownVariants(hub, side, snapshot);
  return {
    rules: hiddenAmong(view, side, known),
    own: mayBeFixed ? fixedOptions(view, hub, side, canonicalOf(snapshot, known), true) : null,
  };
}

/** [R17] The same of a side that was not read: by what it was last known to show, and not to count. */
export function hiddenOn(view: PairView, hub: HubState, side: Side): Hidden {
  const rows = [...hub.variantBindings[side].values()].filter((row) => !row.baseTracked);
  const { hidesBackorders } = view.connectors[side].capabilities;
  const mayBeFixed =
    isFixing(view, side, hub.bindings[side]?.base ?? hub.row.data) && isLone(hub) && isBound(hub, side);
  return {
    rules: hidesBackorders ? new Set(rows.map((row) => row.variantId)) : NONE,
    own: mayBeFixed ? fixedOptions(view, hub, side, baseOf(hub, side, view), true) : null,
  };
}

/** [R17] That, and with inventory switched off, when nobody notes what is counted, every other variant: a doubt is not held against the side. */
export function maybeHiddenOn(view: PairView, hub: HubState, side: Side): Hidden {
  const hidden = hiddenOn(view, hub, side);
  if (view.settings.syncInventory || !view.connectors[side].capabilities.hidesBackorders) return hidden;
  return { ...hidden, rules: new Set(hub.variantBindings[side].keys()) };
}

/** Whether a side can't be rid of the options that it shows, or, showing none, can't be given any. */
function isFixing(view: PairView, side: Side, own: { readonly fields: ProductFields }): boolean {
  return view.connectors[side].capabilities.loneOptions === (hasOptions(own) ? 'added' : 'kept');
}

function hasOptions({ fields }: { readonly fields: ProductFields }): boolean {
  return fields.optionNames.length > 0;
}

function isLone(hub: HubState): boolean {
  let living = 0;
  for (const { stockState } of hub.variants.values()) if (stockState !== 'removed') living += 1;
  return living === 1;
}
