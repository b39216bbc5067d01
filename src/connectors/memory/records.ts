import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { Mark, ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';

/** A variant as the platform itself holds it. */
export interface VariantRecord {
  readonly id: string;
  readonly stockId: string;
  fields: VariantFields;
  isTracked: boolean;
  quantity: number;
  /** Key of our last stock write, where the platform carries one. */
  stamp: string | null;
  isArchived: boolean;
  /** Has a level at the mapped location. */
  isStocked: boolean;
}

/** A product as the platform itself holds it. Times are the store's own, except where they say true. */
export interface ProductRecord {
  readonly id: string;
  /** 1, 2, 3, ... in the order of creation. */
  readonly order: number;
  fields: ProductFields;
  variants: VariantRecord[];
  marks: Mark[];
  isTrashed: boolean;
  readonly createdAt: number;
  modifiedAt: number;
  /** True time from which listings by modification time show the last change. */
  visibleAt: number;
  /** True time from which search knows its SKUs. */
  searchableAt: number;
}

export interface StockItem {
  readonly product: ProductRecord;
  readonly variant: VariantRecord;
}

export interface NewVariantRecord {
  readonly fields: VariantFields;
  readonly stock: { readonly tracked: boolean; readonly quantity: number };
}

export interface NewProductRecord {
  readonly fields: ProductFields;
  readonly variants: readonly NewVariantRecord[];
}

export function stockSnapshotOf(variant: VariantRecord): StockSnapshot {
  const { isTracked, isStocked, quantity, stamp } = variant;
  if (isTracked && !isStocked) return { tracked: false, quantity: 0, stamp, limited: 'elsewhere' };
  return { tracked: isTracked, quantity: isStocked ? quantity : 0, stamp };
}

/** A variant that was put away is not there for a reader, as a product in the bin isn't: it counts as deleted and can come back. */
export function snapshotOf(product: ProductRecord): ProductSnapshot {
  const variants: VariantSnapshot[] = [];
  for (const variant of product.variants) {
    if (variant.isArchived) continue;
    const { id: externalId, stockId, fields } = variant;
    variants.push({ externalId, stockId, fields, stock: stockSnapshotOf(variant) });
  }
  return {
    externalId: product.id,
    // Fields are replaced, never changed in place: a snapshot may share them.
    fields: product.fields,
    variants,
    marks: [...product.marks],
    trashed: product.isTrashed,
    unsyncable: null,
    modifiedAt: product.modifiedAt,
    adminUrl: '',
    imageUrl: '',
    passthrough: null,
  };
}

export const markKey = (mark: Mark): string => `${mark.pairId} ${mark.hubId}`;
