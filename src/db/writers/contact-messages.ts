import type { Tx } from '../database.ts';
import { type ContactMessageRow, contactMessage } from '../schema/contact-message.ts';

export function insertContactMessage(tx: Tx, row: ContactMessageRow): void {
  tx.query.insert(contactMessage).values(row).run();
}
