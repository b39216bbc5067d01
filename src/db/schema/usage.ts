import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { WorkspaceId } from '../../model/ids.ts';
import type { UsageKind, UsageLevel } from '../../model/usage.ts';

/** How much a workspace used in one hour or month. */
export const usage = sqliteTable(
  'usage',
  {
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    kind: text().$type<UsageKind>().notNull(),
    /** When the period began, ms. */
    since: integer().notNull(),
    count: integer().notNull(),
    /** Up to which level people were told; null: there was nothing to tell. */
    toldLevel: text('told_level').$type<UsageLevel>(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.kind, t.since] }), index('usage_since').on(t.since)],
);
export type UsageRow = typeof usage.$inferSelect;
