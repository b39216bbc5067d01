import { isAreaOn } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
} from '../../core/fields.ts';
import { stockTarget } from '../../core/stock.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import { type HubState, isBound, knownPart } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { hiddenIn, shownOn } from '../products/shown.ts';

export interface Measured {
  readonly compared: number;
  readonly equal: number;
}

/**
 * Of the fields that this pair keeps the same, how many a fresh reading of one side shows as they should be there. Read before
 * anything is put right, and held against the hub: what was last written proves nothing.
 */
export function measureAccuracy(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): Measured {
  if (hub.row.state !== 'live' || !isBound(hub, side) || snapshot.trashed || snapshot.unsyncable !== null)
    return { compared: 0, equal: 0 };
  const shown = shownOn(view, side, hiddenIn(view, hub, side, snapshot))(hub.row.data);
  const tally = { compared: 0, equal: 0 };
  const count = (isEqual: boolean): void => {
    tally.compared += 1;
    if (isEqual) tally.equal += 1;
  };
  for (const name of PRODUCT_FIELD_NAMES) {
    const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
    if (isKept(view, spec)) count(spec.same(shown.fields[name], snapshot.fields[name]));
  }
  const read = knownPart(hub, side, snapshot).variants;
  const found = new Map(snapshot.variants.map((variant) => [variant.externalId, variant]));
  for (const [id, binding] of hub.variantBindings[side]) {
    const fields = shown.variants[id];
    if (fields === undefined || hub.variants.get(id)?.stockState === 'removed') continue;
    const remote = found.get(binding.externalId);
    for (const name of VARIANT_FIELD_NAMES) {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      if (isKept(view, spec)) count(read[id] !== undefined && spec.same(fields[name], read[id][name]));
    }
    if (isCounted(view, hub, side, binding)) count(hasStock(view, hub, binding, fields, remote));
  }
  return tally;
}

function isKept(view: PairView, spec: FieldSpec<unknown>): boolean {
  return spec.kind !== 'create_only' && isAreaOn(spec.area, view.settings);
}

function isCounted(view: PairView, hub: HubState, side: Side, binding: VariantBindingRow): boolean {
  const other = hub.variantBindings[otherSide(side)].get(binding.variantId);
  return (
    view.settings.syncInventory &&
    hub.variants.get(binding.variantId)?.stockState === 'live' &&
    binding.baseTracked &&
    other?.baseTracked === true
  );
}

function hasStock(
  view: PairView,
  hub: HubState,
  binding: VariantBindingRow,
  fields: VariantFields,
  remote: VariantSnapshot | undefined,
): boolean {
  const target = stockTarget(hub.variants.get(binding.variantId)?.quantity ?? 0, fields.backorders, view.settings);
  return remote?.stock.tracked === true && remote.stock.quantity === target;
}
