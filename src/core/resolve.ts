import type { VariantId } from '../model/ids.ts';
import type { PairSettings } from '../model/pair.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { type FieldPath, parsePath } from './fields.ts';
import { underNames } from './option-layout.ts';

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
  const base = setField(input.base, path, seen);
  if (choice.take === 'hub') return { hub: input.hub, base };
  const chosen = choice.take === 'remote' ? remote : choice.value;
  const hub = setField(input.hub, path, chosen);
  if (path !== 'optionNames') return { hub, base };
  const variants = Object.entries(hub.variants).map(([id, fields]) => {
    const otherwise = input.base.variants[id as VariantId]?.optionValues ?? fields.optionValues;
    const optionValues = underNames(fields.optionValues, optionNames, chosen as string[], otherwise);
    return [id, { ...fields, optionValues }] as const;
  });
  return { hub: { ...hub, variants: Object.fromEntries(variants) }, base };
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
