import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Platform } from '../../model/platform.ts';
import type { Finding, StoreInfo } from '../../model/store-info.ts';

/** One connected shop. Credentials and webhook secrets are sealed by the cipher port. */
export const store = sqliteTable(
  'store',
  {
    id: text().$type<StoreId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    platform: text().$type<Platform>().notNull(),
    name: text().notNull(),
    /** Address as connected: a site URL (WooCommerce) or a shop domain (Shopify). */
    address: text().notNull(),
    /** The platform's own identity of the shop: the same shop is connected once per workspace. */
    identity: text().notNull(),
    credentials: text().notNull(),
    webhookSecret: text('webhook_secret').notNull(),
    /** Those of before, each good for a day after it was replaced. */
    webhookSecretPrevious: text('webhook_secret_previous'),
    status: text().$type<'connected' | 'error' | 'disconnected'>().notNull(),
    statusReason: text('status_reason'),
    info: text({ mode: 'json' }).$type<StoreInfo>(),
    findings: text({ mode: 'json' }).$type<readonly Finding[]>().notNull(),
    /** Addresses (CIDR) that webhooks may come from; null: from anywhere, as long as they are signed. */
    webhookSources: text('webhook_sources', { mode: 'json' }).$type<readonly string[]>(),
    isSandbox: integer('is_sandbox', { mode: 'boolean' }).notNull(),
    /** Cursor of `listChanged`, opaque. */
    changedCursor: text('changed_cursor'),
    lastContactAt: integer('last_contact_at'),
    webhooksCheckedAt: integer('webhooks_checked_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('store_identity').on(t.workspaceId, t.platform, t.identity)],
);
export type StoreRow = typeof store.$inferSelect;
