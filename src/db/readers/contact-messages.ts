import { and, count, desc, eq, gt, gte } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { type ContactMessageRow, contactMessage } from '../schema/contact-message.ts';

/** The same letter since `sinceMs`: a form that was sent twice. */
export function findSameContactMessage(db: Db, letterIndex: string, sinceMs: number): ContactMessageRow | null {
  const isSame = and(gte(contactMessage.createdAt, sinceMs), eq(contactMessage.letterIndex, letterIndex));
  return db.query.select().from(contactMessage).where(isSame).get() ?? null;
}

/** Of all times, or since `sinceMs`. */
export function countContactMessages(db: Db, sinceMs = 0): number {
  const isCounted = gt(contactMessage.createdAt, sinceMs);
  return db.query.select({ total: count() }).from(contactMessage).where(isCounted).get()?.total ?? 0;
}

/** Newest first. */
export function listContactMessages(db: Db, limit: number): readonly ContactMessageRow[] {
  return db.query.select().from(contactMessage).orderBy(desc(contactMessage.createdAt)).limit(limit).all();
}
