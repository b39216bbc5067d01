import { type FieldSpec, VARIANT_FIELD_NAMES, VARIANT_FIELDS } from '../../core/fields.ts';
import { underNames } from '../../core/option-layout.ts';
import type { VariantMatch } from '../../core/variants.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PerSide, Side } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../../model/product.ts';
import type { HubState } from '../hub.ts';

/**
 * [V5] What a side was last known to show of a variant that the other one, or it, had only hidden and shows again as the very same record: what differs from
 * that was edited meanwhile, whoever is read first. Null: it is another record, or not known. Its values of options are the hub's, which have followed the
 * names of the options since, but for those that the side has not moved.
 */
export function fieldsShownAgain(
  hub: HubState,
  side: Side,
  id: VariantId,
  matches: Partial<PerSide<VariantMatch>>,
  { fields: { optionNames } }: CanonicalProduct,
  remote: CanonicalProduct | undefined,
): VariantFields | null {
  const was = hub.variants.get(id)?.removedBase ?? null;
  const own = hub.row.data.variants[id];
  const known = was?.bases?.[side];
  if (was === null || own === undefined || known === undefined) return null;
  if (matches[was.side]?.known.get(id)?.externalId !== was.externalId) return null;
  const values = remote?.variants[id]?.optionValues;
  if (values !== undefined && VARIANT_FIELDS.optionValues.same(values, known.optionValues)) return known;
  const optionValues = underNames(own.optionValues, hub.row.data.fields.optionNames, optionNames, []);
  return { ...known, optionValues };
}

/**
 * [V5] Who adds a variant again has said what it is: where that is another value than was known (`shown`), what its other half shows is no edit against it. Values of
 * options are told by their names: they are compared where both shops have these alike (`hasSameNames`). Gives that half's base.
 */
export function yieldToAdded(
  base: VariantFields,
  { left, added, shown }: Readonly<Record<'left' | 'added' | 'shown', VariantFields>>,
  hasSameNames: boolean,
): VariantFields {
  const own: Record<string, unknown> = { ...base };
  for (const name of VARIANT_FIELD_NAMES) {
    const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
    const isSaid = !spec.isBlank(added[name]) && !spec.same(added[name], shown[name]);
    if (isSaid && (name !== 'optionValues' || hasSameNames)) own[name] = left[name];
  }
  return own as unknown as VariantFields;
}
