import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Accuracy, Halt, HaltReason, PairSettings, PairStatus } from '../../model/pair.ts';

/** One WooCommerce store joined with one Shopify store. */
export const pair = sqliteTable(
  'pair',
  {
    id: text().$type<PairId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    woocommerceStoreId: text('woocommerce_store_id').$type<StoreId>().notNull(),
    shopifyStoreId: text('shopify_store_id').$type<StoreId>().notNull(),
    settings: text({ mode: 'json' }).$type<PairSettings>().notNull(),
    status: text().$type<PairStatus>().notNull(),
    halt: text({ mode: 'json' }).$type<Halt>(),
    /** Guard counts start here: a person who resumes a halted pair has accepted what came before. */
    guardSince: integer('guard_since').notNull(),
    /** A person who resumed a halted pair has looked: until then the guard counts, but does not halt. */
    guardWaivedUntil: integer('guard_waived_until'),
    /** What that person looked at: only this is let through. */
    guardWaivedReason: text('guard_waived_reason').$type<HaltReason>(),
    linkedAt: integer('linked_at'),
    /** Number of complete listings so far: what is absent from two of them is looked for. */
    scanNumber: integer('scan_number').notNull(),
    lastSyncAt: integer('last_sync_at'),
    /** Null until a full scan has measured it. */
    accuracy: text({ mode: 'json' }).$type<Accuracy>(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('pair_stores').on(t.woocommerceStoreId, t.shopifyStoreId),
    index('pair_workspace').on(t.workspaceId),
    index('pair_shopify').on(t.shopifyStoreId),
  ],
);
export type PairRow = typeof pair.$inferSelect;
