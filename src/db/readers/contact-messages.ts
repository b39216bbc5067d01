import { and, count, desc, eq, gte } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { type ContactMessageRow, contactMessage } from '../schema/contact-message.ts';

type Same = Pick<ContactMessageRow, 'email' | 'subject' | 'message'>;

/** The same words from the same address since `sinceMs`: a form that was sent twice. */
export function findSameContactMessage(db: Db, same: Same, sinceMs: number): ContactMessageRow | null {
  const row = db.query
    .select()
    .from(contactMessage)
    .where(
      and(
        gte(contactMessage.createdAt, sinceMs),
        eq(contactMessage.email, same.email),
        eq(contactMessage.subject, same.subject),
        eq(contactMessage.message, same.message),
      ),
    )
    .get();
  return row ?? null;
}

export function countContactMessages(db: Db): number {
  return db.query.select({ total: count() }).from(contactMessage).get()?.total ?? 0;
}

/** Newest first. */
export function listContactMessages(db: Db, limit: number): readonly ContactMessageRow[] {
  return db.query.select().from(contactMessage).orderBy(desc(contactMessage.createdAt)).limit(limit).all();
}
