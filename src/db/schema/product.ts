import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { FieldSeen, ProductIntent, RemovedBase, StockState } from '../../model/hub.ts';
import type { PairId, ProductId, StoreId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductStatus } from '../../model/product.ts';

/** Hub record of a product: what we hold to be true of it, with all variants, in canonical form. */
export const product = sqliteTable(
  'product',
  {
    id: text().$type<ProductId>().primaryKey(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    data: text({ mode: 'json' }).$type<CanonicalProduct>().notNull(),
    /** Which side moved a field last and when we saw it; kept only while some side still has to follow. */
    seen: text({ mode: 'json' }).$type<FieldSeen>().notNull(),
    state: text().$type<'live' | 'deleted'>().notNull(),
    /** The side that it was deleted on; null while it is live. */
    deletedOn: text('deleted_on').$type<Side>(),
    /** Status before a delete archived the counterpart, so that a restore restores. */
    priorStatus: text('prior_status').$type<ProductStatus>(),
    title: text().notNull(),
    /** The title as namesakes are told by it: `titleKey`. */
    titleKey: text('title_key').notNull(),
    imageUrl: text('image_url').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('product_pair').on(t.pairId, t.id),
    // For lists and counts of the dashboard: rows are wide, and these are read instead.
    index('product_recent').on(t.pairId, t.updatedAt, t.id, t.title),
    index('product_title').on(t.pairId, t.titleKey),
    index('product_deleted').on(t.pairId, t.id).where(sql`state = 'deleted'`),
  ],
);
export type ProductRow = typeof product.$inferSelect;

/** Ties a hub product to its record on one side, with that side's base. */
export const productBinding = sqliteTable(
  'product_binding',
  {
    productId: text('product_id').$type<ProductId>().notNull(),
    side: text().$type<Side>().notNull(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    storeId: text('store_id').$type<StoreId>().notNull(),
    /** Null while a create is under way (its intent says so). */
    externalId: text('external_id'),
    /** What hub and side last agreed on, as the side shows it. Null: it is represent(hub). */
    base: text({ mode: 'json' }).$type<CanonicalProduct>(),
    /** The write that is open, if any. While it is, nothing else is planned here. */
    intent: text({ mode: 'json' }).$type<ProductIntent>(),
    /** Until then an open intent's request may still land, ms. */
    fencedUntil: integer('fenced_until'),
    adminUrl: text('admin_url').notNull(),
    /** When the record was made, by its shop's own word as it was last read, ms; null: not known. */
    madeAt: integer('made_at'),
    /** Number of the last complete listing that showed it. */
    seenInScan: integer('seen_in_scan').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.side] }),
    uniqueIndex('product_binding_external').on(t.pairId, t.side, t.externalId),
    index('product_binding_store').on(t.storeId, t.externalId),
    index('product_binding_linked').on(t.pairId, t.productId, t.externalId).where(sql`external_id IS NOT NULL`),
    index('product_binding_open').on(t.pairId, t.productId).where(sql`intent IS NOT NULL`),
  ],
);
export type ProductBindingRow = typeof productBinding.$inferSelect;

/** A hub variant: identity and stock. Its other fields live in its product's `data`. */
export const variant = sqliteTable(
  'variant',
  {
    id: text().$type<VariantId>().primaryKey(),
    productId: text('product_id').$type<ProductId>().notNull(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    /** True stock of the pair: initial + every outside change. May be negative: oversold. */
    quantity: integer().notNull(),
    stockState: text('stock_state').$type<StockState>().notNull(),
    /** What buffer and cap kept back of stock that is not counted at present, where they were changed since; null: what they keep back now. */
    keptBack: integer('kept_back'),
    /** What the side that it was removed on was last known to hold, and as which record; null: it was not, or no other side has it. */
    removedBase: text('removed_base', { mode: 'json' }).$type<RemovedBase>(),
    /** Keys that first links and look-ups match by. */
    sku: text().notNull(),
    barcode: text().notNull(),
  },
  (t) => [
    index('variant_product').on(t.productId),
    // SKUs are looked up whatever their letter case: `lib/record-keys.ts`.
    index('variant_sku').on(t.pairId, sql`sku COLLATE NOCASE`),
    index('variant_barcode').on(t.pairId, t.barcode),
  ],
);
export type VariantRow = typeof variant.$inferSelect;

/** Ties a hub variant to its record and stock item on one side; the stock's base and open intent. */
export const variantBinding = sqliteTable(
  'variant_binding',
  {
    variantId: text('variant_id').$type<VariantId>().notNull(),
    side: text().$type<Side>().notNull(),
    productId: text('product_id').$type<ProductId>().notNull(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    storeId: text('store_id').$type<StoreId>().notNull(),
    externalId: text('external_id').notNull(),
    stockId: text('stock_id').notNull(),
    /** What the side was last known to hold. */
    baseQuantity: integer('base_quantity').notNull(),
    baseTracked: integer('base_tracked', { mode: 'boolean' }).notNull(),
    intentFrom: integer('intent_from'),
    intentTo: integer('intent_to'),
    intentKey: text('intent_key'),
    intentSentAt: integer('intent_sent_at'),
    fencedUntil: integer('fenced_until'),
    /** Lower bound of a change that was seen while the intent's fate is unknown; never above 0. */
    provisional: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.variantId, t.side] }),
    uniqueIndex('variant_binding_external').on(t.pairId, t.side, t.externalId),
    index('variant_binding_stock').on(t.storeId, t.stockId),
    index('variant_binding_product').on(t.productId),
    index('variant_binding_open').on(t.pairId, t.productId).where(sql`intent_key IS NOT NULL`),
  ],
);
export type VariantBindingRow = typeof variantBinding.$inferSelect;
