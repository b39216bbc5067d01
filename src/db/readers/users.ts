import { and, asc, count, desc, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { UserId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { auditEntry } from '../schema/account.ts';
import { session } from '../schema/session.ts';
import { type UserRow, user } from '../schema/user.ts';
import { membership } from '../schema/workspace.ts';

const byEmailIndex = statement((query) =>
  query
    .select()
    .from(user)
    .where(eq(user.emailIndex, sql.placeholder('emailIndex')))
    .prepare(),
);

const byId = statement((query) =>
  query
    .select()
    .from(user)
    .where(eq(user.id, sql.placeholder('id')))
    .prepare(),
);

/** `emailIndex` as `accounts/email.ts` makes it. */
export function findUserByEmail(db: Db, emailIndex: string): UserRow | null {
  return byEmailIndex(db).get({ emailIndex }) ?? null;
}

export function findUser(db: Db, id: UserId): UserRow | null {
  return byId(db).get({ id }) ?? null;
}

/** People with an account of their own: demo visitors are none. */
export function countUsers(db: Db): number {
  return db.query.select({ n: count() }).from(user).where(eq(user.isDemo, false)).get()?.n ?? 0;
}

/** People of the instance that may manage it. */
export function countInstanceAdmins(db: Db): number {
  return (
    db.query
      .select({ n: count() })
      .from(user)
      .where(and(eq(user.isDemo, false), eq(user.role, 'admin')))
      .get()?.n ?? 0
  );
}

/** Everybody with an account of their own, oldest first. */
export function listUsers(db: Db): UserRow[] {
  return db.query.select().from(user).where(eq(user.isDemo, false)).orderBy(asc(user.createdAt), asc(user.id)).all();
}

/** Those who agreed to get the newsletter, and have not withdrawn it; who agreed first comes first. */
export function listNewsletterReaders(db: Db): UserRow[] {
  const hasAgreed = and(eq(user.isDemo, false), isNotNull(user.newsletterAt));
  return db.query.select().from(user).where(hasAgreed).orderBy(asc(user.newsletterAt), asc(user.id)).all();
}

export interface UserTraces {
  readonly workspaceCount: number;
  /** A device that was seen, or something that was done; null: neither is kept any more. */
  readonly lastActiveAt: number | null;
}

const workspacesOf = statement((query) =>
  query
    .select({ n: count() })
    .from(membership)
    .where(eq(membership.userId, sql.placeholder('id')))
    .prepare(),
);
const seenOf = statement((query) =>
  query
    .select({ at: max(session.lastSeenAt) })
    .from(session)
    .where(eq(session.userId, sql.placeholder('id')))
    .prepare(),
);
const lastDeedOf = statement((query) =>
  query
    .select({ at: auditEntry.at })
    .from(auditEntry)
    .where(eq(auditEntry.actorId, sql.placeholder('id')))
    .orderBy(desc(auditEntry.seq))
    .limit(1)
    .prepare(),
);

/** What a person has on this instance, and when they last used it. Asked for everybody at once: it is prepared. */
export function readUserTraces(db: Db, id: UserId): UserTraces {
  const seenAt = seenOf(db).get({ id })?.at ?? 0;
  // A session that is over is soon deleted; what was done stays for longer.
  const lastActiveAt = Math.max(seenAt, lastDeedOf(db).get({ id })?.at ?? 0);
  return {
    workspaceCount: workspacesOf(db).get({ id })?.n ?? 0,
    lastActiveAt: lastActiveAt === 0 ? null : lastActiveAt,
  };
}
