import type { CanonicalProduct } from '../model/product.ts';
import { searchKeys } from '../model/search-key.ts';
import type { Mark, ProductSnapshot } from '../model/snapshot.ts';
import { PRODUCT_FIELDS } from './fields.ts';

/** What is known of a bound record. */
export interface KnownRecord {
  /** Asked for only where it was made at another time: hardly ever. */
  readonly base: () => CanonicalProduct;
  /** As `ProductSnapshot.madeAt` was last read; null: not known. */
  readonly madeAt: number | null;
  /** The mark that it bears if it was ever given one. */
  readonly mark: Mark;
}

/**
 * [V6] Whether what is shown under a known id is another record, to which the shop has given the id of one that it lost. People move the date of a
 * product, rename it, give it a new address and other SKUs: only all of that at once, between two readings, is no edit.
 */
export function isAnotherRecord({ base, madeAt, mark }: KnownRecord, snapshot: ProductSnapshot): boolean {
  const { title, handle } = snapshot.fields;
  const made = snapshot.madeAt ?? null;
  if (made === null || madeAt === null || made === madeAt) return false;
  if (snapshot.marks.some(({ pairId, hubId }) => pairId === mark.pairId && hubId === mark.hubId)) return false;
  const { fields, variants } = base();
  if (PRODUCT_FIELDS.title.same(title, fields.title)) return false;
  // What had no address yet was a draft that is filled in.
  if (fields.handle === '' || handle === fields.handle) return false;
  const before = new Set(Object.values(variants).flatMap(searchKeys));
  return (
    before.size > 0 && !snapshot.variants.flatMap(({ fields: own }) => searchKeys(own)).some((key) => before.has(key))
  );
}
