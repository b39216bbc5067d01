import { BY_CODE, pairUp } from '../../core/variants.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { Replaced } from './replaced-variants.ts';
import { variantsToArchive } from './variants-to-archive.ts';

/**
 * [V5] What was left on a side of removed variants, and was given the SKU or GTIN of one that is missing there, or the other way round: it is that
 * one's from now on. A key that two bear is nobody's. What is to be put away is not asked, and while a variant's own create
 * has no answer nothing else is recognised as it (W5).
 */
export function givenVariants(
  view: PairView,
  hub: HubState,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): readonly Replaced[] {
  if (hub.row.state !== 'live') return [];
  return SIDES.flatMap((side) => {
    const snapshot = snapshots[side];
    if (snapshot === undefined || snapshot.trashed) return [];
    const away = new Set(variantsToArchive(view, hub, side));
    const left = new Map<string, VariantId>();
    for (const { variantId, externalId } of hub.variantBindings[side].values())
      if (hub.variants.get(variantId)?.stockState === 'removed' && !away.has(externalId))
        left.set(externalId, variantId);
    if (left.size === 0) return [];
    const missing = missingOn(hub, side);
    if (missing.size === 0) return [];
    const shown = snapshot.variants.map((variant) => ({ item: variant, fields: variant.fields }));
    return [...pairUp(shown, livingOf(hub), BY_CODE)].flatMap(([{ externalId, fields }, id]) => {
      const from = left.get(externalId);
      if (from === undefined || !missing.has(id)) return [];
      return isShownSo(hub, otherSide(side), id, snapshots, fields) ? [{ side, id: from, isGiven: true }] : [];
    });
  });
}

/** Living variants that the other side alone has, and of which nothing is under way. */
function missingOn(hub: HubState, side: Side): ReadonlySet<VariantId> {
  const sent = hub.bindings[side]?.intent?.stock ?? {};
  const theirs = [...hub.variantBindings[otherSide(side)].keys()];
  return new Set(theirs.filter((id) => isLiving(hub, id) && !hub.variantBindings[side].has(id) && !sent[id]));
}

function livingOf(hub: HubState) {
  const all = Object.entries(hub.row.data.variants) as [VariantId, VariantFields][];
  return all.flatMap(([id, fields]) => (isLiving(hub, id) ? [{ item: id, fields }] : []));
}

/** Whether the missing one is there and bears that key still, where it was read: what has just been given another one is known by that from the next pass on. */
function isShownSo(
  hub: HubState,
  side: Side,
  id: VariantId,
  snapshots: Partial<PerSide<ProductSnapshot>>,
  left: VariantFields,
): boolean {
  const bound = hub.variantBindings[side].get(id)?.externalId;
  const shown = snapshots[side]?.variants.find(({ externalId }) => externalId === bound)?.fields;
  if (shown === undefined) return snapshots[side] === undefined;
  return BY_CODE.some((keyOf) => keyOf(left) !== null && keyOf(left) === keyOf(shown));
}

const isLiving = (hub: HubState, id: VariantId) => hub.variants.get(id)?.stockState !== 'removed';
