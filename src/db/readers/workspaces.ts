import { asc, eq, sql } from 'drizzle-orm';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { type MembershipRow, membership, type WorkspaceRow, workspace } from '../schema/workspace.ts';

const byId = statement((query) =>
  query
    .select()
    .from(workspace)
    .where(eq(workspace.id, sql.placeholder('id')))
    .prepare(),
);

export function findWorkspace(db: Db, id: WorkspaceId): WorkspaceRow | null {
  return byId(db).get({ id }) ?? null;
}

/** Oldest first: the first is the one that a sign-in opens. */
export function listMemberships(db: Db, userId: UserId): MembershipRow[] {
  return db.query
    .select()
    .from(membership)
    .where(eq(membership.userId, userId))
    .orderBy(asc(membership.createdAt), asc(membership.workspaceId))
    .all();
}

export function listDemoWorkspaces(db: Db): WorkspaceRow[] {
  return db.query.select().from(workspace).where(eq(workspace.isDemo, true)).all();
}
