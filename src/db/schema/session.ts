import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UserId, WorkspaceId } from '../../model/ids.ts';

/** One signed-in device: a family of refresh tokens of which only the newest is good. */
export const session = sqliteTable(
  'session',
  {
    /** The family; it stands in access tokens, so that ending it ends them. */
    id: text().primaryKey(),
    userId: text('user_id').$type<UserId>().notNull(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    isRemembered: integer('is_remembered', { mode: 'boolean' }).notNull(),
    /** Sealed: address and browser, so that its owner can tell one from another. */
    device: text().notNull(),
    /** When the person last proved who they are, by password or code: protected actions ask for a recent one. */
    provedAt: integer('proved_at').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** logout, reuse, refreshed_too_often, life_over, password_change, password_reset, two_factor_reset, signed_out */
    revokedReason: text('revoked_reason'),
  },
  (t) => [index('session_user').on(t.userId), index('session_expires').on(t.expiresAt)],
);
export type SessionRow = typeof session.$inferSelect;

/** Refresh tokens of a session, by their SHA-256. A rotated one is kept for a month: shown again, it gives the thief away. */
export const refreshToken = sqliteTable(
  'refresh_token',
  {
    hash: text().primaryKey(),
    sessionId: text('session_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When it was exchanged for its successor; null: it is the good one. */
    rotatedAt: integer('rotated_at'),
  },
  (t) => [index('refresh_token_session').on(t.sessionId)],
);
export type RefreshTokenRow = typeof refreshToken.$inferSelect;
