import type { Tx } from '../db/database.ts';
import { listEndpoints } from '../db/readers/endpoints.ts';
import { listMembers, listMemberships } from '../db/readers/workspaces.ts';
import type { UserRow } from '../db/schema/user.ts';
import type { MembershipRow } from '../db/schema/workspace.ts';
import { deleteInvitationsBy, deleteInvitationsIn, replaceRecoveryCodes } from '../db/writers/accounts.ts';
import { updateEndpoint } from '../db/writers/endpoints.ts';
import { updateUser } from '../db/writers/users.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { removeFromWorkspace } from './workspaces.ts';

const SWITCHED_OFF =
  'It was added before the address of its owner was confirmed, and was switched off when a new password was set by email. Switch it on if you know it.';

/**
 * For a password that was reset before anybody had confirmed the address: whoever signed up need not be who has the mailbox. What they may have
 * prepared to get in again, to listen, or to keep the owner of the address out, goes: the second factor, whose app only they would have; everybody
 * else in a workspace of the account's own, and every invitation into it, since whoever is in it sees what is connected later; the account's part in
 * workspaces of others, into which things could be put by mistake; outgoing webhooks and chats, switched off and not deleted, for they carry what
 * happens to an address of somebody's choice. Sessions, API tokens, another sign-in and ordered addresses go with every reset.
 *
 * Stores and pairs stay: they give their maker nothing of the owner's until the owner pairs them, and they may be months of honest work. An administrator of the
 * instance keeps all: no sign-up makes one but with the set-up token, or on the machine itself.
 */
export function clearUnconfirmed(ctx: AccountsContext, tx: Tx, user: UserRow, device: Device): void {
  updateUser(tx, user.id, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
  replaceRecoveryCodes(tx, user.id, []);
  deleteInvitationsBy(tx, user.id);
  for (const membership of listMemberships(tx, user.id)) {
    if (isOwn(tx, membership)) keepAlone(ctx, tx, membership, device);
    else takeOut(ctx, tx, membership, membership, device);
  }
}

/**
 * An owner who was there first, or is the only one. Who is less can not take a workspace from the others by this, nor can who was made an owner of
 * a workspace that another owner has begun.
 */
function isOwn(tx: Tx, { workspaceId, userId, role }: MembershipRow): boolean {
  if (role !== 'owner') return false;
  const members = listMembers(tx, workspaceId);
  const others = members.filter(({ membership }) => membership.userId !== userId);
  return members[0]?.membership.userId === userId || others.every(({ membership }) => membership.role !== 'owner');
}

function keepAlone(ctx: AccountsContext, tx: Tx, own: MembershipRow, device: Device): void {
  const { workspaceId, userId } = own;
  for (const { membership } of listMembers(tx, workspaceId)) {
    if (membership.userId !== userId) takeOut(ctx, tx, membership, own, device);
  }
  deleteInvitationsIn(tx, workspaceId);
  switchOffEndpoints(ctx, tx, own, workspaceId, device);
}

function takeOut(
  ctx: AccountsContext,
  tx: Tx,
  member: MembershipRow,
  { userId: actorId }: MembershipRow,
  device: Device,
): void {
  const { workspaceId, userId: target } = member;
  removeFromWorkspace(ctx, tx, member);
  const action = target === actorId ? 'member.left' : 'member.removed';
  recordAudit(ctx, tx, { workspaceId, actorId, device, action, target, change: { why: 'address_unconfirmed' } });
}

function switchOffEndpoints(
  ctx: AccountsContext,
  tx: Tx,
  { userId: actorId }: MembershipRow,
  workspaceId: WorkspaceId,
  device: Device,
): void {
  for (const { id, status } of listEndpoints(tx, workspaceId)) {
    if (status === 'disabled') continue;
    updateEndpoint(tx, id, { status: 'disabled', statusReason: SWITCHED_OFF });
    const change = { why: 'address_unconfirmed', enabled: false };
    recordAudit(ctx, tx, { workspaceId, actorId, device, action: 'endpoint.changed', target: id, change });
  }
}
