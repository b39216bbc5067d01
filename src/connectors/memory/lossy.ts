import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import type { Lossy } from './personality.ts';

type Draft<F> = { -readonly [K in keyof F]?: F[K] };

/** What the platform makes of product fields that it is given; idempotent. */
export function holdProduct<F extends Partial<ProductFields>>(fields: F, lossy: Lossy): F {
  const held: Draft<ProductFields> = { ...fields };
  if (held.status !== undefined) held.status = lossy.statuses[held.status] ?? held.status;
  if (held.tags !== undefined) held.tags = holdTags(held.tags, lossy.tags);
  if (held.optionNames !== undefined) held.optionNames = [...held.optionNames];
  return held as F;
}

/** What the platform makes of variant fields that it is given; idempotent. */
export function holdVariant<F extends Partial<VariantFields>>(fields: F, lossy: Lossy, isTracked = true): F {
  const held: Draft<VariantFields> = { ...fields };
  if (held.backorders !== undefined) held.backorders = lossy.backorders[held.backorders] ?? held.backorders;
  if (held.backorders !== undefined && lossy.hidesBackorders && !isTracked) held.backorders = 'no';
  if (held.optionValues !== undefined) held.optionValues = [...held.optionValues];
  if (typeof held.weightMg === 'number')
    held.weightMg = Math.round(held.weightMg / lossy.weightStepMg) * lossy.weightStepMg;
  return held as F;
}

/** What the platform makes of a whole product. Most of it is held as it is, and need not be copied: nobody changes it. */
export function representAs(product: CanonicalProduct, lossy: Lossy): CanonicalProduct {
  const fields = representFields(product.fields, lossy);
  let variants: Record<VariantId, VariantFields> | null = null;
  for (const id of Object.keys(product.variants) as VariantId[]) {
    const own = product.variants[id];
    if (own === undefined) continue;
    const held = representVariant(own, lossy);
    if (held === own) continue;
    variants ??= { ...product.variants };
    variants[id] = held;
  }
  if (variants === null && fields === product.fields) return product;
  return { fields, variants: variants ?? product.variants };
}

function representFields(fields: ProductFields, lossy: Lossy): ProductFields {
  const status = lossy.statuses[fields.status] ?? fields.status;
  const tags = holdTags(fields.tags, lossy.tags);
  return status === fields.status && tags === fields.tags ? fields : { ...fields, status, tags };
}

function representVariant(fields: VariantFields, lossy: Lossy): VariantFields {
  const backorders = lossy.backorders[fields.backorders] ?? fields.backorders;
  const { weightMg } = fields;
  const isHeldAsIs = backorders === fields.backorders && (weightMg === null || weightMg % lossy.weightStepMg === 0);
  return isHeldAsIs ? fields : holdVariant(fields, lossy);
}

function holdTags(tags: readonly string[], how: Lossy['tags']): readonly string[] {
  if (how === 'as_given' || isInOrder(tags)) return tags;
  if (how === 'sorted') return [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
  const firstOfCase = new Map<string, string>();
  for (const tag of tags) {
    const key = tag.toLowerCase();
    if (!firstOfCase.has(key)) firstOfCase.set(key, tag);
  }
  return [...firstOfCase.values()].sort();
}

/** As either way of holding them leaves them: small letters, each once, sorted. Most lists have been held before. */
function isInOrder(tags: readonly string[]): boolean {
  let before = '';
  for (const tag of tags) {
    if (tag <= before || tag !== tag.toLowerCase()) return false;
    before = tag;
  }
  return true;
}
