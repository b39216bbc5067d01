import { and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PairId, ProductId, WorkspaceId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { pair } from '../schema/pair.ts';
import {
  type ProductBindingRow,
  type ProductRow,
  product,
  productBinding,
  type VariantRow,
  variant,
} from '../schema/product.ts';
import { beforePlace, contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export type RecordState = 'level' | 'pending' | 'conflict' | 'failed' | 'unlinked' | 'deleted';

export interface RecordListRow {
  readonly product: ProductRow;
  readonly state: RecordState;
  readonly variants: readonly VariantRow[];
  readonly bindings: Readonly<Partial<Record<Side, ProductBindingRow>>>;
}

export interface RecordFilter extends PageRequest {
  readonly pairId?: string | undefined;
  readonly state?: RecordState | undefined;
  readonly q?: string | undefined;
}

/** The worst that can be said of a record, in the order in which a person should care. */
const state = sql<RecordState>`CASE
  WHEN product.state = 'deleted' THEN 'deleted'
  WHEN EXISTS (SELECT 1 FROM conflict c WHERE c.product_id = product.id AND c.state = 'open') THEN 'conflict'
  WHEN EXISTS (SELECT 1 FROM problem p WHERE p.product_id = product.id AND p.state = 'open' AND p.level = 'error') THEN 'failed'
  WHEN EXISTS (SELECT 1 FROM product_binding b WHERE b.product_id = product.id AND b.intent IS NOT NULL)
    OR EXISTS (SELECT 1 FROM variant_binding v WHERE v.product_id = product.id AND v.intent_key IS NOT NULL) THEN 'pending'
  WHEN (SELECT count(*) FROM product_binding b WHERE b.product_id = product.id AND b.external_id IS NOT NULL) < 2 THEN 'unlinked'
  ELSE 'level' END`;

function scope(workspaceId: WorkspaceId, filter: Pick<RecordFilter, 'pairId' | 'q'>): SQL | undefined {
  const q = filter.q?.trim() ?? '';
  return and(
    eq(pair.workspaceId, workspaceId),
    filter.pairId === undefined ? undefined : eq(product.pairId, filter.pairId as PairId),
    q === ''
      ? undefined
      : or(
          contains(product.title, q),
          sql`EXISTS (SELECT 1 FROM ${variant} WHERE ${variant.productId} = ${product.id}
            AND (${contains(variant.sku, q)} OR ${contains(variant.barcode, q)}))`,
        ),
  );
}

/** Newest change first. */
export function listRecords(db: Db, workspaceId: WorkspaceId, filter: RecordFilter): Page<RecordListRow> {
  const limit = limitOf(filter);
  const rows = db.query
    .select({ product, state })
    .from(product)
    .innerJoin(pair, eq(pair.id, product.pairId))
    .where(
      and(
        scope(workspaceId, filter),
        filter.state === undefined ? undefined : sql`${state} = ${filter.state}`,
        beforePlace(product.updatedAt, product.id, placeOf(filter, 2)),
      ),
    )
    .orderBy(desc(product.updatedAt), desc(product.id))
    .limit(limit + 1)
    .all();
  const page = toPage(rows, limit, (row) => [row.product.updatedAt, row.product.id]);
  return { rows: withParts(db, page.rows), nextCursor: page.nextCursor };
}

/** By state, of the filter without its own state. */
export function countRecordStates(
  db: Db,
  workspaceId: WorkspaceId,
  filter: Pick<RecordFilter, 'pairId' | 'q'>,
): Record<RecordState, number> {
  const rows = db.query
    .select({ state, n: count() })
    .from(product)
    .innerJoin(pair, eq(pair.id, product.pairId))
    .where(scope(workspaceId, filter))
    .groupBy(state)
    .all();
  const counts = { level: 0, pending: 0, conflict: 0, failed: 0, unlinked: 0, deleted: 0 };
  for (const row of rows) counts[row.state] = row.n;
  return counts;
}

/** Null also for a record of another workspace. */
export function findWorkspaceRecord(db: Db, workspaceId: WorkspaceId, id: string): RecordListRow | null {
  const row = db.query
    .select({ product, state })
    .from(product)
    .innerJoin(pair, eq(pair.id, product.pairId))
    .where(and(eq(pair.workspaceId, workspaceId), eq(product.id, id as ProductId)))
    .get();
  return row === undefined ? null : (withParts(db, [row])[0] ?? null);
}

function withParts(
  db: Db,
  rows: readonly { readonly product: ProductRow; readonly state: RecordState }[],
): readonly RecordListRow[] {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.product.id);
  const variants = db.query.select().from(variant).where(inArray(variant.productId, ids)).all();
  const bindings = db.query.select().from(productBinding).where(inArray(productBinding.productId, ids)).all();
  const variantsOf = Map.groupBy(variants, (row) => row.productId);
  const bindingsOf = Map.groupBy(bindings, (row) => row.productId);
  return rows.map((row) => ({
    ...row,
    variants: variantsOf.get(row.product.id) ?? [],
    bindings: Object.fromEntries((bindingsOf.get(row.product.id) ?? []).map((binding) => [binding.side, binding])),
  }));
}
