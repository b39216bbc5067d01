import { and, asc, count, desc, eq, gt, isNull, like, lt, sql } from 'drizzle-orm';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import {
  type ApiTokenRow,
  type AuditEntryRow,
  apiToken,
  auditEntry,
  type ExternalIdentityRow,
  externalIdentity,
  type InvitationRow,
  invitation,
  type MailedTokenRow,
  mailedToken,
  recoveryCode,
} from '../schema/account.ts';
import { type SessionRow, session } from '../schema/session.ts';
import { limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export function findMailedToken(db: Db, hash: string): MailedTokenRow | null {
  return db.query.select().from(mailedToken).where(eq(mailedToken.hash, hash)).get() ?? null;
}

export function countMailedTokens(db: Db, userId: UserId, purpose: MailedTokenRow['purpose'], since: number): number {
  const { userId: owner, purpose: kind, createdAt } = mailedToken;
  const where = and(eq(owner, userId), eq(kind, purpose), gt(createdAt, since));
  return db.query.select({ n: count() }).from(mailedToken).where(where).get()?.n ?? 0;
}

/** The unused code with that hash, if it is this person's. */
export function hasRecoveryCode(db: Db, userId: UserId, hash: string): boolean {
  const where = and(eq(recoveryCode.hash, hash), eq(recoveryCode.userId, userId), isNull(recoveryCode.usedAt));
  return db.query.select({ hash: recoveryCode.hash }).from(recoveryCode).where(where).get() !== undefined;
}

/** Sessions that are still good, the one seen last first. */
export function listSessions(db: Db, userId: UserId, now: number): SessionRow[] {
  return db.query
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.revokedAt), gt(session.expiresAt, now)))
    .orderBy(desc(session.lastSeenAt))
    .all();
}

export function findInvitationByToken(db: Db, tokenHash: string): InvitationRow | null {
  return db.query.select().from(invitation).where(eq(invitation.tokenHash, tokenHash)).get() ?? null;
}

export function findInvitation(db: Db, workspaceId: WorkspaceId, id: string): InvitationRow | null {
  const where = and(eq(invitation.workspaceId, workspaceId), sql`${invitation.id} = ${id}`);
  return db.query.select().from(invitation).where(where).get() ?? null;
}

export function listInvitations(db: Db, workspaceId: WorkspaceId): InvitationRow[] {
  return db.query
    .select()
    .from(invitation)
    .where(eq(invitation.workspaceId, workspaceId))
    .orderBy(asc(invitation.createdAt))
    .all();
}

const tokenByHash = statement((query) =>
  query
    .select()
    .from(apiToken)
    .where(eq(apiToken.hash, sql.placeholder('hash')))
    .prepare(),
);

/** Asked at each request that carries an API token. */
export function findApiTokenByHash(db: Db, hash: string): ApiTokenRow | null {
  return tokenByHash(db).get({ hash }) ?? null;
}

export function findApiToken(db: Db, workspaceId: WorkspaceId, id: string): ApiTokenRow | null {
  const where = and(eq(apiToken.workspaceId, workspaceId), sql`${apiToken.id} = ${id}`);
  return db.query.select().from(apiToken).where(where).get() ?? null;
}

export function listApiTokens(db: Db, workspaceId: WorkspaceId): ApiTokenRow[] {
  return db.query
    .select()
    .from(apiToken)
    .where(eq(apiToken.workspaceId, workspaceId))
    .orderBy(asc(apiToken.createdAt))
    .all();
}

/** Newest first. Null: what belongs to no workspace, but to accounts and the instance. `about`: the noun of the actions. */
export function listAuditEntries(
  db: Db,
  workspaceId: WorkspaceId | null,
  request: PageRequest & { readonly about?: string | undefined },
): Page<AuditEntryRow> {
  const limit = limitOf(request);
  const place = placeOf(request, 1);
  const before = place === null ? undefined : lt(auditEntry.seq, Number(place[0]));
  const ofWorkspace = workspaceId === null ? isNull(auditEntry.workspaceId) : eq(auditEntry.workspaceId, workspaceId);
  const about = request.about === undefined ? undefined : like(auditEntry.action, `${request.about}.%`);
  const rows = db.query
    .select()
    .from(auditEntry)
    .where(and(ofWorkspace, about, before))
    .orderBy(desc(auditEntry.seq))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.seq]);
}

/** Everything that a person did, oldest first: for the export of their data. */
export function listAuditEntriesOf(db: Db, userId: UserId, max: number): AuditEntryRow[] {
  const rows = db.query
    .select()
    .from(auditEntry)
    .where(eq(auditEntry.actorId, userId))
    .orderBy(desc(auditEntry.seq))
    .limit(max)
    .all();
  return rows.reverse();
}

export function findExternalIdentity(db: Db, index: string): ExternalIdentityRow | null {
  return db.query.select().from(externalIdentity).where(eq(externalIdentity.identityIndex, index)).get() ?? null;
}

/** Whether a sign-in elsewhere opens this account. */
export function hasExternalIdentity(db: Db, userId: UserId): boolean {
  const own = eq(externalIdentity.userId, userId);
  return db.query.select({ userId: externalIdentity.userId }).from(externalIdentity).where(own).get() !== undefined;
}
