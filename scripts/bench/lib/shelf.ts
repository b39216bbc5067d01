import type { Store } from './processes.ts';

export interface Item {
  readonly sku: string;
  readonly wooId: number;
  readonly inventoryItemId: string;
}

interface ShopifyRow {
  readonly sku: string | null;
  readonly inventoryItemId: string;
  readonly available: number;
}

interface WooRow {
  readonly productId: number;
  readonly variationId?: number | null;
  readonly sku: string;
  readonly stock: number | null;
}

/** Every SKU with its address in both stores. */
export async function listItems(woo: Store, shopify: Store): Promise<readonly Item[]> {
  const wooIds = new Map((await woo.control<WooRow[]>('listShelf')).map((row) => [row.sku, row.productId]));
  return (await shopify.control<ShopifyRow[]>('listShelf')).flatMap(({ sku, inventoryItemId }) => {
    const wooId = sku === null ? undefined : wooIds.get(sku);
    return sku === null || wooId === undefined ? [] : [{ sku, wooId, inventoryItemId }];
  });
}

export async function wooStock(woo: Store): Promise<ReadonlyMap<string, number>> {
  return new Map((await woo.control<WooRow[]>('listShelf')).map((row) => [row.sku, row.stock ?? 0]));
}

export async function shopifyStock(shopify: Store): Promise<ReadonlyMap<string, number>> {
  return new Map((await shopify.control<ShopifyRow[]>('listShelf')).map((row) => [row.sku ?? '', row.available]));
}

/** How many SKUs do not hold what they should. */
export function wrong(stock: ReadonlyMap<string, number>, truth: ReadonlyMap<string, number>): number {
  return [...truth].filter(([sku, quantity]) => stock.get(sku) !== quantity).length;
}
