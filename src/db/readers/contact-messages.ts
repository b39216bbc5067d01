import { and, count, desc, eq, gte } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { type ContactMessageRow, contactMessage } from '../schema/contact-message.ts';

/** The same letter since `sinceMs`: a form that was sent twice. */
export function findSameContactMessage(db: Db, letterIndex: string, sinceMs: number): ContactMessageRow | null {
  const isSame = and(gte(contactMessage.createdAt, sinceMs), eq(contactMessage.letterIndex, letterIndex));
  return db.query.select().from(contactMessage).where(isSame).get() ?? null;
}

export function countContactMessages(db: Db): number {
  return db.query.select({ total: count() }).from(contactMessage).get()?.total ?? 0;
}

/** When the nth newest came, from 1; null: there are fewer. */
export function findNthContactTime(db: Db, nth: number): number | null {
  const { createdAt } = contactMessage;
  const query = db.query.select({ createdAt }).from(contactMessage).orderBy(desc(createdAt));
  return (
    query
      .limit(1)
      .offset(nth - 1)
      .get()?.createdAt ?? null
  );
}

/** Newest first. */
export function listContactMessages(db: Db, limit: number): readonly ContactMessageRow[] {
  return db.query.select().from(contactMessage).orderBy(desc(contactMessage.createdAt)).limit(limit).all();
}
