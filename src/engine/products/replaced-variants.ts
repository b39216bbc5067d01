import { pairUp, readUnder } from '../../core/variants.ts';
import type { Tx } from '../../db/database.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { recordChange } from '../../db/writers/history.ts';
import { deleteVariantBinding, updateProductBinding, updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { wakeClaimants } from '../wake-claimants.ts';

/** A variant whose record of a side is gone while another one there bears its key. */
export interface Replaced {
  readonly side: Side;
  readonly id: VariantId;
  /** Its record there goes on as another one's (`givenVariants`). */
  readonly isGiven?: true;
}

/**
 * [V5] Variants that were deleted and added again since they were last read, as an import or "generate variations" does with all of a product: they
 * are removed and come back in one pass. Only those that the other side has as well: where nothing is left, the new one is just new.
 */
export function replacedVariants(hub: HubState, snapshots: Partial<PerSide<ProductSnapshot>>): readonly Replaced[] {
  return SIDES.flatMap((side) => {
    const snapshot = snapshots[side];
    const bound = hub.variantBindings[side];
    if (snapshot === undefined || snapshot.trashed) return [];
    const shown = new Set(snapshot.variants.map(({ externalId }) => externalId));
    const gone = new Set(
      [...bound.values()].flatMap(({ variantId, externalId }) =>
        !shown.has(externalId) && hub.variants.get(variantId)?.stockState !== 'removed' ? [variantId] : [],
      ),
    );
    if (gone.size === 0) return [];
    const other = otherSide(side);
    const left = presentOn(hub, other, snapshots[other]);
    for (const id of gone) if (!left.has(id)) gone.delete(id);
    if (gone.size === 0) return [];
    const known = new Set([...bound.values()].map(({ externalId }) => externalId));
    // Whoever may be recognised by the same keys takes part: a key that two bear is nobody's. A removed one of which nothing is left bears none.
    const isAsked = ({ id, stockState }: VariantRow) => !bound.has(id) && (stockState !== 'removed' || left.has(id));
    const waiting = [...hub.variants.values()].flatMap((row) => (gone.has(row.id) || isAsked(row) ? [row.id] : []));
    const pairs = pairUp(
      readUnder(
        hub.row.data.fields.optionNames,
        snapshot,
        snapshot.variants.filter(({ externalId }) => !known.has(externalId)),
      ),
      waiting.flatMap((id) => {
        const fields = hub.row.data.variants[id];
        return fields === undefined ? [] : [{ item: id, fields }];
      }),
    );
    return [...pairs.values()].flatMap((id) => (gone.has(id) ? [{ side, id }] : []));
  });
}

/**
 * Variants that a side has: those that are bound there, and those that this reading shows there for the first time (of a create without an answer). What
 * was removed and is in neither shop any more is not shown by what bears its key.
 */
function presentOn(hub: HubState, side: Side, snapshot: ProductSnapshot | undefined): ReadonlySet<VariantId> {
  const bound = hub.variantBindings[side];
  const present = new Set(bound.keys());
  if (snapshot === undefined || snapshot.trashed) return present;
  const known = new Set([...bound.values()].map(({ externalId }) => externalId));
  const loose = readUnder(
    hub.row.data.fields.optionNames,
    snapshot,
    snapshot.variants.filter(({ externalId }) => !known.has(externalId)),
  );
  const isAsked = ({ id, stockState }: VariantRow) =>
    !present.has(id) && (stockState !== 'removed' || hub.variantBindings[otherSide(side)].has(id));
  const waiting = [...hub.variants.values()].flatMap((row) => {
    const fields = isAsked(row) ? hub.row.data.variants[row.id] : undefined;
    return fields === undefined ? [] : [{ item: row.id, fields }];
  });
  for (const id of loose.length === 0 ? [] : pairUp(loose, waiting).values()) present.add(id);
  return present;
}

/** The hub as it is once they are removed. */
export function withoutReplaced(hub: HubState, replaced: readonly Replaced[]): HubState {
  if (replaced.length === 0) return hub;
  const variants = new Map(hub.variants);
  const variantBindings = {
    woocommerce: new Map(hub.variantBindings.woocommerce),
    shopify: new Map(hub.variantBindings.shopify),
  };
  const bindings = { ...hub.bindings };
  for (const { side, id } of replaced) {
    const row = variants.get(id);
    if (row !== undefined) variants.set(id, { ...row, stockState: 'removed' });
    variantBindings[side].delete(id);
    const binding = bindings[side];
    if (binding?.base) bindings[side] = { ...binding, base: withoutVariant(binding.base, id) };
  }
  return { ...hub, variants, variantBindings, bindings };
}

/** Stores that they were removed; the decision brings them back (`reviveVariant`). */
export function dropReplaced(
  tx: Tx,
  view: PairView,
  hub: HubState,
  replaced: readonly Replaced[],
  at: number,
): HubState {
  if (replaced.length === 0) return hub;
  const after = withoutReplaced(hub, replaced);
  for (const side of SIDES)
    if (after.bindings[side]?.base !== hub.bindings[side]?.base)
      updateProductBinding(tx, hub.row.id, side, { base: after.bindings[side]?.base ?? null });
  for (const { side, id, isGiven } of replaced) {
    const row = hub.variants.get(id);
    // [M3] What it was found by there may be another's by now.
    if (isGiven && row !== undefined)
      wakeClaimants(tx, view.pair.id, { productId: hub.row.id, side, keys: searchKeys(row) }, at);
    updateVariant(tx, id, { stockState: 'removed' });
    deleteVariantBinding(tx, id, side);
    recordChange(tx, {
      ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: id, field: 'deleted' },
      // No harm that the guard counts: it is there again.
      ...{ origin: side, target: null, from: false, to: true, cause: isGiven ? 'joined' : 'gone', at },
    });
  }
  return loadHub(tx, hub.row.id) ?? after;
}

function withoutVariant(base: CanonicalProduct, id: VariantId): CanonicalProduct {
  const { [id]: _gone, ...variants } = base.variants;
  return { ...base, variants };
}
