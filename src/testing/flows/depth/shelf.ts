import type { Side } from '../../../model/platform.ts';
import type { Shops } from './shops.ts';

/** One thing on a shelf as the store's own admin shows it: read past our connectors, so that their mistakes can't hide themselves. */
export interface ShelfItem {
  readonly side: Side;
  readonly productId: string;
  /** What the sandbox's controls call it. */
  readonly ref: string;
  readonly stockId: string;
  readonly variantId: string;
  readonly title: string;
  readonly sku: string;
  readonly isForSale: boolean;
  readonly isVariable: boolean;
  /** Price charged and crossed-out price, in minor units of two digits; null: none. */
  readonly price: number | null;
  readonly was: number | null;
  /** Null: not counted. */
  readonly stock: number | null;
}

export function shelfOf({ woo, shopify }: Shops, side: Side): readonly ShelfItem[] {
  if (side === 'shopify') {
    return shopify.controls.listShelf().map((row) => ({
      side,
      productId: row.productId,
      ref: row.variantId,
      stockId: row.inventoryItemId,
      variantId: row.variantId,
      title: row.title,
      sku: row.sku ?? '',
      isForSale: row.status === 'ACTIVE',
      isVariable: row.variantTitle !== 'Default Title',
      price: minor(row.price),
      was: row.compareAtPrice === null ? null : minor(row.compareAtPrice),
      stock: row.tracked ? row.available : null,
    }));
  }
  return woo.controls.listShelf().map((row) => {
    const isVariation = row.variationId !== null;
    const id = String(row.variationId ?? row.productId);
    return {
      side,
      productId: String(row.productId),
      ref: id,
      stockId: isVariation ? `v:${row.productId}:${id}` : `p:${id}`,
      variantId: id,
      title: row.title,
      sku: row.sku,
      isForSale: row.status === 'publish',
      isVariable: isVariation,
      price: minor(row.sale === '' ? row.regular : row.sale),
      was: row.sale === '' ? null : minor(row.regular),
      stock: row.manageStock === true ? row.stock : null,
    };
  });
}

function minor(text: string): number | null {
  return text === '' ? null : Math.round(Number(text) * 100);
}
