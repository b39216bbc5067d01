/** Stock of one item at the place that a pair maps, as a platform reports it now. */
export interface StockSnapshot {
  /** False: the platform doesn't count this item; `quantity` then means nothing. */
  readonly tracked: boolean;
  /** Whole units available to sell; may be negative. */
  readonly quantity: number;
  /** The key of the last write of ours that this item carries, where the platform can carry one; else null. */
  readonly stamp: string | null;
  /**
   * Set where the platform does not count this item by itself at the place that the pair maps, and yet does not sell it without end: its shop says
   * that it is sold out, counts it together with others, or keeps it at other places only. Absent: none of these.
   */
  readonly limited?: StockLimit;
}

export type StockLimit = 'sold_out' | 'shared' | 'elsewhere';

/** Stock that was asked for by itself. */
export interface StockReading extends StockSnapshot {
  /** Where the platform tells when an item moved: nothing has moved it since this moment, ms by our clock. Its last change may have been earlier, never later. */
  readonly unmovedSince?: number;
  /** Of an item that is a product's only one: as the product's own (`ProductSnapshot`). Absent: of no other, or every id is given out once. */
  readonly madeAt?: number | null;
}

/** A write that was decided and stored before it was sent. While one is open, nothing else is planned on that item. */
export interface StockIntent {
  readonly from: number;
  readonly to: number;
  /** Never refreshed while the intent is open: the same key and expectation are repeated. */
  readonly key: string;
  /** When its first request was about to leave, ms; null when it was stored and not yet sent. */
  readonly sentAt: number | null;
}

/** Largest absolute quantity both platforms take (Shopify: 1,000,000,000). */
export const QUANTITY_MAX = 1_000_000_000;
