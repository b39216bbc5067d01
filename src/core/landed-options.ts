import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { PRODUCT_FIELDS, VARIANT_FIELDS } from './fields.ts';
import { isSameName, underNames } from './option-layout.ts';

/** What a side was last known to show, what it was sent as it would show that, and what it shows. */
interface Sending {
  readonly base: CanonicalProduct;
  /** The base with what reads as it was sent. */
  readonly landed: CanonicalProduct;
  readonly sent: CanonicalProduct;
  readonly remote: CanonicalProduct;
}

/**
 * [W4] A platform that changes options in several steps (it renames them one by one, and adds one with the same value for every variant) may have taken
 * the first of them only. What stands between is nobody's edit: the base with the options of it that can be told to be ours.
 */
export function landedOptions({ base, landed, sent, remote }: Sending): CanonicalProduct {
  const names = remote.fields.optionNames;
  const hasNames = PRODUCT_FIELDS.optionNames.same(base.fields.optionNames, names);
  if (!hasNames && !isBetween(base.fields.optionNames, sent.fields.optionNames, names)) return landed;
  const under = (product: CanonicalProduct, id: VariantId) =>
    underNames(product.variants[id]?.optionValues ?? [], product.fields.optionNames, names, []);
  const sentToAny = names.map((_name, i) => Object.keys(sent.variants).map((id) => under(sent, id as VariantId)[i]));
  const isNew = (name: string) => !base.fields.optionNames.some((known) => isSameName(known, name));
  const variants: Record<VariantId, CanonicalProduct['variants'][VariantId]> = { ...landed.variants };
  for (const [id, own] of Object.entries(landed.variants) as [VariantId, (typeof variants)[VariantId]][]) {
    const read = remote.variants[id]?.optionValues;
    if (read === undefined) continue;
    const [before, next] = [under(base, id), under(sent, id)];
    const isOurs = read.every((value, i) => {
      // Of a new option it shows what another variant was sent, or nothing yet.
      const ours = [before[i], next[i], ...(isNew(names[i] ?? '') ? ['', ...(sentToAny[i] ?? [])] : [])];
      return ours.some((each) => each !== undefined && VARIANT_FIELDS.optionValues.same([value], [each]));
    });
    variants[id] = { ...own, optionValues: isOurs ? read : before };
  }
  return { fields: { ...landed.fields, optionNames: names }, variants };
}

/** Whether each option has the name that it was to have at its place, or one that is still to be renamed. */
function isBetween(base: readonly string[], sent: readonly string[], names: readonly string[]): boolean {
  if (names.length < base.length || names.length > sent.length) return false;
  const has = (list: readonly string[], name: string) => list.some((each) => isSameName(each, name));
  return names.every((name, i) => isSameName(name, sent[i] ?? '') || (has(base, name) && !has(sent, name)));
}
