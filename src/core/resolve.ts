import type { VariantId } from '../model/ids.ts';
import type { PairSettings } from '../model/pair.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { type FieldPath, parsePath } from './fields.ts';
import { underNames, valuesRenamed } from './option-layout.ts';

/** What a person decided in the conflict inbox. `remote` is the value of the conflict's own side. */
export type ConflictChoice =
  | { readonly take: 'hub' }
  | { readonly take: 'remote' }
  | { readonly take: 'value'; readonly value: unknown };

export interface ResolveInput {
  readonly path: FieldPath;
  readonly hub: CanonicalProduct;
  readonly base: CanonicalProduct;
  readonly remote: unknown;
  readonly choice: ConflictChoice;
}

/**
 * [R13] Turns a person's choice into an ordinary edit of hub and base: the side's value is acknowledged in its base, the hub
 * takes what was chosen, and the next reconcile writes whoever is not level. No special path.
 */
export function resolveConflict(input: ResolveInput): {
  readonly hub: CanonicalProduct;
  readonly base: CanonicalProduct;
} {
  const { path, choice, remote } = input;
  const own = input.base.fields.optionNames;
  const { optionNames } = input.hub.fields;
  // [R4] Of values it was asked as they read under the hub's names; the side shows them under its own.
  const isValues = parsePath(path)?.name === 'optionValues';
  const seen = isValues
    ? underNames(remote as string[], optionNames, own, (getField(input.base, path) ?? []) as string[])
    : remote;
  const named = setField(input.base, path, seen);
  const base = path === 'optionNames' ? relaid(named, own, remote as string[]) : named;
  if (choice.take === 'hub') return { hub: input.hub, base };
  const chosen = choice.take === 'remote' ? remote : choice.value;
  const hub = setField(input.hub, path, chosen);
  if (path !== 'optionNames') return { hub, base };
  return { hub: relaid(hub, optionNames, chosen as string[], base), base };
}

/** [R4] A product whose options have other names now: its values as they read under these; what it has none of is as `other` has it. */
function relaid(
  product: CanonicalProduct,
  from: readonly string[],
  to: readonly string[],
  other: CanonicalProduct = product,
): CanonicalProduct {
  const variants = Object.entries(product.variants).map(([id, fields]) => {
    const own = fields.optionValues;
    const otherwise = other.variants[id as VariantId]?.optionValues ?? valuesRenamed(own, from, to) ?? own;
    return [id, { ...fields, optionValues: underNames(own, from, to, otherwise) }] as const;
  });
  return { ...product, variants: Object.fromEntries(variants) };
}

/** One field of a product; undefined where the product has no such variant. */
export function getField(product: CanonicalProduct, path: FieldPath): unknown {
  const parsed = parsePath(path);
  if (parsed === null) return undefined;
  return parsed.variantId === null ? product.fields[parsed.name] : product.variants[parsed.variantId]?.[parsed.name];
}

/** A copy with one field set; unchanged where the product has no such variant. */
export function setField(product: CanonicalProduct, path: FieldPath, value: unknown): CanonicalProduct {
  const parsed = parsePath(path);
  if (parsed === null) return product;
  if (parsed.variantId === null) return { ...product, fields: { ...product.fields, [parsed.name]: value } };
  const variant = product.variants[parsed.variantId];
  if (variant === undefined) return product;
  return { ...product, variants: { ...product.variants, [parsed.variantId]: { ...variant, [parsed.name]: value } } };
}

/** Whether a delete on one side yields to an edit that it has not seen: under `manual` a person decides, else the edit wins. */
export function deleteAgainstEdit(settings: PairSettings): 'conflict' | 'edit_wins' {
  return settings.conflictResolution === 'manual' ? 'conflict' : 'edit_wins';
}
