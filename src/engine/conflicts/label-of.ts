import { PRODUCT_FIELDS, parsePath, VARIANT_FIELDS } from '../../core/fields.ts';

/** A field as a person calls it. */
export function labelOf(path: string): string {
  const parsed = parsePath(path);
  if (parsed === null) return path;
  return parsed.variantId === null ? PRODUCT_FIELDS[parsed.name].label : VARIANT_FIELDS[parsed.name].label;
}
