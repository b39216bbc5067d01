import { and, count, eq, sql } from 'drizzle-orm';
import type { UserId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { type UserRow, user } from '../schema/user.ts';

const byEmailKey = statement((query) =>
  query
    .select()
    .from(user)
    .where(eq(user.emailKey, sql.placeholder('emailKey')))
    .prepare(),
);

const byId = statement((query) =>
  query
    .select()
    .from(user)
    .where(eq(user.id, sql.placeholder('id')))
    .prepare(),
);

/** `emailKey` as `accounts/email.ts` makes it. */
export function findUserByEmailKey(db: Db, emailKey: string): UserRow | null {
  return byEmailKey(db).get({ emailKey }) ?? null;
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
