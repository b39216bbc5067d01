import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import type { Lossy } from './personality.ts';

/** What the platform makes of product fields that it is given; idempotent. */
export function holdProduct<F extends Partial<ProductFields>>(fields: F, lossy: Lossy): F {
  return {
    ...fields,
    ...(fields.status === undefined ? {} : { status: lossy.statuses[fields.status] ?? fields.status }),
    ...(fields.tags === undefined ? {} : { tags: holdTags(fields.tags, lossy.tags) }),
    ...(fields.optionNames === undefined ? {} : { optionNames: [...fields.optionNames] }),
  };
}

/** What the platform makes of variant fields that it is given; idempotent. */
export function holdVariant<F extends Partial<VariantFields>>(fields: F, lossy: Lossy): F {
  const { weightMg, backorders, optionValues } = fields;
  return {
    ...fields,
    ...(backorders === undefined ? {} : { backorders: lossy.backorders[backorders] ?? backorders }),
    ...(optionValues === undefined ? {} : { optionValues: [...optionValues] }),
    ...(weightMg === undefined || weightMg === null
      ? {}
      : { weightMg: Math.round(weightMg / lossy.weightStepMg) * lossy.weightStepMg }),
  };
}

export function representAs(product: CanonicalProduct, lossy: Lossy): CanonicalProduct {
  const variants = Object.entries(product.variants).map(([id, fields]) => [id, holdVariant(fields, lossy)]);
  return {
    fields: holdProduct(product.fields, lossy),
    variants: Object.fromEntries(variants) as Record<VariantId, VariantFields>,
  };
}

function holdTags(tags: readonly string[], how: Lossy['tags']): string[] {
  if (how === 'as_given') return [...tags];
  if (how === 'sorted') return [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
  const firstOfCase = new Map<string, string>();
  for (const tag of tags) {
    const key = tag.toLowerCase();
    if (!firstOfCase.has(key)) firstOfCase.set(key, tag);
  }
  return [...firstOfCase.values()].sort();
}
