import type { FieldSeen } from '../model/hub.ts';
import type { VariantId } from '../model/ids.ts';
import type { PairSettings } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import { isAreaOn, mayFollow } from './direction.ts';
import {
  type FieldPath,
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  parsePath,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from './fields.ts';
import type { SideWrite } from './reconciliation.ts';

/** What one side was last known to hold, and what the hub would show there now. */
export interface Standing {
  readonly side: Side;
  readonly base: CanonicalProduct;
  /** The base as it would be if we had written it there: what a side holds of its own may be more than can be written to it. */
  readonly writable: CanonicalProduct;
  readonly shown: CanonicalProduct;
  /** What it was just read to be; null when it was not read. */
  readonly remote: CanonicalProduct | null;
}

/**
 * [R12] What one side lacks: fields whose base is not what the hub would show there, save those held back. A base that
 * differs only by what can't be written to the side (a film in a shop's own description) is left as it is.
 */
export function planWrite(
  hub: CanonicalProduct,
  { side, base, writable, shown, remote }: Standing,
  held: ReadonlySet<FieldPath>,
  settings: PairSettings,
): SideWrite | null {
  if (!mayFollow(side, settings)) return null;
  const fields: Record<string, unknown> = {};
  for (const name of PRODUCT_FIELD_NAMES) {
    const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
    if (!isCarried(spec, settings) || held.has(name)) continue;
    if (isOwed(spec, base.fields[name], writableField(name, base, writable), shown.fields[name]))
      fields[name] = hub.fields[name];
  }
  const variants: Record<string, Record<string, unknown>> = {};
  const newVariants: VariantId[] = [];
  for (const [id, value] of Object.entries(hub.variants) as [VariantId, VariantFields][]) {
    const baseVariant = base.variants[id];
    const shownVariant = shown.variants[id];
    if (baseVariant === undefined || shownVariant === undefined) {
      if (settings.syncProducts && shownVariant !== undefined) newVariants.push(id);
      continue;
    }
    // Bound, but not there any more: whatever becomes of it, nothing can be written to it.
    if (remote !== null && remote.variants[id] === undefined) continue;
    for (const name of VARIANT_FIELD_NAMES) {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      if (!isCarried(spec, settings)) continue;
      if (!isOwed(spec, baseVariant[name], writable.variants[id]?.[name], shownVariant[name])) continue;
      if (held.has(variantPath(id, name))) continue;
      variants[id] = { ...variants[id], [name]: value[name] };
    }
  }
  if (Object.keys(fields).length === 0 && Object.keys(variants).length === 0 && newVariants.length === 0) return null;
  return {
    fields: fields as Partial<ProductFields>,
    variants: variants as Record<VariantId, Partial<VariantFields>>,
    newVariants,
  };
}

function isCarried(spec: FieldSpec<unknown>, settings: PairSettings): boolean {
  return spec.kind !== 'create_only' && isAreaOn(spec.area, settings);
}

/** A status that can't be written to a side stands for a record in its bin [G9]: that one is out of the bin when it has another. */
function writableField(name: keyof ProductFields, base: CanonicalProduct, writable: CanonicalProduct): unknown {
  return (name === 'status' ? base : writable).fields[name];
}

function isOwed(spec: FieldSpec<unknown>, base: unknown, writable: unknown, shown: unknown): boolean {
  return !spec.same(base, shown) && !spec.same(writable, shown);
}

/** [R6] Who moved a field matters only while some side has still to follow: afterwards there is nothing left to win. */
export function pruneSeen(seen: FieldSeen, standings: readonly Standing[]): FieldSeen {
  const kept: Record<string, { side: Side; at: number }> = {};
  for (const [path, value] of Object.entries(seen)) {
    if (standings.some((standing) => isPending(path, standing))) kept[path] = value;
  }
  return kept;
}

function isPending(path: FieldPath, { base, writable, shown }: Standing): boolean {
  const parsed = parsePath(path);
  if (parsed === null) return false;
  if (parsed.variantId === null) {
    const spec = PRODUCT_FIELDS[parsed.name] as FieldSpec<unknown>;
    const { name } = parsed;
    return isOwed(spec, base.fields[name], writableField(name, base, writable), shown.fields[name]);
  }
  const baseVariant = base.variants[parsed.variantId];
  const shownVariant = shown.variants[parsed.variantId];
  if (baseVariant === undefined || shownVariant === undefined) return shownVariant !== undefined;
  const spec = VARIANT_FIELDS[parsed.name] as FieldSpec<unknown>;
  const writableValue = writable.variants[parsed.variantId]?.[parsed.name];
  return isOwed(spec, baseVariant[parsed.name], writableValue, shownVariant[parsed.name]);
}
