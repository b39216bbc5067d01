import type { PairSettings } from '../model/pair.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { type FieldPath, parsePath } from './fields.ts';

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
  const base = setField(input.base, path, remote);
  if (choice.take === 'hub') return { hub: input.hub, base };
  return { hub: setField(input.hub, path, choice.take === 'remote' ? remote : choice.value), base };
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
