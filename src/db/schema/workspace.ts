import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import type { WorkspaceRole } from '../../model/role.ts';

/** Owns stores, pairs, runs and everything else; people belong to it by membership. */
export const workspace = sqliteTable(
  'workspace',
  {
    id: text().$type<WorkspaceId>().primaryKey(),
    name: text().notNull(),
    isDemo: integer('is_demo', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('workspace_demo').on(t.isDemo)],
);
export type WorkspaceRow = typeof workspace.$inferSelect;

export const membership = sqliteTable(
  'membership',
  {
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    userId: text('user_id').$type<UserId>().notNull(),
    role: text().$type<WorkspaceRole>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.userId] }), index('membership_user').on(t.userId)],
);
export type MembershipRow = typeof membership.$inferSelect;
