import type { StoreCredentials } from '../engine/context.ts';

/** One thing on a shelf, as the shop itself shows it to its customers. */
export interface ShelfItem {
  readonly sku: string;
  readonly title: string;
  readonly variant: string;
  readonly priceMinor: number | null;
  readonly currency: string;
  readonly stock: number | null;
}

export type ShelfAction =
  | { readonly type: 'sell'; readonly sku: string; readonly quantity: number }
  | { readonly type: 'restock'; readonly sku: string; readonly quantity: number }
  | { readonly type: 'edit_price'; readonly sku: string; readonly priceMinor: number }
  | { readonly type: 'edit_title'; readonly sku: string; readonly title: string };

/** A sandbox store with the hands of a shopper and a merchant. What they do reaches us by the store's own webhooks only. */
export interface Shelf {
  readonly name: string;
  /** Where it listens: trusted because we started it, not because of its address. */
  readonly origin: string;
  readonly credentials: StoreCredentials;
  list(): readonly ShelfItem[];
  /** The caller has looked that the SKU exists and can be sold. */
  act(action: ShelfAction): void;
  close(): Promise<void>;
}

export const DEMO_CURRENCY = 'USD';
export const DEMO_TIME_ZONE = 'America/New_York';
