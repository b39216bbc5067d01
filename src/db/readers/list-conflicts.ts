import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import type { ConflictId, PairId, ProductId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type ConflictRow, conflict } from '../schema/history.ts';
import { pair } from '../schema/pair.ts';
import { product, variant } from '../schema/product.ts';
import { store } from '../schema/store.ts';
import { beforePlace, contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';
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

/** Newest first. */
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
  const rows = select(db)
    .where(and(where, beforePlace(conflict.openedAt, conflict.id, placeOf(filter, 2))))
    .orderBy(desc(conflict.openedAt), desc(conflict.id))
    .limit(limit + 1)
    .all();
  const page = toPage(rows, limit, (row) => [row.conflict.openedAt, row.conflict.id]);
  return { rows: page.rows.map((row) => toListRow(db, row)), nextCursor: page.nextCursor, total };
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
