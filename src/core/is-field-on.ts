import type { PairSettings } from '../model/pair.ts';
import { isAreaOn } from './direction.ts';
import { type FieldPath, PRODUCT_FIELDS, parsePath, VARIANT_FIELDS } from './fields.ts';

/** [R10] Whether a field takes part at all; what is none does not wait for an area. */
export function isFieldOn(path: FieldPath, settings: PairSettings): boolean {
  const parsed = parsePath(path);
  if (parsed === null) return true;
  const { area } = parsed.variantId === null ? PRODUCT_FIELDS[parsed.name] : VARIANT_FIELDS[parsed.name];
  return isAreaOn(area, settings);
}
