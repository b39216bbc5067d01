import { and, eq, isNotNull, isNull, lt, ne } from 'drizzle-orm';
import { DAY_MS } from '../../lib/time.ts';
import type { ApiTokenId, InvitationId, UserId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import {
  type ApiTokenRow,
  type AuditEntryRow,
  apiToken,
  auditEntry,
  type ExternalIdentityRow,
  externalIdentity,
  type InvitationRow,
  idempotentReply,
  invitation,
  type MailedTokenRow,
  mailedToken,
  outboxMail,
  recoveryCode,
} from '../schema/account.ts';
import { session } from '../schema/session.ts';
import { pruneContactMessages } from './contact-messages.ts';
import { deleteExpiredSessions, pruneRefreshTokens } from './sessions.ts';

export function insertMailedToken(tx: Tx, row: MailedTokenRow): void {
  tx.query.insert(mailedToken).values(row).run();
}

/** All of one purpose: one that was used makes the others worthless. */
export function deleteMailedTokens(tx: Tx, userId: UserId, purpose: MailedTokenRow['purpose']): void {
  tx.query
    .delete(mailedToken)
    .where(and(eq(mailedToken.userId, userId), eq(mailedToken.purpose, purpose)))
    .run();
}

/** Addresses that the account was to have and that nobody has proved yet. */
export function deletePendingEmails(tx: Tx, userId: UserId): void {
  tx.query
    .delete(mailedToken)
    .where(and(eq(mailedToken.userId, userId), isNotNull(mailedToken.email)))
    .run();
}

/** The new ones take the place of all earlier ones. */
export function replaceRecoveryCodes(tx: Tx, userId: UserId, hashes: readonly string[]): void {
  tx.query.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run();
  if (hashes.length > 0)
    tx.query
      .insert(recoveryCode)
      .values(hashes.map((hash) => ({ hash, userId, usedAt: null })))
      .run();
}

/** True when the code was this person's and not used before. */
export function spendRecoveryCode(tx: Tx, userId: UserId, hash: string, at: number): boolean {
  const where = and(eq(recoveryCode.hash, hash), eq(recoveryCode.userId, userId), isNull(recoveryCode.usedAt));
  return tx.query.update(recoveryCode).set({ usedAt: at }).where(where).run().changes > 0;
}

/** Ends a person's sessions, all but `except`. Says how many. */
export function revokeSessionsOf(tx: Tx, userId: UserId, except: string | null, reason: string, at: number): number {
  const others = except === null ? undefined : ne(session.id, except);
  const where = and(eq(session.userId, userId), isNull(session.revokedAt), others);
  return tx.query.update(session).set({ revokedAt: at, revokedReason: reason }).where(where).run().changes;
}

export function updateSession(
  tx: Tx,
  id: string,
  set: Partial<Pick<typeof session.$inferSelect, 'workspaceId' | 'provedAt'>>,
): void {
  tx.query.update(session).set(set).where(eq(session.id, id)).run();
}

export function insertExternalIdentity(tx: Tx, row: ExternalIdentityRow): void {
  tx.query.insert(externalIdentity).values(row).run();
}

/** Returns how many. */
export function deleteExternalIdentities(tx: Tx, userId: UserId): number {
  return tx.query.delete(externalIdentity).where(eq(externalIdentity.userId, userId)).run().changes;
}

const forgetLater = rawStatement<[userId: UserId, userId: UserId]>(
  `DELETE FROM external_identity WHERE user_id = ? AND identity_index <>
   (SELECT identity_index FROM external_identity WHERE user_id = ? ORDER BY created_at, rowid LIMIT 1)`,
);

/** All but the first. Returns how many. */
export function deleteLaterIdentities(tx: Tx, userId: UserId): number {
  return forgetLater(tx).run(userId, userId).changes;
}

export function insertInvitation(tx: Tx, row: InvitationRow): void {
  tx.query.insert(invitation).values(row).run();
}

export function deleteInvitation(tx: Tx, id: InvitationId): void {
  tx.query.delete(invitation).where(eq(invitation.id, id)).run();
}

export function deleteInvitationTo(tx: Tx, workspaceId: WorkspaceId, emailIndex: string): void {
  tx.query
    .delete(invitation)
    .where(and(eq(invitation.workspaceId, workspaceId), eq(invitation.emailIndex, emailIndex)))
    .run();
}

export function deleteInvitationsIn(tx: Tx, workspaceId: WorkspaceId): void {
  tx.query.delete(invitation).where(eq(invitation.workspaceId, workspaceId)).run();
}

/** Those that a person has sent, into whatever workspace. */
export function deleteInvitationsBy(tx: Tx, userId: UserId): void {
  tx.query.delete(invitation).where(eq(invitation.invitedBy, userId)).run();
}

export function insertApiToken(tx: Tx, row: ApiTokenRow): void {
  tx.query.insert(apiToken).values(row).run();
}

export function updateApiToken(
  tx: Tx,
  id: ApiTokenId,
  set: Partial<Pick<ApiTokenRow, 'hash' | 'hint' | 'lastUsedAt' | 'createdAt' | 'expiresAt'>>,
): void {
  tx.query.update(apiToken).set(set).where(eq(apiToken.id, id)).run();
}

export function deleteApiToken(tx: Tx, id: ApiTokenId): void {
  tx.query.delete(apiToken).where(eq(apiToken.id, id)).run();
}

/** Those of one person, in one workspace or (null) everywhere. */
export function deleteApiTokensOf(tx: Tx, userId: UserId, workspaceId: WorkspaceId | null): void {
  const here = workspaceId === null ? undefined : eq(apiToken.workspaceId, workspaceId);
  tx.query
    .delete(apiToken)
    .where(and(eq(apiToken.userId, userId), here))
    .run();
}

export function insertAuditEntry(tx: Tx, row: Omit<AuditEntryRow, 'seq'>): void {
  tx.query.insert(auditEntry).values(row).run();
}

/** What is left of an erased person: that somebody did it. */
export function forgetAuditActor(tx: Tx, userId: UserId): void {
  tx.query.update(auditEntry).set({ actorId: null, details: null }).where(eq(auditEntry.actorId, userId)).run();
}

/** Everything of a person that stands in these tables, but their audit entries. */
export function deleteAccountTraces(tx: Tx, userId: UserId): void {
  tx.query.delete(mailedToken).where(eq(mailedToken.userId, userId)).run();
  tx.query.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run();
  deleteExternalIdentities(tx, userId);
  tx.query.delete(apiToken).where(eq(apiToken.userId, userId)).run();
  tx.query.delete(invitation).where(eq(invitation.invitedBy, userId)).run();
}

/** Everything of a workspace that stands in these tables. */
export function deleteWorkspaceTraces(tx: Tx, workspaceId: WorkspaceId): void {
  tx.query.delete(invitation).where(eq(invitation.workspaceId, workspaceId)).run();
  tx.query.delete(apiToken).where(eq(apiToken.workspaceId, workspaceId)).run();
  tx.query.delete(auditEntry).where(eq(auditEntry.workspaceId, workspaceId)).run();
  tx.query.delete(idempotentReply).where(eq(idempotentReply.workspaceId, workspaceId)).run();
}

export interface AccountAges {
  readonly now: number;
  /** Letters of the contact form go with the entries of their time. */
  readonly auditBefore: number;
  /** Of the audit log, letters, sessions and refresh tokens, so many go at most in one go. */
  readonly auditMax: number;
  readonly mailBefore: number;
  readonly replyBefore: number;
}

/** Numbers rise with time, so only the oldest entries are looked at. */
const forgetAudit = rawStatement<[max: number, before: number]>(
  'DELETE FROM audit_entry WHERE seq IN (SELECT seq FROM (SELECT seq, at FROM audit_entry ORDER BY seq LIMIT ?) WHERE at < ?)',
);

/** A session ends 30 days after its last refresh: whoever comes with an older token is signed out in any case. */
const ROTATED_KEPT_MS = 31 * DAY_MS;

/** Forgets what has had its time, of what there may be much of a portion. Says how many rows went; 0: nothing is left to go. */
export function pruneAccounts(tx: Tx, ages: AccountAges): number {
  const { query } = tx;
  const { now, auditMax: max } = ages;
  const inPortions = deleteExpiredSessions(tx, now, max) + pruneContactMessages(tx, ages.auditBefore, max);
  const gone = [
    query.delete(mailedToken).where(lt(mailedToken.expiresAt, ages.now)).run(),
    query.delete(invitation).where(lt(invitation.expiresAt, ages.now)).run(),
    forgetAudit(tx).run(ages.auditMax, ages.auditBefore),
    query.delete(outboxMail).where(lt(outboxMail.createdAt, ages.mailBefore)).run(),
    query.delete(idempotentReply).where(lt(idempotentReply.createdAt, ages.replyBefore)).run(),
  ].reduce((sum, { changes }) => sum + changes, inPortions);
  // They are looked for one by one: at last, and not again with each portion of the rest.
  return gone > 0 ? gone : pruneRefreshTokens(tx, now - ROTATED_KEPT_MS, max);
}
