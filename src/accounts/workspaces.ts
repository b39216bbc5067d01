import { type Tx, transact } from '../db/database.ts';
import { findMembership, findWorkspace, listMembers, listMemberships } from '../db/readers/workspaces.ts';
import type { MembershipRow } from '../db/schema/workspace.ts';
import { deleteApiTokensOf, updateSession } from '../db/writers/accounts.ts';
import { moveSessions, revokeSessionsIn } from '../db/writers/sessions.ts';
import { deleteMembership, updateMembershipRole, updateWorkspace } from '../db/writers/workspaces.ts';
import type { UserId, WorkspaceId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { isAllowed, type WorkspaceRole } from '../model/role.ts';
import { actedBy, recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import type { Principal, SessionPrincipal } from './open-session.ts';
import { insertOwnWorkspace } from './own-workspace.ts';

const WORKSPACES_MAX = 100;

/** A further workspace of the caller's own. Refuses with LIMIT_REACHED. */
export function createWorkspace(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  name: string,
  device: Device,
): WorkspaceId {
  return transact(ctx.db, (tx) => {
    if (listMemberships(tx, principal.user.id).length >= WORKSPACES_MAX) {
      throw new Refusal('LIMIT_REACHED', `Nobody belongs to more than ${WORKSPACES_MAX} workspaces.`);
    }
    const { workspaceId } = insertOwnWorkspace(ctx, tx, principal.user.id, principal.profile, name);
    const audit = { ...actedBy(principal, device), workspaceId, action: 'workspace.created', target: workspaceId };
    recordAudit(ctx, tx, audit);
    return workspaceId;
  });
}

/** The caller's session goes on in another workspace of theirs. Refuses with NOT_FOUND. */
export function switchWorkspace(ctx: AccountsContext, principal: SessionPrincipal, id: string): SessionPrincipal {
  return transact(ctx.db, (tx) => {
    const membership = findMembership(tx, id as WorkspaceId, principal.user.id);
    const workspace = findWorkspace(tx, id as WorkspaceId);
    if (membership === null || workspace === null) {
      throw new Refusal('NOT_FOUND', 'You belong to no such workspace.');
    }
    updateSession(tx, principal.session.id, { workspaceId: workspace.id });
    return { ...principal, workspace, membership, session: { ...principal.session, workspaceId: workspace.id } };
  });
}

export function renameWorkspace(ctx: AccountsContext, principal: Principal, name: string, device: Device): void {
  const { id, name: from } = principal.workspace;
  transact(ctx.db, (tx) => {
    updateWorkspace(tx, id, { name });
    const change = { from, to: name };
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'workspace.renamed', target: id, change });
  });
}

/**
 * Gives a member another role. Only owners make or unmake owners, and one always stays. Refuses with NOT_FOUND, FORBIDDEN, LAST_OWNER.
 */
export function changeMemberRole(
  ctx: AccountsContext,
  principal: Principal,
  userId: string,
  role: WorkspaceRole,
  device: Device,
): void {
  transact(ctx.db, (tx) => {
    const member = memberOf(tx, principal, userId);
    refuseAbove(principal, member.role);
    refuseAbove(principal, role);
    if (member.role === 'owner' && role !== 'owner') refuseLastOwner(tx, member);
    updateMembershipRole(tx, member.workspaceId, member.userId, role);
    const change = { from: member.role, to: role };
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'member.role_changed', target: userId, change });
  });
}

/** Takes a member out, with their API tokens for this workspace. Refuses with NOT_FOUND, FORBIDDEN, LAST_OWNER. */
export function removeMember(ctx: AccountsContext, principal: Principal, userId: string, device: Device): void {
  transact(ctx.db, (tx) => {
    const member = memberOf(tx, principal, userId);
    refuseAbove(principal, member.role);
    removeFromWorkspace(ctx, tx, member);
    const action = member.userId === principal.user.id ? 'member.left' : 'member.removed';
    recordAudit(ctx, tx, { ...actedBy(principal, device), action, target: userId });
  });
}

/** The caller leaves. Refuses with LAST_OWNER. Their session ends here; a workspace that they still belong to takes it over. */
export function leaveWorkspace(ctx: AccountsContext, principal: SessionPrincipal, device: Device): void {
  transact(ctx.db, (tx) => {
    const { id } = principal.user;
    removeFromWorkspace(ctx, tx, memberOf(tx, principal, id));
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'member.left', target: id });
  });
}

export function removeFromWorkspace(ctx: AccountsContext, tx: Tx, member: MembershipRow): void {
  if (member.role === 'owner') refuseLastOwner(tx, member);
  const { workspaceId, userId } = member;
  deleteMembership(tx, workspaceId, userId);
  deleteApiTokensOf(tx, userId, workspaceId);
  rehomeSessions(ctx, tx, userId, workspaceId);
}

/** Sessions in a workspace that their person has left go on in another one; without another one they end. */
export function rehomeSessions(ctx: AccountsContext, tx: Tx, userId: UserId, from: WorkspaceId): void {
  const next = listMemberships(tx, userId).find((one) => one.workspaceId !== from);
  if (next === undefined) revokeSessionsIn(tx, userId, from, 'signed_out', ctx.clock.now());
  else moveSessions(tx, userId, from, next.workspaceId);
}

function memberOf(tx: Tx, principal: Principal, userId: string): MembershipRow {
  const member = findMembership(tx, principal.workspace.id, userId);
  if (member === null) throw new Refusal('NOT_FOUND', 'There is no such member in this workspace.');
  return member;
}

/** Nobody touches who stands above them, and nobody raises anyone above themselves. */
export function refuseAbove(principal: Principal, role: WorkspaceRole): void {
  if (isAllowed(principal.membership.role, role)) return;
  throw new Refusal('FORBIDDEN', 'Your role in this workspace does not reach that far.');
}

function refuseLastOwner(tx: Tx, member: MembershipRow): void {
  const owners = listMembers(tx, member.workspaceId).filter((one) => one.membership.role === 'owner');
  if (owners.length > 1) return;
  throw new Refusal('LAST_OWNER', 'A workspace needs an owner. Make somebody else an owner first, or delete it.');
}
