import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { isSameName } from './option-layout.ts';
import { canonicalOf, optionKey } from './variants.ts';

/**
 * [R17] A reading with the letter case and accents that are known (`known`: base, then hub) in the values of options whose lists are the shop's and not the product's:
 * what is written there becomes the value that the list has.
 */
export function readAsKnown(
  snapshot: ProductSnapshot,
  variants: Parameters<typeof canonicalOf>[1],
  known: readonly (CanonicalProduct | null | undefined)[],
): CanonicalProduct {
  const read = canonicalOf(snapshot, variants);
  const { sharedOptions } = snapshot;
  if (sharedOptions === undefined) return read;
  const respelled = { ...read.variants };
  for (const [id, own] of Object.entries(read.variants) as [VariantId, VariantFields][]) {
    const values = [...own.optionValues];
    for (const place of sharedOptions) {
      const key = plainKey(values[place] ?? '');
      const name = read.fields.optionNames[place] ?? '';
      const held = known
        .map((one) => spellingIn(one, id, name, place))
        .find((value) => value !== null && plainKey(value) === key);
      if (typeof held === 'string') values[place] = held;
    }
    respelled[id] = { ...own, optionValues: values };
  }
  return { ...read, variants: respelled };
}

/** As databases of shops compare: "Café" is "cafe". */
function plainKey(value: string): string {
  return optionKey([value.normalize('NFD').replace(/\p{M}+/gu, '')]);
}

/** What a record has of an option: by its name, or by its place where no other has that name. */
function spellingIn(
  record: CanonicalProduct | null | undefined,
  id: VariantId,
  name: string,
  place: number,
): string | null {
  if (!record) return null;
  const at = record.fields.optionNames.findIndex((own) => isSameName(own, name));
  return record.variants[id]?.optionValues[at < 0 ? place : at] ?? null;
}
