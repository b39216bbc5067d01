import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { absorbField, type FieldDraft, type FieldStep } from './absorb-field.ts';
import { variantPath } from './fields.ts';
import { isSameName, underNames, valuesRenamed } from './option-layout.ts';

/** Variants of a draft, which are changed in place. */
type Variants = Record<string, Record<string, unknown>>;

const NAME = 'optionValues';

/** [R4] The hub has other options from now on: what it holds of each variant stands under their names. */
export function relayHub(
  hub: Variants,
  remote: CanonicalProduct,
  from: readonly string[],
  to: readonly string[],
  { side, readAt, changes, seen }: FieldStep,
): void {
  for (const [id, own] of Object.entries(hub)) {
    const old = own[NAME] as readonly string[];
    const theirs = remote.variants[id as VariantId]?.optionValues;
    const values = underNames(old, from, to, theirs ?? valuesRenamed(old, from, to) ?? old);
    const path = variantPath(id as VariantId, NAME);
    changes.push({ path, from: old, to: values, origin: side, cause: 'outside_change' });
    own[NAME] = values;
    seen[path] = { side, at: readAt };
  }
}

/** [R4] The names that a side shows have become its base: so do its values, as they read under them. `names`: those that the hub has by now. */
export function relayBase(
  base: Variants,
  remote: CanonicalProduct,
  from: readonly string[],
  hub: Variants,
  names: readonly string[],
): void {
  const shown = remote.fields.optionNames;
  for (const [id, { optionValues }] of Object.entries(remote.variants)) {
    const known = base[id];
    if (known === undefined) continue;
    const held = underNames((hub[id]?.[NAME] ?? optionValues) as string[], names, shown, optionValues);
    known[NAME] = underNames(known[NAME] as string[], from, shown, agreed(held, optionValues));
  }
}

/** What a base has of options that it does not know yet. Where hub and side have one with other values, nobody has agreed on any. */
function agreed(held: readonly string[], read: readonly string[]): readonly string[] {
  return read.map((value, i) => (isSameName(value, held[i] ?? '') ? value : ''));
}

/** [R4] Values that stand under other names than the hub's (`names`) are held against it as they would read there. `known`: the names of the base's. */
export function absorbValues(
  field: FieldDraft,
  step: FieldStep,
  { names, shown, known }: Record<'names' | 'shown' | 'known', readonly string[]>,
): void {
  const held = field.hub[NAME] as readonly string[];
  const read = (values: unknown, from: readonly string[], otherwise = held) =>
    underNames(values as string[], from, names, otherwise);
  const remote = read(field.remote, shown);
  const base = { [NAME]: read(field.base[NAME], known, agreed(held, remote)) };
  const { conflicts, drift } = step.holds;
  const waiting = conflicts.length + drift.length;
  absorbField({ ...field, base, remote }, step);
  // The base keeps the names that it has for as long as a person is asked about them.
  if (conflicts.length + drift.length === waiting)
    field.base[NAME] = underNames(field.remote as string[], shown, known, field.base[NAME] as string[]);
}
