import { managedBy, stockHolder } from './product-rules.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';

export interface ShelfRow {
  readonly productId: number;
  readonly variationId: number | null;
  readonly title: string;
  readonly sku: string;
  readonly regular: string;
  readonly sale: string;
  readonly stock: number | null;
  readonly manageStock: boolean | 'parent';
  readonly status: string;
}

/** One row for everything that can be bought: simple products and variations. */
export function listShelf(site: Site): ShelfRow[] {
  const rows: ShelfRow[] = [];
  for (const id of site.products.parentIds) {
    const product = site.products.find(id);
    if (!product || product.status === 'trash') continue;
    if (product.type !== 'variable') rows.push(row(site, product, null));
    for (const childId of product.variationIds) {
      const child = site.products.find(childId);
      if (child && child.status !== 'trash') rows.push(row(site, child, product));
    }
  }
  return rows;
}

function row(site: Site, record: ProductRecord, parent: ProductRecord | null): ShelfRow {
  return {
    productId: parent?.id ?? record.id,
    variationId: parent ? record.id : null,
    title: record.name,
    sku: record.sku,
    regular: record.regularPrice,
    sale: record.salePrice,
    stock: stockHolder(site, record)?.stock ?? null,
    manageStock: managedBy(site, record),
    status: parent?.status ?? record.status,
  };
}
