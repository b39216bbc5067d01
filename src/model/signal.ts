/** A hint that a record may have changed. It carries an identity, never the truth: the record is read. */
export interface Signal {
  readonly kind: 'product' | 'variant' | 'stock';
  /** Product id, variant id or stock id on the platform, by `kind`. */
  readonly externalId: string;
  /** The product it belongs to, where a variant's signal says so: a variant that we don't know yet is found through it. */
  readonly productId?: string;
}

/** A larger body of a webhook is not taken in. */
export const DELIVERY_BYTES_MAX = 5 * 1024 * 1024;

/** What a webhook can say besides naming records. */
export type StoreNotice = 'uninstalled' | 'settings_changed' | 'bulk_finished';

export interface VerifiedDelivery {
  /** Same for all repeats of one delivery; what duplicates are told by. */
  readonly deliveryId: string;
  readonly topic: string;
  readonly signals: readonly Signal[];
  readonly notices: readonly StoreNotice[];
}
