import type { HaltReason } from '../model/pair.ts';
import type { Price, ProductStatus } from '../model/product.ts';

/** The window over which destructive changes are counted, ms. */
export const GUARD_WINDOW_MS = 24 * 60 * 60 * 1000;

/** [G10] How long a person's consent lasts, ms: what halted the pair goes through in this time. */
export const GUARD_WAIVER_MS = 60 * 60 * 1000;

/** [G10] The same for a listing, which is looked at again by the next full scan. */
export const LISTING_WAIVER_MS = 36 * 60 * 60 * 1000;

/** [G1] How many destructive changes a pair takes in 24 hours without asking: 10 or 5 %, whichever is larger, never more than 250. */
export function guardLimit(linkedCount: number): number {
  return Math.min(250, Math.max(10, Math.floor(linkedCount / 20)));
}

/** Kinds of change that are counted, as they stand in the change history. */
export const GUARDED_CAUSES = ['delete', 'draft', 'zero', 'price_cut'] as const;
export type GuardedCause = (typeof GUARDED_CAUSES)[number];

export const HALT_BY_CAUSE: Readonly<Record<GuardedCause, HaltReason>> = {
  delete: 'mass_delete',
  draft: 'mass_draft',
  zero: 'mass_zero',
  price_cut: 'mass_price_cut',
};

/** Whether a product of this status can be bought. */
export function isOnSale(status: ProductStatus | undefined): boolean {
  return status === 'active' || status === 'unlisted';
}

/** [G2] A product that was sold and is put away. */
export function isDrafting(from: ProductStatus, to: ProductStatus): boolean {
  return isOnSale(from) && !isOnSale(to);
}

/** [G3] Stock that falls to nothing in one step from more than a customer buys at once: an outage more often than a sale. */
export function isZeroing(from: number, to: number): boolean {
  return from >= 5 && to <= 0;
}

/** [G4] A price cut to half or less. */
export function isPriceCut(from: Price, to: Price): boolean {
  const charged = (price: Price) => price.saleMinor ?? price.regularMinor;
  const before = charged(from);
  const after = charged(to);
  return before !== null && after !== null && before > 0 && after * 2 <= before;
}

/**
 * [G5][G6] Whether a complete listing may be believed: an empty one, or one that lost more than the guard allows, is more often an
 * outage than a wish. `before` is how many records the side was known to have.
 */
export function judgeListing(before: number, now: number): HaltReason | null {
  if (before > 0 && now === 0) return 'empty_listing';
  return before - now > guardLimit(before) ? 'shrunken_listing' : null;
}
