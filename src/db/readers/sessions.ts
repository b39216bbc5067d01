import { and, count, eq, sql } from 'drizzle-orm';
import { type Db, statement } from '../database.ts';
import { type RefreshTokenRow, refreshToken, type SessionRow, session } from '../schema/session.ts';
import { type UserRow, user } from '../schema/user.ts';
import { type MembershipRow, membership, type WorkspaceRow, workspace } from '../schema/workspace.ts';

const byId = statement((query) =>
  query
    .select({ session, user, membership, workspace })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(membership, and(eq(membership.userId, session.userId), eq(membership.workspaceId, session.workspaceId)))
    .innerJoin(workspace, eq(workspace.id, session.workspaceId))
    .where(eq(session.id, sql.placeholder('id')))
    .prepare(),
);

const byHash = statement((query) =>
  query
    .select()
    .from(refreshToken)
    .where(eq(refreshToken.hash, sql.placeholder('hash')))
    .prepare(),
);

const countOf = statement((query) =>
  query
    .select({ n: count() })
    .from(refreshToken)
    .where(eq(refreshToken.sessionId, sql.placeholder('sessionId')))
    .prepare(),
);

export interface SessionWithPerson {
  readonly session: SessionRow;
  readonly user: UserRow;
  readonly membership: MembershipRow;
  readonly workspace: WorkspaceRow;
}

/** The session with everything that a request is judged by; null also when the person left the workspace. Asked at each request. */
export function findSessionWithPerson(db: Db, id: string): SessionWithPerson | null {
  return byId(db).get({ id }) ?? null;
}

export function findRefreshToken(db: Db, hash: string): RefreshTokenRow | null {
  return byHash(db).get({ hash }) ?? null;
}

/** The good one, and those that were exchanged and are still kept. */
export function countRefreshTokens(db: Db, sessionId: string): number {
  return countOf(db).get({ sessionId })?.n ?? 0;
}

export function findSession(db: Db, id: string): SessionRow | null {
  return db.query.select().from(session).where(eq(session.id, id)).get() ?? null;
}
