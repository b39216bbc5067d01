import { and, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { type OutboxMailRow, outboxMail } from '../schema/account.ts';

export function insertOutboxMail(tx: Tx, row: OutboxMailRow): void {
  tx.query.insert(outboxMail).values(row).run();
}

export function updateOutboxMail(tx: Tx, id: string, set: Partial<Omit<OutboxMailRow, 'id'>>): void {
  tx.query.update(outboxMail).set(set).where(eq(outboxMail.id, id)).run();
}

/** Emails to one address, of all kinds or (`kinds`) of some. Returns how many. */
export function deleteOutboxMailsTo(tx: Tx, recipientIndex: string, kinds: readonly string[] | null): number {
  const some = kinds === null ? undefined : inArray(outboxMail.kind, [...kinds]);
  const where = and(eq(outboxMail.recipientIndex, recipientIndex), some);
  return tx.query.delete(outboxMail).where(where).run().changes;
}
