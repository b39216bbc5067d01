import { and, asc, desc, eq } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { type OutboxMailRow, outboxMail } from '../schema/account.ts';
import { beforePlace, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export function findOutboxMail(db: Db, id: string): OutboxMailRow | null {
  return db.query.select().from(outboxMail).where(eq(outboxMail.id, id)).get() ?? null;
}

/** Newest first. */
export function listOutboxMails(
  db: Db,
  request: PageRequest & { readonly state?: OutboxMailRow['state'] | undefined },
): Page<OutboxMailRow> {
  const limit = limitOf(request);
  const { createdAt, id, state } = outboxMail;
  const place = placeOf(request, 2);
  const wanted = request.state === undefined ? undefined : eq(state, request.state);
  const rows = db.query
    .select()
    .from(outboxMail)
    .where(and(wanted, beforePlace(createdAt, id, place)))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.createdAt, row.id]);
}

/** Those that were kept while there was no SMTP server, oldest first. */
export function listHeldMails(db: Db, max: number): OutboxMailRow[] {
  return db.query
    .select()
    .from(outboxMail)
    .where(eq(outboxMail.state, 'held'))
    .orderBy(asc(outboxMail.createdAt))
    .limit(max)
    .all();
}
