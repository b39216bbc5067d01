import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AlertKind, AlertSettings } from '../../model/alert.ts';
import type { WorkspaceId } from '../../model/ids.ts';

/** How a workspace wants to be told; absent: the defaults. */
export const alertSettings = sqliteTable('alert_settings', {
  workspaceId: text('workspace_id').$type<WorkspaceId>().primaryKey(),
  settings: text({ mode: 'json' }).$type<AlertSettings>().notNull(),
});

/** Something that people are to be told of. The same thing again, before it was sent, counts up. */
export const alert = sqliteTable(
  'alert',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    /** What it is about, so that the same trouble is one line. */
    subject: text().notNull(),
    message: text().notNull(),
    count: integer().notNull(),
    /** Not before, ms. */
    dueAt: integer('due_at').notNull(),
    raisedAt: integer('raised_at').notNull(),
    sentAt: integer('sent_at'),
    /** To how many it was sent then; what became of each message stands in the outbox and with the endpoint. */
    emailCount: integer('email_count').notNull(),
    chatCount: integer('chat_count').notNull(),
  },
  (t) => [
    uniqueIndex('alert_waiting').on(t.workspaceId, t.kind, t.subject).where(sql`sent_at IS NULL`),
    index('alert_raised').on(t.raisedAt),
    // What one workspace was told, newest first, without what all others were.
    index('alert_workspace').on(t.workspaceId, t.raisedAt),
  ],
);
export type AlertRow = typeof alert.$inferSelect;
