import { type Db, type Tx, transact } from '../db/database.ts';
import { listContactMessages } from '../db/readers/contact-messages.ts';
import { countInstanceAdmins, countUsers } from '../db/readers/users.ts';
import { listMembers, listWorkspacesOf } from '../db/readers/workspaces.ts';
import type { WorkspaceRow } from '../db/schema/workspace.ts';
import { deleteAccountTraces, forgetAuditActor } from '../db/writers/accounts.ts';
import { deleteContactMessage } from '../db/writers/contact-messages.ts';
import { purgeWorkspace } from '../db/writers/purge-workspace.ts';
import { deleteSessionsOf } from '../db/writers/sessions.ts';
import { deleteUser } from '../db/writers/users.ts';
import { deleteMembership } from '../db/writers/workspaces.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailKey } from './email.ts';
import type { SessionPrincipal } from './open-session.ts';
import { type Proof, proveIdentity } from './prove-identity.ts';
import { type Letter, letterContext, MESSAGES_MAX } from './take-contact-message.ts';

export interface ErasurePlan {
  /** Nobody else belongs to them: they go with the account. */
  readonly deleted: readonly WorkspaceRow[];
  /** Others go on with them. */
  readonly left: readonly WorkspaceRow[];
  /** The person is the only owner and others belong to them: somebody has to become an owner first. */
  readonly blocked: readonly WorkspaceRow[];
  /** The instance would be left with people and without an administrator. */
  readonly isLastAdmin: boolean;
}

/** What goes when the caller's account is deleted. */
export function planErasure(db: Db, { user }: SessionPrincipal): ErasurePlan {
  const deleted: WorkspaceRow[] = [];
  const left: WorkspaceRow[] = [];
  const blocked: WorkspaceRow[] = [];
  for (const { workspace, membership } of listWorkspacesOf(db, user.id)) {
    const others = listMembers(db, workspace.id).filter((member) => member.user.id !== user.id);
    if (others.length === 0) deleted.push(workspace);
    else if (membership.role !== 'owner' || others.some((member) => member.membership.role === 'owner'))
      left.push(workspace);
    else blocked.push(workspace);
  }
  const isLastAdmin = user.role === 'admin' && countInstanceAdmins(db) === 1 && countUsers(db) > 1;
  return { deleted, left, blocked, isLastAdmin };
}

/**
 * Erases the caller: account, sessions, tokens, emails, letters to the operator from an address that is confirmed, workspaces that are theirs alone, and what the audit log says of where they were. Asks for the
 * password (and code). Refuses with WRONG_PASSWORD, CODE_REQUIRED, WRONG_CODE, LAST_OWNER (`details.workspaces`), LAST_ADMIN.
 */
export async function deleteAccount(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  proof: Proof,
  device: Device,
): Promise<void> {
  await proveIdentity(ctx, principal, proof, device);
  const { user } = principal;
  const asked = refuseBlocked(planErasure(ctx.db, principal));
  for (const workspace of asked.deleted) await ctx.clearWorkspace(workspace.id);
  transact(ctx.db, (tx) => {
    const plan = refuseBlocked(planErasure(tx, principal));
    for (const workspace of plan.deleted) purgeWorkspace(tx, workspace.id, ctx.clock.now());
    for (const workspace of plan.left) deleteMembership(tx, workspace.id, user.id);
    deleteAccountTraces(tx, user.id);
    // Whoever signs up with another's address and leaves takes none of their letters along, and nothing that others have written to them.
    const isProved = user.verifiedAt !== null;
    ctx.forgetMail(tx, { address: principal.profile.email, isProved });
    if (isProved) forgetLetters(ctx, tx, principal.profile.email);
    deleteSessionsOf(tx, user.id);
    deleteUser(tx, user.id);
    forgetAuditActor(tx, user.id);
    recordAudit(ctx, tx, {
      workspaceId: null,
      actorId: null,
      action: 'account.deleted',
      target: user.id,
      device: null,
    });
  });
  ctx.log.info({ userId: user.id }, 'account deleted at its owner’s wish');
}

/** Letters are sealed whole, so each is opened to see whose it is: 10,000 of them, which is all there can be, are a matter of a tenth of a second. */
function forgetLetters(ctx: AccountsContext, tx: Tx, address: string): void {
  const own = emailKey(address);
  for (const { id, letter } of listContactMessages(tx, MESSAGES_MAX)) {
    const { email } = ctx.vault.open<Letter>(letter, letterContext(id));
    if (emailKey(email) === own) deleteContactMessage(tx, id);
  }
}

function refuseBlocked(plan: ErasurePlan): ErasurePlan {
  const [first] = plan.blocked;
  if (first !== undefined) {
    const message = `You are the only owner of "${first.name}", and others belong to it. Make one of them an owner first, or delete it.`;
    throw new Refusal('LAST_OWNER', message, { workspaces: plan.blocked.map(({ id, name }) => ({ _id: id, name })) });
  }
  if (plan.isLastAdmin) {
    throw new Refusal('LAST_ADMIN', 'You are the only administrator of this instance. Make somebody else one first.');
  }
  return plan;
}
