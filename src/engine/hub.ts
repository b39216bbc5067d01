import { titleKey } from '../core/match.ts';
import { underNames } from '../core/option-layout.ts';
import { readAsKnown } from '../core/read-as-known.ts';
import { sameProductFields, sameVariantFields } from '../core/same-fields.ts';
import type { Db, Tx } from '../db/database.ts';
import { findHubRows, type HubRows } from '../db/readers/hub-rows.ts';
import { updateProduct, updateProductBinding } from '../db/writers/products.ts';
import type { FieldSeen } from '../model/hub.ts';
import type { ProductId, VariantId } from '../model/ids.ts';
import { type PerSide, SIDES, type Side } from '../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../model/snapshot.ts';
import type { PairView } from './pair-view.ts';

/** One hub product as it stands in the database: record, bindings, variants and their bindings. Shared: not to be changed. */
export type HubState = HubRows;

export function loadHub(db: Db, id: ProductId): HubState | null {
  return findHubRows(db, id);
}

/** A side is bound when it has a record there; a create under way is not bound yet. */
export function isBound(hub: HubState, side: Side): boolean {
  return typeof hub.bindings[side]?.externalId === 'string';
}

/** A reading of a bound record as a canonical product: its fields and the variants that we know. */
export function knownPart(hub: HubState, side: Side, snapshot: ProductSnapshot): CanonicalProduct {
  return readAsKnown(snapshot, knownVariants(hub, side, snapshot), [hub.bindings[side]?.base, hub.row.data]);
}

export function knownVariants(
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
): ReadonlyMap<VariantId, VariantSnapshot> {
  const ids = new Map([...hub.variantBindings[side].values()].map((row) => [row.externalId, row.variantId]));
  const known = new Map<VariantId, VariantSnapshot>();
  for (const variant of snapshot.variants) {
    const id = ids.get(variant.externalId);
    if (id !== undefined) known.set(id, variant);
  }
  return known;
}

/**
 * The base of a bound side, written out: a base that is not stored is what the hub would show there, for the variants that are
 * bound there.
 */
export function baseOf(hub: HubState, side: Side, view: PairView): CanonicalProduct {
  const stored = hub.bindings[side]?.base;
  if (stored !== null && stored !== undefined) return stored;
  return restrict(view.connectors[side].represent(hub.row.data), hub.variantBindings[side]);
}

function restrict(product: CanonicalProduct, bound: ReadonlyMap<VariantId, unknown>): CanonicalProduct {
  const entries = Object.entries(product.variants) as [VariantId, VariantFields][];
  if (entries.every(([id]) => bound.has(id))) return product;
  return { fields: product.fields, variants: Object.fromEntries(entries.filter(([id]) => bound.has(id))) };
}

/** Whether a base is what the hub would show anyway, for the variants bound on that side: then it need not be stored. */
export function isImplied(
  base: CanonicalProduct,
  hub: CanonicalProduct,
  bound: ReadonlySet<VariantId>,
  represent: (product: CanonicalProduct) => CanonicalProduct,
  createOnly = true,
): boolean {
  const shown = represent(hub);
  if (!sameProductFields(base.fields, shown.fields, createOnly)) return false;
  const ids = Object.keys(shown.variants).filter((id) => bound.has(id as VariantId)) as VariantId[];
  if (Object.keys(base.variants).length !== ids.length) return false;
  return ids.every((id) => {
    const a = base.variants[id];
    const b = shown.variants[id];
    return a !== undefined && b !== undefined && sameVariantFields(a, b, createOnly);
  });
}

/** [V5] What a removed variant was known by, for when it comes back, its values under the names that the options have by then [R4]; it takes no part in any merge. */
function removedOf(hub: HubState, names: readonly string[]): CanonicalProduct['variants'] {
  const { fields, variants } = hub.row.data;
  const removed = (Object.entries(variants) as [VariantId, VariantFields][]).filter(
    ([id]) => hub.variants.get(id)?.stockState === 'removed',
  );
  return Object.fromEntries(
    removed.map(([id, own]) => [
      id,
      { ...own, optionValues: underNames(own.optionValues, fields.optionNames, names, []) },
    ]),
  );
}

/**
 * Moves the hub and every side's base in one transaction. A base that was implied by the old hub is written out by this very
 * call: `bases` must hold all bound sides.
 */
export function storeHub(
  tx: Tx,
  hub: HubState,
  next: CanonicalProduct,
  seen: FieldSeen,
  bases: Partial<PerSide<CanonicalProduct>>,
  bound: PerSide<ReadonlySet<VariantId>>,
  view: PairView,
  at: number,
): void {
  updateProduct(tx, hub.row.id, {
    data: { ...next, variants: { ...removedOf(hub, next.fields.optionNames), ...next.variants } },
    ...{ seen, title: next.fields.title, titleKey: titleKey(next.fields.title), updatedAt: at },
  });
  for (const side of SIDES) {
    const base = bases[side];
    if (base === undefined) continue;
    const implied = isImplied(base, next, bound[side], (product) => view.connectors[side].represent(product));
    // Most bases are implied before and after.
    if (implied && hub.bindings[side]?.base === null) continue;
    updateProductBinding(tx, hub.row.id, side, { base: implied ? null : base });
  }
}
