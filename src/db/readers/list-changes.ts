import { and, desc, eq, sql } from 'drizzle-orm';
import type { ProductId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type ChangeRow, change } from '../schema/history.ts';
import { limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

/** The history of one record, newest first. */
export function listRecordChanges(db: Db, productId: ProductId, request: PageRequest): Page<ChangeRow> {
  const limit = limitOf(request);
  const place = placeOf(request, 1);
  const rows = db.query
    .select()
    .from(change)
    .where(and(eq(change.productId, productId), place === null ? undefined : sql`${change.seq} < ${place[0]}`))
    .orderBy(desc(change.seq))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.seq]);
}
