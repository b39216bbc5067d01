import { eq } from 'drizzle-orm';
import type { ContactMessageId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type ContactMessageRow, contactMessage } from '../schema/contact-message.ts';

export function insertContactMessage(tx: Tx, row: ContactMessageRow): void {
  tx.query.insert(contactMessage).values(row).run();
}

export function deleteContactMessage(tx: Tx, id: ContactMessageId): void {
  tx.query.delete(contactMessage).where(eq(contactMessage.id, id)).run();
}

const forgetOld = rawStatement<[before: number, max: number]>(
  'DELETE FROM contact_message WHERE id IN (SELECT id FROM contact_message WHERE created_at < ? ORDER BY created_at LIMIT ?)',
);

/** Drops up to `max` letters from before then; how many. */
export function pruneContactMessages(tx: Tx, beforeMs: number, max: number): number {
  return forgetOld(tx).run(beforeMs, max).changes;
}
