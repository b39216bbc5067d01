import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EndpointEvent, EndpointKind, EndpointStatus, MessageStatus } from '../../model/endpoint.ts';
import type { EndpointId, MessageId, WorkspaceId } from '../../model/ids.ts';

/** Where a workspace wants to be told of what happens: one outgoing webhook. */
export const endpoint = sqliteTable(
  'endpoint',
  {
    id: text().$type<EndpointId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    kind: text().$type<EndpointKind>().notNull(),
    /** Sealed: a chat's address is its password. */
    url: text().notNull(),
    description: text().notNull(),
    /** Empty: everything. */
    events: text({ mode: 'json' }).$type<readonly EndpointEvent[]>().notNull(),
    /** Sealed by the cipher port. */
    secret: text().notNull(),
    /** The secret before it was changed, sealed; messages are signed with both until `secretPreviousUntil`. */
    secretPrevious: text('secret_previous'),
    secretPreviousUntil: integer('secret_previous_until'),
    status: text().$type<EndpointStatus>().notNull(),
    /** Why it was switched off, when that was not a person. */
    statusReason: text('status_reason'),
    /** First failure since the last success, ms. */
    failingSince: integer('failing_since'),
    /** Number of the last journal event that was looked at for it. */
    seenSeq: integer('seen_seq').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('endpoint_workspace').on(t.workspaceId)],
);
export type EndpointRow = typeof endpoint.$inferSelect;

/** One message to one endpoint: what waits, and the log of what was sent. */
export const endpointMessage = sqliteTable(
  'endpoint_message',
  {
    id: text().$type<MessageId>().primaryKey(),
    endpointId: text('endpoint_id').$type<EndpointId>().notNull(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    type: text().notNull(),
    /** Exactly what is signed and sent. */
    body: text().notNull(),
    status: text().$type<MessageStatus>().notNull(),
    attempts: integer().notNull(),
    /** Of the last attempt: HTTP status (null: no answer), what went wrong, how long it took. */
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    lastMs: integer('last_ms'),
    nextAt: integer('next_at'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (t) => [
    index('endpoint_message_endpoint').on(t.endpointId, t.createdAt),
    // The log of one status, and what waits, without those of the others.
    index('endpoint_message_status').on(t.endpointId, t.status, t.createdAt, t.id),
    index('endpoint_message_created').on(t.createdAt),
  ],
);
export type EndpointMessageRow = typeof endpointMessage.$inferSelect;
