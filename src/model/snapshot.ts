import type { ProductFields, VariantFields } from './product.ts';
import type { StockSnapshot } from './stock.ts';

/** Why a remote product can't be kept the same. It is listed with its reason and never carried over in part. */
export const UNSYNCABLE_REASONS = [
  'unsupported_type',
  'too_many_options',
  'too_many_variants',
  'any_variation',
  'duplicate_options',
  'bundle',
  'gift_card',
  'fractional_stock',
  'malformed',
] as const;
export type UnsyncableReason = (typeof UNSYNCABLE_REASONS)[number];

export interface VariantSnapshot {
  /** The platform's id of the variant. */
  readonly externalId: string;
  /** The platform's address of the variant's stock: what `readStock` and `writeStock` take. */
  readonly stockId: string;
  readonly fields: VariantFields;
  readonly stock: StockSnapshot;
  /**
   * A sale that the shop will begin by itself: its price and its times, for a person. `fields` do not show it, and a price that is written may end it.
   * Absent: none.
   */
  readonly plannedSale?: string;
}

/** Our mark on a record that we made: which pair made it, and for which hub record. */
export interface Mark {
  readonly pairId: string;
  readonly hubId: string;
}

/** The canonical state of one product, read from one platform at one moment. */
export interface ProductSnapshot {
  readonly externalId: string;
  readonly fields: ProductFields;
  /** In the platform's order. Complete: a variant that is not here does not exist there. */
  readonly variants: readonly VariantSnapshot[];
  /** All marks of ours on this record; a record may be carried by several pairs. */
  readonly marks: readonly Mark[];
  /** In the platform's bin: counts as deleted, and comes back with the same id. */
  readonly trashed: boolean;
  readonly unsyncable: { readonly reason: UnsyncableReason; readonly detail: string } | null;
  /**
   * Why a record that is hidden in its shop (from everybody, or from who has no password), or is of no use without it, is not to be made in the other
   * one: a sentence for a person. Nothing else is held up by it: who is known, or is found in both shops, is kept the same. Absent: it may be made.
   */
  readonly withheld?: string;
  /**
   * Places of the options whose values are of a list that the shop has for all products: their letter case and accents are the list's, whatever is written. Absent:
   * none.
   */
  readonly sharedOptions?: readonly number[];
  /**
   * Why the stock of its items could not be read, where the place that the pair maps is switched off or gone: what `variants` say of it means nothing.
   * Absent: it was read.
   */
  readonly stockUnread?: string;
  /** The platform's own modification time in ms, for cursors only: it never says who was right. */
  readonly modifiedAt: number | null;
  /**
   * When the record was made, by its shop's own word, which a person may change, ms. Only where the id of a record that was lost may be given out again (a
   * database that is put back from a backup). Null: it does not say. Absent: every id is given out once.
   */
  readonly madeAt?: number | null;
  /** Set times at which the record will show something else by itself (a sale begins or ends), with nobody told, ms; past ones may be among them. Absent: none. */
  readonly turnsAt?: readonly number[];
  /** The platform's address of the record for people (its admin page), or ''. */
  readonly adminUrl: string;
  /** First image for lists, or ''. */
  readonly imageUrl: string;
  /**
   * What the connector needs to write this very record later (attributes that are not ours, a parent id, ...).
   * JSON, opaque to everyone else, handed back with the write.
   */
  readonly passthrough: unknown;
}
