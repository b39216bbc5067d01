import { mayFollow } from '../../core/direction.ts';
import { sameProductFields, sameVariantFields } from '../../core/same-fields.ts';
import { withoutOff } from '../../core/without-off.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { baseOf, type HubState, isBound, isImplied, knownPart } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { owesStock } from '../stock/owes-stock.ts';
import { isLeftAway } from './left-away.ts';
import { hiddenIn, maybeHiddenOn, shownOn } from './shown.ts';

/** How a record stands to what it was last known to hold: just so; so but for its stock's numbers, as after a sale; or some other way. */
export type Level = 'level' | 'stock' | 'apart';

/** Whether a record shows exactly what it was last known to hold, and nothing waits to be written there. */
export function isLevel(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  return levelOf(view, hub, side, snapshot) === 'level';
}

/** Where it is not 'apart', there is nothing of the record to merge; 'stock': a number differs from its base, or has still to be written. */
export function levelOf(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): Level {
  if (!areFieldsLevel(view, hub, side, snapshot)) return 'apart';
  const shown = new Map(snapshot.variants.map(({ externalId, stock }) => [externalId, stock]));
  const isStockLevel = [...hub.variantBindings[side].values()].every((row) => {
    const stock = shown.get(row.externalId);
    const isKnown = !row.baseTracked || row.baseQuantity === stock?.quantity;
    return isKnown && row.intentKey === null && !owesStock(view, hub, side, row);
  });
  if (isStockLevel) return 'level';
  // [T2] Switched off, nothing is counted, and what one side alone has is met with what it shows.
  return view.settings.syncInventory ? 'stock' : 'apart';
}

/** The same of all but the numbers. Whether an item is counted at all is more than a number. */
function areFieldsLevel(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  const binding = hub.bindings[side];
  if (hub.row.state !== 'live' || binding === undefined || binding.intent !== null || snapshot.unsyncable !== null)
    return false;
  // What another side has still to be given, or whose fate is unknown there, is not level either: its job must go on.
  if (isUnlevel(view, hub)) return false;
  const base = baseOf(hub, side, view);
  if (
    binding.base !== null &&
    !isBaseImplied(hub, side, base, shownOn(view, side, hiddenIn(view, hub, side, snapshot)))
  )
    return false;
  if (!sameProductFields(base.fields, snapshot.fields, false)) return false;
  const bound = hub.variantBindings[side];
  if (snapshot.variants.length !== bound.size) return false;
  const byExternal = new Map([...bound.values()].map((row) => [row.externalId, row]));
  const read = snapshot.sharedOptions === undefined ? null : knownPart(hub, side, snapshot).variants;
  return snapshot.variants.every((variant) => {
    const row = byExternal.get(variant.externalId);
    const known = row === undefined ? undefined : base.variants[row.variantId];
    if (row === undefined || known === undefined || row.baseTracked !== variant.stock.tracked) return false;
    return sameVariantFields(known, read?.[row.variantId] ?? variant.fields);
  });
}

/** Whether a linked record has still something to be written, read back or made on some side, by what is stored of it. */
export function isUnlevel(view: PairView, hub: HubState): boolean {
  return SIDES.some((side) => owesProduct(view, hub, side));
}

/** [R16] What travels on a create only is each side's own, and owed to none. */
function isBaseImplied(
  hub: HubState,
  side: Side,
  base: CanonicalProduct,
  shown: (product: CanonicalProduct) => CanonicalProduct,
): boolean {
  // [V4] What was left here of a variant that was removed on the other side is owed nothing.
  const isLiving = (id: VariantId) => hub.variants.get(id)?.stockState !== 'removed';
  const living = Object.entries(base.variants).filter(([id]) => isLiving(id as VariantId));
  const bound = new Set([...hub.variantBindings[side].keys()].filter(isLiving));
  return isImplied({ ...base, variants: Object.fromEntries(living) }, hub.row.data, bound, shown, false);
}

/** [V3] Whether a record of a side has still to be given variants that the other side has: of that no base tells. */
export function lacksVariants(view: PairView, hub: HubState, side: Side): boolean {
  const here = hub.variantBindings[side];
  if (!isBound(hub, side) || !view.settings.syncProducts || !mayFollow(side, view.settings)) return false;
  const missing = [...hub.variantBindings[otherSide(side)].keys()].filter(
    (id) => !here.has(id) && hub.variants.get(id)?.stockState !== 'removed',
  );
  if (missing.length === 0) return false;
  const shown = view.connectors[side].represent(hub.row.data);
  return missing.some((id) => shown.variants[id] !== undefined);
}

/** Whether a side has still to be written, read back or made. */
export function owesProduct(view: PairView, hub: HubState, side: Side): boolean {
  const binding = hub.bindings[side];
  if (binding !== undefined) {
    if (binding.intent !== null) return true;
    if (!mayFollow(side, view.settings)) return false;
    // [A3] While the two count prices otherwise, nothing is made.
    if (lacksVariants(view, hub, side) && otherPrices(view) === null) return true;
    if (binding.base === null) return false;
    const shown = shownOn(view, side, maybeHiddenOn(view, hub, side));
    // What differs only by what can't be written there is not owed; but for the status, which then stands for the bin.
    const { fields, variants } = shown(binding.base);
    const { status } = isLeftAway(hub.row, side) ? shown(hub.row.data).fields : binding.base.fields;
    const known = withoutOff({ fields: { ...fields, status }, variants }, () => shown(hub.row.data), view.settings);
    return !isBaseImplied(hub, side, known, shown);
  }
  const isMade = view.settings.createOn[side] && view.settings.syncProducts && mayFollow(side, view.settings);
  return isMade && hub.row.state === 'live';
}
