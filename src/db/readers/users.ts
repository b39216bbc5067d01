import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { UserId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { type UserRow, user } from '../schema/user.ts';

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
