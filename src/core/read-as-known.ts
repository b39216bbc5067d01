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
  const places = sharedOptions.map((place) => {
    const name = read.fields.optionNames[place] ?? '';
    return { place, from: known.flatMap((record) => (record ? { record, at: placeIn(record, name, place) } : [])) };
  });
  for (const [id, own] of Object.entries(read.variants) as [VariantId, VariantFields][]) {
    const values = [...own.optionValues];
    for (const { place, from } of places) {
      const value = values[place] ?? '';
      const spellings = from.flatMap(({ record, at }) => record.variants[id]?.optionValues[at] ?? []);
      // Most are as they are known: nothing is folded for them.
      if (spellings[0] === value) continue;
      const key = plainKey(value);
      const held = spellings.find((spelling) => plainKey(spelling) === key);
      if (held !== undefined) values[place] = held;
    }
    respelled[id] = { ...own, optionValues: values };
  }
  return { ...read, variants: respelled };
}

/** As databases of shops compare: "Café" is "cafe". */
function plainKey(value: string): string {
  return optionKey([value.normalize('NFD').replace(/\p{M}+/gu, '')]);
}

/** Where a record has an option: by its name, or by its place where no other has that name. */
function placeIn({ fields }: CanonicalProduct, name: string, place: number): number {
  const at = fields.optionNames.findIndex((own) => isSameName(own, name));
  return at < 0 ? place : at;
}
