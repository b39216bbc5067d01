import { gtinKey, skuKey } from '../lib/record-keys.ts';
import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../model/snapshot.ts';
import { normaliseText } from './normalise.ts';
import { isOtherLayout, valuesRenamed } from './option-layout.ts';

/** Text that two variants of one product share when their options say the same. */
export function optionKey(values: readonly string[]): string {
  return values.map((value) => normaliseText(value).toLowerCase()).join('\u0000');
}

/** The same, also where people put spaces around the sign between the parts of a value and elsewhere don't: "S / M" is "S/M". */
export function looseOptionKey(values: readonly string[]): string {
  return optionKey(values).replace(/ ?([/&+-]) ?/g, '$1');
}

export interface VariantMatch {
  /** Snapshot variants by hub id: bound ones, and those that were recognised. */
  readonly known: ReadonlyMap<VariantId, VariantSnapshot>;
  /** Recognised now: not bound on this side before. */
  readonly recognised: readonly VariantId[];
  /** On this side only. */
  readonly added: readonly VariantSnapshot[];
  /** Bound on this side, and gone from a complete reading. */
  readonly missing: readonly VariantId[];
}

/**
 * [V1]-[V3] Variants are a list with identity. Identity is the binding first; a variant that isn't bound here is recognised by
 * a SKU, a valid barcode or an option tuple that is unique on both sides, in that order; never guessed.
 */
export function matchVariants(
  hub: CanonicalProduct,
  bound: ReadonlyMap<string, VariantId>,
  snapshot: ProductSnapshot,
): VariantMatch {
  const known = new Map<VariantId, VariantSnapshot>();
  const loose: VariantSnapshot[] = [];
  for (const variant of snapshot.variants) {
    const id = bound.get(variant.externalId);
    if (id !== undefined) known.set(id, variant);
    else loose.push(variant);
  }
  const boundIds = new Set(bound.values());
  const unbound = (Object.entries(hub.variants) as [VariantId, VariantFields][]).filter(([id]) => !boundIds.has(id));
  const paired = pairUp(
    readUnder(hub.fields.optionNames, snapshot, loose),
    unbound.map(([id, fields]) => ({ item: id, fields })),
  );
  const recognised: VariantId[] = [];
  for (const [variant, id] of paired) {
    known.set(id, variant);
    recognised.push(id);
  }
  return {
    known,
    recognised,
    added: loose.filter((variant) => !paired.has(variant)),
    missing: [...boundIds].filter((id) => !known.has(id)),
  };
}

/**
 * [V2] The hub's variants by the codes that the other side shows now. A variant that only that side has is told by those: the hub takes them over with
 * this very reading, and by what it held before a second one would be made beside its counterpart.
 */
export function underCodesOf(hub: CanonicalProduct, shown: CanonicalProduct | undefined): CanonicalProduct {
  if (shown === undefined) return hub;
  const variants = { ...hub.variants };
  for (const [id, { sku, barcode }] of Object.entries(shown.variants) as [VariantId, VariantFields][]) {
    const known = variants[id];
    if (known !== undefined) variants[id] = { ...known, sku, barcode };
  }
  return { ...hub, variants };
}

interface Candidate<T> {
  readonly item: T;
  readonly fields: VariantFields;
}

/** [R4] Variants of a reading, to be told by their options from those that stand under `names`: it may have them in another order. */
export function readUnder(
  names: readonly string[],
  { fields: { optionNames } }: ProductSnapshot,
  variants: readonly VariantSnapshot[],
): readonly Candidate<VariantSnapshot>[] {
  const isApart = isOtherLayout(optionNames, names);
  return variants.map((item) => {
    const values = isApart ? valuesRenamed(item.fields.optionValues, optionNames, names) : null;
    return { item, fields: values === null ? item.fields : { ...item.fields, optionValues: values } };
  });
}

type KeyOf = (fields: VariantFields) => string | null;

/** What a person gives a variant to say which one it is: its SKU, else a valid barcode. */
export const BY_CODE: readonly KeyOf[] = [(fields) => skuKey(fields.sku) || null, (fields) => gtinKey(fields.barcode)];

const BY_ANY: readonly KeyOf[] = [
  ...BY_CODE,
  (fields) => optionKey(fields.optionValues),
  (fields) => looseOptionKey(fields.optionValues),
];

/** [V2] Pairs by the first key that is unique on both lists; what is left over is paired by the next key. */
export function pairUp<A, B>(
  left: readonly Candidate<A>[],
  right: readonly Candidate<B>[],
  keys: readonly KeyOf[] = BY_ANY,
): ReadonlyMap<A, B> {
  const result = new Map<A, B>();
  const lefts = new Set(left);
  const rights = new Set(right);
  for (const keyOf of keys) {
    const byKey = unique(rights, keyOf);
    for (const [key, a] of unique(lefts, keyOf)) {
      const b = byKey.get(key);
      if (b === undefined) continue;
      result.set(a.item, b.item);
      lefts.delete(a);
      rights.delete(b);
    }
  }
  return result;
}

function unique<T>(list: Iterable<Candidate<T>>, keyOf: KeyOf): Map<string, Candidate<T>> {
  const found = new Map<string, Candidate<T> | null>();
  for (const entry of list) {
    const key = keyOf(entry.fields);
    if (key !== null) found.set(key, found.has(key) ? null : entry);
  }
  return new Map([...found].filter((pair): pair is [string, Candidate<T>] => pair[1] !== null));
}

/** Fields and variants of a snapshot as a canonical product, variants under their hub ids; unknown ones left out. */
export function canonicalOf(
  snapshot: ProductSnapshot,
  known: ReadonlyMap<VariantId, VariantSnapshot>,
): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = {};
  for (const [id, variant] of known) variants[id] = variant.fields;
  return { fields: snapshot.fields, variants };
}
