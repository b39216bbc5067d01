import { AREAS, type PairSettings } from '../model/pair.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import { isAreaOn } from './direction.ts';
import { type FieldSpec, PRODUCT_FIELD_NAMES, PRODUCT_FIELDS, VARIANT_FIELD_NAMES, VARIANT_FIELDS } from './fields.ts';

/** [R10] What a side is known to hold, save that it lacks nothing in an area that is switched off: there it has what `show` gives. */
export function withoutOff(
  known: CanonicalProduct,
  show: () => CanonicalProduct,
  settings: PairSettings,
): CanonicalProduct {
  if (AREAS.every((area) => isAreaOn(area, settings))) return known;
  const shown = show();
  const fields: Record<string, unknown> = { ...known.fields };
  for (const name of PRODUCT_FIELD_NAMES) if (isOff(PRODUCT_FIELDS[name])) fields[name] = shown.fields[name];
  const variants = Object.entries(known.variants).map(([id, own]) => {
    const wanted = shown.variants[id as keyof typeof shown.variants];
    const row: Record<string, unknown> = { ...own };
    if (wanted !== undefined)
      for (const name of VARIANT_FIELD_NAMES) if (isOff(VARIANT_FIELDS[name])) row[name] = wanted[name];
    return [id, row as unknown as VariantFields] as const;
  });
  return { fields: fields as unknown as ProductFields, variants: Object.fromEntries(variants) };

  function isOff({ area }: Pick<FieldSpec<never>, 'area'>): boolean {
    return !isAreaOn(area, settings);
  }
}
