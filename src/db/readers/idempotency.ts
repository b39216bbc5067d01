import { eq } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { type IdempotentReplyRow, idempotentReply } from '../schema/account.ts';

export function findIdempotentReply(db: Db, id: string): IdempotentReplyRow | null {
  return db.query.select().from(idempotentReply).where(eq(idempotentReply.id, id)).get() ?? null;
}
