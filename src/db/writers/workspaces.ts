import { and, eq } from 'drizzle-orm';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { type MembershipRow, membership, type WorkspaceRow, workspace } from '../schema/workspace.ts';

export function insertWorkspace(tx: Tx, row: WorkspaceRow): void {
  tx.query.insert(workspace).values(row).run();
}

export function insertMembership(tx: Tx, row: MembershipRow): void {
  tx.query.insert(membership).values(row).run();
}

/** Only the workspace and who belongs to it: what it owns goes before. */
export function deleteWorkspace(tx: Tx, id: WorkspaceId): void {
  tx.query.delete(membership).where(eq(membership.workspaceId, id)).run();
  tx.query.delete(workspace).where(eq(workspace.id, id)).run();
}

export function updateWorkspace(tx: Tx, id: WorkspaceId, set: Partial<Pick<WorkspaceRow, 'name'>>): void {
  tx.query.update(workspace).set(set).where(eq(workspace.id, id)).run();
}

export function updateMembershipRole(
  tx: Tx,
  workspaceId: WorkspaceId,
  userId: UserId,
  role: MembershipRow['role'],
): void {
  tx.query
    .update(membership)
    .set({ role })
    .where(and(eq(membership.workspaceId, workspaceId), eq(membership.userId, userId)))
    .run();
}

export function deleteMembership(tx: Tx, workspaceId: WorkspaceId, userId: UserId): void {
  tx.query
    .delete(membership)
    .where(and(eq(membership.workspaceId, workspaceId), eq(membership.userId, userId)))
    .run();
}
