import { eq } from 'drizzle-orm';
import type { UserId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { type UserRow, user } from '../schema/user.ts';

export function insertUser(tx: Tx, row: UserRow): void {
  tx.query.insert(user).values(row).run();
}

export function deleteUser(tx: Tx, id: UserId): void {
  tx.query.delete(user).where(eq(user.id, id)).run();
}

export function updateUser(tx: Tx, id: UserId, set: Partial<Omit<UserRow, 'id'>>): void {
  tx.query.update(user).set(set).where(eq(user.id, id)).run();
}
