import type { VariantId } from './ids.ts';

export const PRODUCT_STATUSES = ['active', 'draft', 'unlisted', 'archived'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export const BACKORDER_RULES = ['no', 'notify', 'yes'] as const;
export type BackorderRule = (typeof BACKORDER_RULES)[number];

/**
 * One compound field: WooCommerce's regular/sale and Shopify's price/compare-at say the same thing in two ways, and
 * merging their halves apart would invent prices that nobody set. Integer minor units of the store's currency.
 * `regularMinor` null: the variant has no price (WooCommerce allows it; it is never written out as 0).
 * `saleMinor` is the price charged now, when a sale is on; always below `regularMinor`.
 */
export interface Price {
  readonly regularMinor: number | null;
  readonly saleMinor: number | null;
}

/** The fields of a product that belong to the product as a whole. */
export interface ProductFields {
  readonly title: string;
  readonly descriptionHtml: string;
  readonly status: ProductStatus;
  readonly tags: readonly string[];
  /** Names of the options, in order; empty for a product that has a single variant without options. At most 3. */
  readonly optionNames: readonly string[];
  /** URL slug. Travels on create only: a later change would break addresses. */
  readonly handle: string;
}

/** The fields of one variant. Its stock is a counter of its own and lives in `stock.ts`. */
export interface VariantFields {
  readonly sku: string;
  /** GTIN as the platform has it; '' when none. */
  readonly barcode: string;
  readonly price: Price;
  /** Integer milligrams, null when unknown. */
  readonly weightMg: number | null;
  /** One value for each of the product's `optionNames`, same order. */
  readonly optionValues: readonly string[];
  readonly backorders: BackorderRule;
  /** Whether tax is charged on it. Travels on create only. */
  readonly taxable: boolean;
  /** Whether it is a thing to be sent; false for downloads and services. Travels on create only. */
  readonly requiresShipping: boolean;
}

/** What the hub holds of one product: its fields and its variants by hub variant id, in no particular order. */
export interface CanonicalProduct {
  readonly fields: ProductFields;
  readonly variants: Readonly<Record<VariantId, VariantFields>>;
}

export type ProductFieldName = keyof ProductFields;
export type VariantFieldName = keyof VariantFields;

/** Hard limits of the canonical form; beyond them a product is refused whole, with the reason. */
export const PRODUCT_LIMITS = { optionNamesMax: 3, variantsMax: 2048, tagsMax: 250, textMax: 255 } as const;
