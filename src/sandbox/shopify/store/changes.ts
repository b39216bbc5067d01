import type { ItemRecord, LevelRecord, ProductRecord } from './records.ts';

/**
 * What one action of a merchant, an app or a shopper touched. Collected while it runs and committed once at its end, so that one
 * action gives each record one new time and each topic one webhook per record, all with the same event id.
 */
export interface ChangeSet {
  /** A purchase moves stock without counting as an edit of the product. */
  readonly cause: 'edit' | 'purchase';
  readonly productsCreated: Set<ProductRecord>;
  readonly productsUpdated: Set<ProductRecord>;
  readonly productsDeleted: Set<ProductRecord>;
  readonly itemsCreated: Set<ItemRecord>;
  readonly itemsUpdated: Set<ItemRecord>;
  readonly itemsDeleted: Set<ItemRecord>;
  readonly levelsConnected: Set<LevelRecord>;
  readonly levelsUpdated: Set<LevelRecord>;
  readonly levelsDisconnected: Set<LevelRecord>;
  /** Anything else to announce: topic (`orders/create`) and payload. */
  readonly announcements: { topic: string; payload: unknown }[];
}

export function createChangeSet(cause: ChangeSet['cause'] = 'edit'): ChangeSet {
  return {
    cause,
    productsCreated: new Set(),
    productsUpdated: new Set(),
    productsDeleted: new Set(),
    itemsCreated: new Set(),
    itemsUpdated: new Set(),
    itemsDeleted: new Set(),
    levelsConnected: new Set(),
    levelsUpdated: new Set(),
    levelsDisconnected: new Set(),
    announcements: [],
  };
}
