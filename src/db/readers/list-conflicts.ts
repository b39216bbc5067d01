import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import type { ConflictId, PairId, ProductId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type ConflictRow, conflict } from '../schema/history.ts';
import { pair } from '../schema/pair.ts';
import { product, variant } from '../schema/product.ts';
import { store } from '../schema/store.ts';
import { contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';
import { type FieldOwner, findFieldOwner } from './record-summary.ts';

export interface ConflictListRow {
  readonly conflict: ConflictRow;
  /** Null: the record is gone. */
  readonly owner: FieldOwner | null;
  readonly currency: string | null;
}

export interface ConflictFilter extends PageRequest {
  readonly pairId?: string | undefined;
  readonly recordId?: string | undefined;
  readonly state?: ConflictRow['state'] | undefined;
  readonly q?: string | undefined;
}

function select(db: Db) {
  return db.query
    .select({ conflict, info: store.info })
    .from(conflict)
    .innerJoin(pair, eq(pair.id, conflict.pairId))
    .innerJoin(store, eq(store.id, pair.woocommerceStoreId))
    .leftJoin(product, eq(product.id, conflict.productId));
}

/**
 * Records with the newest conflict first, those of one record together, newest first. A page ends where a record does, so that nobody decides
 * about half of one; only a record that alone has more than a page holds goes on on the next.
 */
export function listConflicts(
  db: Db,
  workspaceId: WorkspaceId,
  filter: ConflictFilter,
): Page<ConflictListRow> & { readonly total: number } {
  const limit = limitOf(filter);
  const q = filter.q?.trim() ?? '';
  const where = and(
    eq(pair.workspaceId, workspaceId),
    filter.pairId === undefined ? undefined : eq(conflict.pairId, filter.pairId as PairId),
    filter.recordId === undefined ? undefined : eq(conflict.productId, filter.recordId as ProductId),
    filter.state === undefined ? undefined : eq(conflict.state, filter.state),
    q === ''
      ? undefined
      : or(
          contains(product.title, q),
          contains(conflict.field, q),
          sql`EXISTS (SELECT 1 FROM ${variant} WHERE ${variant.productId} = ${conflict.productId} AND ${contains(variant.sku, q)})`,
        ),
  );
  const total =
    db.query
      .select({ n: count() })
      .from(conflict)
      .innerJoin(pair, eq(pair.id, conflict.pairId))
      .leftJoin(product, eq(product.id, conflict.productId))
      .where(where)
      .get()?.n ?? 0;
  const ordered = db.query
    .select({
      id: conflict.id,
      productId: conflict.productId,
      openedAt: conflict.openedAt,
      newestAt: sql<number>`max(${conflict.openedAt}) OVER (PARTITION BY ${conflict.productId})`.as('newest_at'),
    })
    .from(conflict)
    .innerJoin(pair, eq(pair.id, conflict.pairId))
    .leftJoin(product, eq(product.id, conflict.productId))
    .where(where)
    .as('ordered');
  const place = placeOf(filter, 4);
  const rows = db.query
    .select({ conflict, info: store.info, newestAt: ordered.newestAt })
    .from(ordered)
    .innerJoin(conflict, eq(conflict.id, ordered.id))
    .innerJoin(pair, eq(pair.id, conflict.pairId))
    .innerJoin(store, eq(store.id, pair.woocommerceStoreId))
    .where(
      place === null
        ? undefined
        : sql`(${ordered.newestAt}, ${ordered.productId}, ${ordered.openedAt}, ${ordered.id}) < (${place[0]}, ${place[1]}, ${place[2]}, ${place[3]})`,
    )
    .orderBy(desc(ordered.newestAt), desc(ordered.productId), desc(ordered.openedAt), desc(ordered.id))
    .limit(limit + 1)
    .all();
  const page = toPage(rows, wholeRecords(rows, limit), (row) => [
    row.newestAt,
    row.conflict.productId,
    row.conflict.openedAt,
    row.conflict.id,
  ]);
  return { rows: page.rows.map((row) => toListRow(db, row)), nextCursor: page.nextCursor, total };
}

/** How many of the rows make a page: up to `limit`, without a record that the next page would go on with, unless there is no other. */
function wholeRecords(rows: readonly { readonly conflict: ConflictRow }[], limit: number): number {
  const next = rows[limit]?.conflict.productId;
  if (next === undefined) return limit;
  const begun = rows.findIndex((row) => row.conflict.productId === next);
  return begun > 0 ? begun : limit;
}

/** Null also for a conflict of another workspace. */
export function findWorkspaceConflict(db: Db, workspaceId: WorkspaceId, id: string): ConflictListRow | null {
  const row = select(db)
    .where(and(eq(pair.workspaceId, workspaceId), eq(conflict.id, id as ConflictId)))
    .get();
  return row === undefined ? null : toListRow(db, row);
}

function toListRow(
  db: Db,
  row: { readonly conflict: ConflictRow; readonly info: { readonly currency: string } | null },
): ConflictListRow {
  const { productId, field } = row.conflict;
  return {
    conflict: row.conflict,
    owner: findFieldOwner(db, productId, field),
    currency: row.info?.currency ?? null,
  };
}
