import type { BackorderRule } from '../../model/product.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import { readStamp } from './marks.ts';
import type { WireStockItem } from './wire.ts';

/**
 * Stock as the item reports it. A variation whose stock is kept at its parent (`manage_stock: "parent"`) has no number
 * of its own: it counts as untracked, so that one shared number is never added up several times, and writing to it is
 * refused.
 */
export function importStock(item: WireStockItem): StockSnapshot {
  const tracked = item.manage_stock === true;
  const quantity = tracked ? quantityOf(item) : 0;
  return {
    tracked,
    quantity: Number.isFinite(quantity) ? Math.floor(quantity) : 0,
    stamp: readStamp(item.meta_data),
    ...limitOf(item),
  };
}

/** "Out of stock", set by hand on what is not counted; and the stock that all variations of a product share. */
function limitOf(item: WireStockItem): Pick<StockSnapshot, 'limited'> {
  if (item.manage_stock === true) return {};
  if (item.stock_status === 'outofstock') return { limited: 'sold_out' };
  return item.manage_stock === 'parent' ? { limited: 'shared' } : {};
}

/** Plugins allow "1.5" m of cloth, and write numbers their own way ("1,234"): such an item can't be counted in whole units, and is not sold out. */
export function hasFractionalStock(item: WireStockItem): boolean {
  return item.manage_stock === true && !Number.isInteger(quantityOf(item));
}

export function importBackorders(item: { readonly manage_stock: unknown; readonly backorders: string }): BackorderRule {
  // WooCommerce resets the rule to "no" when it stops counting an item; a leftover means nothing.
  if (item.manage_stock !== true) return 'no';
  return item.backorders === 'notify' || item.backorders === 'yes' ? item.backorders : 'no';
}

function quantityOf(item: WireStockItem): number {
  return Number(item.stock_quantity ?? 0);
}
