import { eq } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { type OutboxMailRow, outboxMail } from '../schema/account.ts';

export function insertOutboxMail(tx: Tx, row: OutboxMailRow): void {
  tx.query.insert(outboxMail).values(row).run();
}

export function updateOutboxMail(tx: Tx, id: string, set: Partial<Omit<OutboxMailRow, 'id'>>): void {
  tx.query.update(outboxMail).set(set).where(eq(outboxMail.id, id)).run();
}

export function deleteOutboxMail(tx: Tx, id: string): void {
  tx.query.delete(outboxMail).where(eq(outboxMail.id, id)).run();
}
