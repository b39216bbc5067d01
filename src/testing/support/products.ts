import type { SideInput } from '../../core/reconciliation.ts';
import type { VariantId } from '../../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS, type PairSettings } from '../../model/pair.ts';
import type { Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';

/** Builders for tests: a plain mug with one variant, and what is different about it this time. */

export const V1 = 'var_1' as VariantId;
export const V2 = 'var_2' as VariantId;

export function settings(change: Partial<PairSettings> = {}): PairSettings {
  return { ...DEFAULT_PAIR_SETTINGS, ...change };
}

export function fields(change: Partial<ProductFields> = {}): ProductFields {
  return {
    title: 'Mug',
    descriptionHtml: '<p>Holds tea.</p>',
    status: 'active',
    tags: ['kitchen'],
    optionNames: [],
    handle: 'mug',
    ...change,
  };
}

export function variant(change: Partial<VariantFields> = {}): VariantFields {
  return {
    sku: 'MUG',
    barcode: '',
    price: { regularMinor: 1000, saleMinor: null },
    weightMg: 250_000,
    optionValues: [],
    backorders: 'no',
    taxable: true,
    requiresShipping: true,
    ...change,
  };
}

export function product(
  change: Partial<ProductFields> = {},
  variants: Readonly<Record<string, VariantFields>> = { [V1]: variant() },
): CanonicalProduct {
  return { fields: fields(change), variants: variants as CanonicalProduct['variants'] };
}

export function stock(quantity: number, change: Partial<StockSnapshot> = {}): StockSnapshot {
  return { tracked: true, quantity, stamp: null, ...change };
}

export function variantSnapshot(externalId: string, change: Partial<VariantFields> = {}): VariantSnapshot {
  return { externalId, stockId: `stock-${externalId}`, fields: variant(change), stock: stock(5) };
}

export function snapshot(change: Partial<ProductSnapshot> = {}): ProductSnapshot {
  return {
    externalId: '101',
    fields: fields(),
    variants: [variantSnapshot('201')],
    marks: [],
    trashed: false,
    unsyncable: null,
    modifiedAt: null,
    adminUrl: '',
    imageUrl: '',
    passthrough: null,
    ...change,
  };
}

export function side(
  name: Side,
  base: CanonicalProduct,
  remote: CanonicalProduct | null,
  change: Partial<SideInput> = {},
): SideInput {
  return { side: name, base, remote, represent: (whole) => whole, readAt: 1_000, ...change };
}
