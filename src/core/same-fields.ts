import type { ProductFields, VariantFields } from '../model/product.ts';
import { type FieldSpec, PRODUCT_FIELD_NAMES, PRODUCT_FIELDS, VARIANT_FIELD_NAMES, VARIANT_FIELDS } from './fields.ts';

/** Whether two records say the same in every field of the product itself. `createOnly` false: what travels on a create only is not looked at. */
export function sameProductFields(a: ProductFields, b: ProductFields, createOnly = true): boolean {
  if (a === b) return true;
  return PRODUCT_FIELD_NAMES.every((name) => {
    const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
    return (!createOnly && spec.kind === 'create_only') || spec.same(a[name], b[name]);
  });
}

/** The same for one variant. */
export function sameVariantFields(a: VariantFields, b: VariantFields, createOnly = true): boolean {
  return (
    a === b ||
    VARIANT_FIELD_NAMES.every((name) => {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      return (!createOnly && spec.kind === 'create_only') || spec.same(a[name], b[name]);
    })
  );
}
