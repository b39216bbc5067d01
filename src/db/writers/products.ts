import type { ProductId, StoreId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { cachedInsert, cachedUpdate } from '../cached-update.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import {
  type ProductBindingRow,
  type ProductRow,
  product,
  productBinding,
  type VariantBindingRow,
  type VariantRow,
  variant,
  variantBinding,
} from '../schema/product.ts';

export function insertProduct(tx: Tx, row: ProductRow): void {
  cachedInsert(tx, product, row);
}

export function updateProduct(tx: Tx, id: ProductId, set: Partial<Omit<ProductRow, 'id'>>): void {
  cachedUpdate(tx, product, set, { id });
}

export function upsertProductBinding(tx: Tx, row: ProductBindingRow): void {
  cachedInsert(tx, productBinding, row, ['productId', 'side']);
}

export function updateProductBinding(
  tx: Tx,
  id: ProductId,
  side: Side,
  set: Partial<Omit<ProductBindingRow, 'productId' | 'side'>>,
): void {
  cachedUpdate(tx, productBinding, set, { productId: id, side });
}

const markSent = rawStatement<[sentAt: number, fencedUntil: number, id: string, side: string]>(
  `UPDATE product_binding SET intent = json_set(intent, '$.sentAt', ?), fenced_until = ?
   WHERE product_id = ? AND side = ? AND intent IS NOT NULL`,
);

/** An intent's request leaves now; until `fencedUntil` it may land. */
export function markProductSent(tx: Tx, id: ProductId, side: Side, sentAt: number, fencedUntil: number): void {
  markSent(tx).run(sentAt, fencedUntil, id, side);
}

const moveUrls = rawStatement<[to: string, from: string, store: string, from: string, from: string]>(
  `UPDATE product_binding SET admin_url = ? || substr(admin_url, length(?) + 1)
   WHERE store_id = ? AND substr(admin_url, 1, length(?) + 1) = ? || '/'`,
);

/** A store has another address: the pages of its records that begin with `from` begin with `to`. */
export function moveAdminUrls(tx: Tx, storeId: StoreId, from: string, to: string): void {
  moveUrls(tx).run(to, from, storeId, from, from);
}

const unbindProduct = rawStatement<[product: string, side: string]>(
  'DELETE FROM product_binding WHERE product_id = ? AND side = ?',
);
const unbindVariants = rawStatement<[product: string, side: string]>(
  'DELETE FROM variant_binding WHERE product_id = ? AND side = ?',
);
const unbindVariant = rawStatement<[variant: string, side: string]>(
  'DELETE FROM variant_binding WHERE variant_id = ? AND side = ?',
);

export function deleteProductBinding(tx: Tx, id: ProductId, side: Side): void {
  unbindProduct(tx).run(id, side);
}

export function insertVariant(tx: Tx, row: VariantRow): void {
  cachedInsert(tx, variant, row);
}

export function updateVariant(tx: Tx, id: VariantId, set: Partial<Omit<VariantRow, 'id'>>): void {
  cachedUpdate(tx, variant, set, { id });
}

const moveQuantity = rawStatement<[delta: number, id: string]>(
  'UPDATE variant SET quantity = quantity + ? WHERE id = ?',
);

/** The counter: outside changes add up, whichever side they come from. */
export function addToQuantity(tx: Tx, id: VariantId, delta: number): void {
  moveQuantity(tx).run(delta, id);
}

export function upsertVariantBinding(tx: Tx, row: VariantBindingRow): void {
  cachedInsert(tx, variantBinding, row, ['variantId', 'side']);
}

const setStockBase = rawStatement<[quantity: number, tracked: number, id: string, side: string]>(
  `UPDATE variant_binding SET base_quantity = ?, base_tracked = ?, intent_from = NULL, intent_to = NULL, intent_key = NULL,
     intent_sent_at = NULL, fenced_until = NULL, provisional = 0 WHERE variant_id = ? AND side = ?`,
);

/** A side's base moves, and no intent is open on it any more. */
export function settleStockBase(tx: Tx, id: VariantId, side: Side, quantity: number, tracked: boolean): void {
  setStockBase(tx).run(quantity, tracked ? 1 : 0, id, side);
}

const setStockIntent = rawStatement<
  [from: number, to: number, key: string, sentAt: number, fencedUntil: number, id: string, side: string]
>(
  `UPDATE variant_binding SET intent_from = ?, intent_to = ?, intent_key = ?, intent_sent_at = ?, fenced_until = ?
   WHERE variant_id = ? AND side = ?`,
);

/** Intent before effect: stored before the request is sent. */
export function openStockIntent(
  tx: Tx,
  id: VariantId,
  side: Side,
  intent: {
    readonly from: number;
    readonly to: number;
    readonly key: string;
    readonly sentAt: number;
    readonly fencedUntil: number;
  },
): void {
  const { from, to, key, sentAt, fencedUntil } = intent;
  setStockIntent(tx).run(from, to, key, sentAt, fencedUntil, id, side);
}

export function updateVariantBinding(
  tx: Tx,
  id: VariantId,
  side: Side,
  set: Partial<Omit<VariantBindingRow, 'variantId' | 'side'>>,
): void {
  cachedUpdate(tx, variantBinding, set, { variantId: id, side });
}

export function deleteVariantBindings(tx: Tx, id: ProductId, side: Side): void {
  unbindVariants(tx).run(id, side);
}

export function deleteVariantBinding(tx: Tx, id: VariantId, side: Side): void {
  unbindVariant(tx).run(id, side);
}

// By the few that are open: a look at each item of a large shop holds up the start.
const capStock = rawStatement<[until: number, store: string]>(
  `UPDATE variant_binding INDEXED BY variant_binding_open SET fenced_until = min(fenced_until, ?)
   WHERE store_id = ? AND intent_key IS NOT NULL`,
);
const capProducts = rawStatement<[until: number, store: string]>(
  `UPDATE product_binding INDEXED BY product_binding_open SET fenced_until = min(fenced_until, ?)
   WHERE store_id = ? AND intent IS NOT NULL`,
);

/** No open intent of this store is fenced for longer than until this moment. */
export function capStoreFences(tx: Tx, storeId: StoreId, untilMs: number): void {
  capStock(tx).run(untilMs, storeId);
  capProducts(tx).run(untilMs, storeId);
}
