import { type Db, type Tx, transact } from '../db/database.ts';
import { findInvitation, findInvitationByToken, listInvitations } from '../db/readers/accounts.ts';
import { findUser, findUserByEmail } from '../db/readers/users.ts';
import { findMembership, findWorkspace } from '../db/readers/workspaces.ts';
import type { InvitationRow } from '../db/schema/account.ts';
import { deleteInvitation, deleteInvitationTo, insertInvitation } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { insertMembership } from '../db/writers/workspaces.ts';
import { DAY_MS } from '../lib/time.ts';
import { ID_PREFIX, type InvitationId, type UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { isAllowed, type WorkspaceRole } from '../model/role.ts';
import { actedBy, recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex, isEmail, maskEmail } from './email.ts';
import type { Principal, SessionPrincipal } from './open-session.ts';
import { fullName, openProfile } from './profile.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { refuseAbove, switchWorkspace } from './workspaces.ts';

const LIFE_MS = 7 * DAY_MS;
const OPEN_MAX = 100;

/**
 * Invites an email address into the caller's workspace; an earlier invitation to it is replaced. Refuses with VALIDATION, FORBIDDEN (a role
 * above the caller's own), ALREADY_MEMBER, LIMIT_REACHED, and MAIL_THROTTLED after some to this address, or many by this person, within the hour.
 */
export function invite(
  ctx: AccountsContext,
  principal: Principal,
  form: { readonly email: string; readonly role: WorkspaceRole },
  device: Device,
): InvitationRow {
  const email = form.email.trim();
  if (!isEmail(email)) {
    const message = 'Please enter a valid email address';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'email', message }] });
  }
  refuseAbove(principal, form.role);
  const token = newSecretToken('invite_');
  const { workspace, user, profile } = principal;
  const index = emailIndex(ctx.vault, email);
  const invitation = transact(ctx.db, (tx) => {
    const known = findUserByEmail(tx, index);
    if (known !== null && findMembership(tx, workspace.id, known.id) !== null) {
      throw new Refusal('ALREADY_MEMBER', 'This person belongs to the workspace already.');
    }
    refuseTooMany(ctx, index, user.id);
    // With SIGNUP=first new people come by the instance's own administrators only.
    const mayCreateAccount = ctx.signup !== 'first' || user.role === 'admin';
    deleteInvitationTo(tx, workspace.id, index);
    if (listInvitations(tx, workspace.id).length >= OPEN_MAX) {
      throw new Refusal('LIMIT_REACHED', `At most ${OPEN_MAX} invitations can be open at once.`);
    }
    const now = ctx.clock.now();
    const id = ctx.random.id(ID_PREFIX.invitation) as InvitationId;
    const row: InvitationRow = {
      id,
      workspaceId: workspace.id,
      email: ctx.vault.seal(email, `invitation.email:${id}`),
      emailIndex: index,
      role: form.role,
      tokenHash: hashSecretToken(token),
      invitedBy: user.id,
      mayCreateAccount,
      createdAt: now,
      expiresAt: now + LIFE_MS,
    };
    insertInvitation(tx, row);
    const link = `${ctx.webUrl()}/accept-invite#token=${token}`;
    const inviter = fullName(profile);
    ctx.mail(tx, { kind: 'invitation', to: email, inviter, workspace: workspace.name, role: form.role, link });
    const change = { role: form.role, email: maskEmail(email) };
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'invitation.sent', target: id, change });
    return row;
  });
  ctx.invitations.sent(index, user.id);
  return invitation;
}

function refuseTooMany({ invitations }: AccountsContext, index: string, inviter: UserId): void {
  const addressWaitMs = invitations.addressWaitMs(index);
  const retryAfterMs = Math.max(addressWaitMs, invitations.inviterWaitMs(inviter));
  if (retryAfterMs === 0) return;
  const message =
    addressWaitMs > 0
      ? 'This address has been sent several invitations already. Try again in an hour.'
      : 'You have sent many invitations already. Try again in an hour.';
  throw new Refusal('MAIL_THROTTLED', message, { retryAfterMs });
}

export function openInvitationEmail(ctx: Pick<AccountsContext, 'vault'>, row: InvitationRow): string {
  return ctx.vault.open<string>(row.email, `invitation.email:${row.id}`);
}

/** Refuses with NOT_FOUND. */
export function revokeInvitation(ctx: AccountsContext, principal: Principal, id: string, device: Device): void {
  transact(ctx.db, (tx) => {
    const row = findInvitation(tx, principal.workspace.id, id);
    if (row === null) throw new Refusal('NOT_FOUND', 'There is no such invitation in this workspace.');
    deleteInvitation(tx, row.id);
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'invitation.revoked', target: row.id });
  });
}

export interface InvitationView {
  readonly workspaceName: string;
  readonly inviterName: string;
  readonly email: string;
  readonly role: WorkspaceRole;
  readonly expiresAt: number;
  /** Whether the address has an account here: sign in with it; else sign up. */
  readonly hasAccount: boolean;
}

/** What a page shows to who followed the link. Refuses with INVITATION_INVALID. */
export function viewInvitation(ctx: AccountsContext, token: string): InvitationView {
  const row = goodInvitation(ctx, ctx.db, token);
  const inviter = findUser(ctx.db, row.invitedBy);
  return {
    workspaceName: findWorkspace(ctx.db, row.workspaceId)?.name ?? '',
    inviterName: inviter === null ? '' : fullName(openProfile(ctx.vault, inviter)),
    email: openInvitationEmail(ctx, row),
    role: row.role,
    expiresAt: row.expiresAt,
    hasAccount: findUserByEmail(ctx.db, row.emailIndex) !== null,
  };
}

/** A signed-in person takes an invitation that was sent to their own address, and goes on in that workspace. */
export function acceptInvitation(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  token: string,
  device: Device,
): SessionPrincipal {
  const workspaceId = transact(ctx.db, (tx) => {
    const row = goodInvitation(ctx, tx, token);
    if (row.emailIndex !== principal.user.emailIndex) {
      const message = 'This invitation is for another email address: sign in with the account that has it.';
      throw new Refusal('INVITATION_OTHER_EMAIL', message);
    }
    joinByInvitation(ctx, tx, row, principal.user.id, device);
    // The invitation was mailed to this address: who is signed in and has its token reads that mailbox.
    if (principal.user.verifiedAt === null) updateUser(tx, principal.user.id, { verifiedAt: ctx.clock.now() });
    return row.workspaceId;
  });
  return switchWorkspace(ctx, principal, workspaceId);
}

/** The person belongs to the workspace from now on; the invitation is spent. Who belongs to it already keeps their role. */
export function joinByInvitation(
  ctx: AccountsContext,
  tx: Tx,
  row: InvitationRow,
  userId: UserId,
  device: Device,
): void {
  const { workspaceId, role } = row;
  if (findMembership(tx, workspaceId, userId) === null) {
    insertMembership(tx, { workspaceId, userId, role, createdAt: ctx.clock.now() });
  }
  deleteInvitation(tx, row.id);
  recordAudit(ctx, tx, {
    ...{ workspaceId, actorId: userId, device },
    action: 'invitation.accepted',
    target: userId,
    change: { role },
  });
}

/** Whether somebody without an account may make one by it. Asked anew: `SIGNUP`, and who runs the instance, may be others than when it was sent. */
export function opensAccount({ signup }: Pick<AccountsContext, 'signup'>, db: Db, row: InvitationRow): boolean {
  return row.mayCreateAccount && (signup !== 'first' || findUser(db, row.invitedBy)?.role === 'admin');
}

/**
 * The invitation that a mailed token stands for. It lasts no longer than its inviter could send it anew: who was taken out, or is no administrator
 * any more, must not come back by one that they sent to themselves. Refuses with INVITATION_INVALID.
 */
export function goodInvitation(ctx: Pick<AccountsContext, 'clock'>, db: Db, token: string): InvitationRow {
  const row = findInvitationByToken(db, hashSecretToken(token));
  const inviter = row === null ? null : findMembership(db, row.workspaceId, row.invitedBy);
  const isBacked =
    inviter !== null && isAllowed(inviter.role, 'admin') && isAllowed(inviter.role, row?.role ?? 'owner');
  if (row !== null && isBacked && row.expiresAt > ctx.clock.now()) return row;
  throw new Refusal('INVITATION_INVALID', 'This invitation is not valid any more. Ask for a new one.');
}
