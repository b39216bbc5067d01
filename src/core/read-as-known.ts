import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { isSameName } from './option-layout.ts';
import { canonicalOf, looseOptionKey } from './variants.ts';

/**
 * [R17] A reading with the letter case, the accents and the spaces around a sign that are known (`known`: base, then hub) in the values of options whose
 * lists are the shop's and not the product's: what is written there becomes the value that the list has.
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

/** Letters that databases of shops have for others, and that no form of Unicode takes apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  '\u00df': 'ss',
  '\u00e6': 'ae',
  '\u0153': 'oe',
  '\u00f8': 'o',
  '\u0142': 'l',
  '\u0111': 'd',
  '\u00f0': 'd',
  '\u0127': 'h',
};

/** As databases of shops compare: "Café" is "cafe", "Weiß" is "weiss", "m²" is "m2"; and in the address of a term "S / M" is "S/M". */
function plainKey(value: string): string {
  return looseOptionKey([value.normalize('NFKD').replace(/\p{M}+/gu, '')]).replace(
    /[\u00df\u00e6\u0153\u00f8\u0142\u0111\u00f0\u0127]/g,
    (letter) => PLAIN_LETTERS[letter] ?? letter,
  );
}

/** Where a record has an option: by its name, or by its place where no other has that name. */
function placeIn({ fields }: CanonicalProduct, name: string, place: number): number {
  const at = fields.optionNames.findIndex((own) => isSameName(own, name));
  return at < 0 ? place : at;
}
