import { and, asc, eq, inArray, isNull, lt } from 'drizzle-orm';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type RefreshTokenRow, refreshToken, type SessionRow, session } from '../schema/session.ts';

export function insertSession(tx: Tx, row: SessionRow): void {
  tx.query.insert(session).values(row).run();
}

export function insertRefreshToken(tx: Tx, row: RefreshTokenRow): void {
  tx.query.insert(refreshToken).values(row).run();
}

export function markRefreshTokenRotated(tx: Tx, hash: string, at: number): void {
  tx.query.update(refreshToken).set({ rotatedAt: at }).where(eq(refreshToken.hash, hash)).run();
}

export function touchSession(tx: Tx, id: string, at: number, expiresAt: number): void {
  tx.query.update(session).set({ lastSeenAt: at, expiresAt }).where(eq(session.id, id)).run();
}

/** True when it was still good until now. */
export function revokeSession(tx: Tx, id: string, reason: string, at: number): boolean {
  const { changes } = tx.query
    .update(session)
    .set({ revokedAt: at, revokedReason: reason })
    .where(and(eq(session.id, id), isNull(session.revokedAt)))
    .run();
  return changes > 0;
}

export function deleteSessionsOf(tx: Tx, userId: UserId): void {
  const ids = tx.query.select({ id: session.id }).from(session).where(eq(session.userId, userId)).all();
  deleteSessions(
    tx,
    ids.map((row) => row.id),
  );
}

const forgetExpired = rawStatement<[before: number, max: number]>(
  `DELETE FROM refresh_token WHERE rowid IN (SELECT refresh_token.rowid FROM session
   JOIN refresh_token ON refresh_token.session_id = session.id WHERE session.expires_at < ? LIMIT ?)`,
);

/**
 * Takes away what expired before `before`: at most `limit` refresh tokens, of which one session may have thousands, and once they have gone at most `limit`
 * sessions, so that a sign-in never pays for much. Returns how many rows.
 */
export function deleteExpiredSessions(tx: Tx, before: number, limit: number): number {
  const tokens = forgetExpired(tx).run(before, limit).changes;
  if (tokens === limit) return tokens;
  const ids = tx.query.select({ id: session.id }).from(session).where(lt(session.expiresAt, before)).limit(limit).all();
  deleteSessions(
    tx,
    ids.map((row) => row.id),
  );
  return tokens + ids.length;
}

const forgetRotated = rawStatement<[before: number, max: number]>(
  'DELETE FROM refresh_token WHERE rowid IN (SELECT rowid FROM refresh_token WHERE rotated_at < ? LIMIT ?)',
);

/** Forgets refresh tokens that were exchanged before `before`, at most `max`. Returns how many. */
export function pruneRefreshTokens(tx: Tx, before: number, max: number): number {
  return forgetRotated(tx).run(before, max).changes;
}

/** Keeps at most `max` sessions of one person: the one not seen for longest goes first. */
export function trimSessions(tx: Tx, userId: UserId, max: number): void {
  const rows = tx.query
    .select({ id: session.id })
    .from(session)
    .where(eq(session.userId, userId))
    .orderBy(asc(session.lastSeenAt))
    .all();
  deleteSessions(
    tx,
    rows.slice(0, Math.max(0, rows.length - max)).map((row) => row.id),
  );
}

function deleteSessions(tx: Tx, ids: readonly string[]): void {
  if (ids.length === 0) return;
  tx.query.delete(refreshToken).where(inArray(refreshToken.sessionId, ids)).run();
  tx.query.delete(session).where(inArray(session.id, ids)).run();
}

/** Sessions of one person in one workspace end. */
export function revokeSessionsIn(tx: Tx, userId: UserId, workspaceId: WorkspaceId, reason: string, at: number): void {
  const here = and(eq(session.userId, userId), eq(session.workspaceId, workspaceId), isNull(session.revokedAt));
  tx.query.update(session).set({ revokedAt: at, revokedReason: reason }).where(here).run();
}

/** Sessions of one person in one workspace go on in another. */
export function moveSessions(tx: Tx, userId: UserId, from: WorkspaceId, to: WorkspaceId): void {
  tx.query
    .update(session)
    .set({ workspaceId: to })
    .where(and(eq(session.userId, userId), eq(session.workspaceId, from)))
    .run();
}
