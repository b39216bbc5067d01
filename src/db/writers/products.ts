import { and, eq, sql } from 'drizzle-orm';
import type { ProductId, StoreId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { cachedInsert, cachedUpdate } from '../cached-update.ts';
import { statement, type Tx } from '../database.ts';
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

export function deleteProduct(tx: Tx, id: ProductId): void {
  tx.query.delete(variantBinding).where(eq(variantBinding.productId, id)).run();
  tx.query.delete(variant).where(eq(variant.productId, id)).run();
  tx.query.delete(productBinding).where(eq(productBinding.productId, id)).run();
  tx.query.delete(product).where(eq(product.id, id)).run();
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

export function deleteProductBinding(tx: Tx, id: ProductId, side: Side): void {
  tx.query
    .delete(productBinding)
    .where(and(eq(productBinding.productId, id), eq(productBinding.side, side)))
    .run();
}

export function insertVariant(tx: Tx, row: VariantRow): void {
  cachedInsert(tx, variant, row);
}

export function updateVariant(tx: Tx, id: VariantId, set: Partial<Omit<VariantRow, 'id'>>): void {
  cachedUpdate(tx, variant, set, { id });
}

const moveQuantity = statement((query) =>
  query
    .update(variant)
    .set({ quantity: sql`${variant.quantity} + ${sql.placeholder('delta')}` })
    .where(eq(variant.id, sql.placeholder('id')))
    .prepare(),
);

/** The counter: outside changes add up, whichever side they come from. */
export function addToQuantity(tx: Tx, id: VariantId, delta: number): void {
  moveQuantity(tx).run({ id, delta });
}

export function upsertVariantBinding(tx: Tx, row: VariantBindingRow): void {
  cachedInsert(tx, variantBinding, row, ['variantId', 'side']);
}

const setStockBase = statement((query) =>
  query
    .update(variantBinding)
    .set({
      baseQuantity: sql`${sql.placeholder('quantity')}`,
      baseTracked: sql`${sql.placeholder('tracked')}`,
      intentFrom: null,
      intentTo: null,
      intentKey: null,
      intentSentAt: null,
      fencedUntil: null,
      provisional: 0,
    })
    .where(and(eq(variantBinding.variantId, sql.placeholder('id')), eq(variantBinding.side, sql.placeholder('side'))))
    .prepare(),
);

/** A side's base moves, and no intent is open on it any more. */
export function settleStockBase(tx: Tx, id: VariantId, side: Side, quantity: number, tracked: boolean): void {
  setStockBase(tx).run({ id, side, quantity, tracked: tracked ? 1 : 0 });
}

const setStockIntent = statement((query) =>
  query
    .update(variantBinding)
    .set({
      intentFrom: sql`${sql.placeholder('from')}`,
      intentTo: sql`${sql.placeholder('to')}`,
      intentKey: sql`${sql.placeholder('key')}`,
      intentSentAt: sql`${sql.placeholder('sentAt')}`,
      fencedUntil: sql`${sql.placeholder('fencedUntil')}`,
    })
    .where(and(eq(variantBinding.variantId, sql.placeholder('id')), eq(variantBinding.side, sql.placeholder('side'))))
    .prepare(),
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
  setStockIntent(tx).run({ id, side, ...intent });
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
  tx.query
    .delete(variantBinding)
    .where(and(eq(variantBinding.productId, id), eq(variantBinding.side, side)))
    .run();
}

/** A repeated request may land until a new moment; key and expectation stay what they were. */
export function updateIntentTime(tx: Tx, id: VariantId, side: Side, sentAt: number, fencedUntil: number): void {
  updateVariantBinding(tx, id, side, { intentSentAt: sentAt, fencedUntil });
}

export function deleteVariantBinding(tx: Tx, id: VariantId, side: Side): void {
  tx.query
    .delete(variantBinding)
    .where(and(eq(variantBinding.variantId, id), eq(variantBinding.side, side)))
    .run();
}

const capStock = rawStatement<[until: number, store: string]>(
  'UPDATE variant_binding SET fenced_until = min(fenced_until, ?) WHERE store_id = ? AND intent_key IS NOT NULL',
);
const capProducts = rawStatement<[until: number, store: string]>(
  'UPDATE product_binding SET fenced_until = min(fenced_until, ?) WHERE store_id = ? AND intent IS NOT NULL',
);

/** No open intent of this store is fenced for longer than until this moment. */
export function capStoreFences(tx: Tx, storeId: StoreId, untilMs: number): void {
  capStock(tx).run(untilMs, storeId);
  capProducts(tx).run(untilMs, storeId);
}
