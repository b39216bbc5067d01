import { Refusal } from '../model/refusal.ts';
import { QUANTITY_MAX } from '../model/stock.ts';
import type { ShelfAction, ShelfItem } from './shelf.ts';

/** What a shop could not do with this item; null: it has none of that SKU. */
export function refuseAction(item: ShelfItem | null, action: ShelfAction): asserts item is ShelfItem {
  if (item === null) throw new Refusal('NOT_FOUND', `There is nothing with SKU ${action.sku} on this shelf.`);
  if (action.type === 'sell' && item.stock !== null && item.stock < action.quantity) {
    const left = item.stock <= 0 ? 'It is sold out' : `There are only ${item.stock}`;
    throw new Refusal('OUT_OF_STOCK', `${left}. Restock it first.`, { stock: item.stock });
  }
  if (action.type === 'restock' && (item.stock ?? 0) + action.quantity > QUANTITY_MAX / 1000) {
    const message = 'value: that is more than this shelf holds';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'value', message }] });
  }
}
