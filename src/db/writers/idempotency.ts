import { and, eq, isNull } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { type IdempotentReplyRow, idempotentReply } from '../schema/account.ts';

/** What a row takes of the file without its answer, with its entries in the indexes. */
const ROW_BYTES = 400;

export function insertIdempotentReply(tx: Tx, row: Omit<IdempotentReplyRow, 'bytes'>): void {
  tx.query
    .insert(idempotentReply)
    .values({ ...row, bytes: ROW_BYTES })
    .run();
}

export function finishIdempotentReply(tx: Tx, id: string, status: number, body: string): void {
  const bytes = ROW_BYTES + body.length;
  tx.query.update(idempotentReply).set({ status, body, bytes }).where(eq(idempotentReply.id, id)).run();
}

/** Gives a key up whose request did nothing. One that has its answer keeps it: what was done is not to be done again. */
export function deleteUnansweredKey(tx: Tx, id: string): void {
  tx.query
    .delete(idempotentReply)
    .where(and(eq(idempotentReply.id, id), isNull(idempotentReply.status)))
    .run();
}
