import { and, asc, eq, sql } from 'drizzle-orm';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { type UserRow, user } from '../schema/user.ts';
import { type MembershipRow, membership, type WorkspaceRow, workspace } from '../schema/workspace.ts';

const byId = statement((query) =>
  query
    .select()
    .from(workspace)
    .where(eq(workspace.id, sql.placeholder('id')))
    .prepare(),
);

const membershipById = statement((query) =>
  query
    .select()
    .from(membership)
    .where(
      and(eq(membership.workspaceId, sql.placeholder('workspaceId')), eq(membership.userId, sql.placeholder('userId'))),
    )
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

/** Asked before each live message. */
export function findMembership(db: Db, workspaceId: WorkspaceId, userId: string): MembershipRow | null {
  return membershipById(db).get({ workspaceId, userId }) ?? null;
}

/** Who belongs to a workspace, who came first first. */
export function listMembers(
  db: Db,
  workspaceId: WorkspaceId,
): { readonly membership: MembershipRow; readonly user: UserRow }[] {
  return db.query
    .select({ membership, user })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.workspaceId, workspaceId))
    .orderBy(asc(membership.createdAt), asc(membership.userId))
    .all();
}

/** The workspaces that a person belongs to, with their part in each. */
export function listWorkspacesOf(
  db: Db,
  userId: UserId,
): { readonly workspace: WorkspaceRow; readonly membership: MembershipRow }[] {
  return db.query
    .select({ workspace, membership })
    .from(membership)
    .innerJoin(workspace, eq(workspace.id, membership.workspaceId))
    .where(eq(membership.userId, userId))
    .orderBy(asc(membership.createdAt), asc(membership.workspaceId))
    .all();
}

/** Workspaces of people, without those of demo visitors. */
export function listOwnWorkspaces(db: Db): WorkspaceRow[] {
  return db.query.select().from(workspace).where(eq(workspace.isDemo, false)).all();
}
