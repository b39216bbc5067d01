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
import {
  candidatesOf,
  countStates,
  pairsOf,
  type RecordState,
  type RecordStateCounts,
  recordState,
} from './record-states.ts';

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

/** Newest change first. */
export function listRecords(db: Db, workspaceId: WorkspaceId, filter: RecordFilter): Page<RecordListRow> {
  const limit = limitOf(filter);
  const place = placeOf(filter, 2);
  // Pair by pair, so that an index has them in this order and reading ends with the page.
  const rows = pairsOf(db, workspaceId, filter.pairId)
    .flatMap((pairId) => listOfPair(db, pairId, filter, place, limit + 1))
    .sort((a, b) => b.product.updatedAt - a.product.updatedAt || (a.product.id < b.product.id ? 1 : -1));
  const page = toPage(rows.slice(0, limit + 1), limit, (row) => [row.product.updatedAt, row.product.id]);
  return { rows: withParts(db, page.rows), nextCursor: page.nextCursor };
}

function listOfPair(
  db: Db,
  pairId: PairId,
  filter: RecordFilter,
  place: ReturnType<typeof placeOf>,
  limit: number,
): { readonly product: ProductRow; readonly state: RecordState }[] {
  const candidates = candidatesOf(filter.state, pairId);
  return db.query
    .select({ product, state: recordState })
    .from(product)
    .where(
      and(
        eq(product.pairId, pairId),
        typed(filter.q),
        candidates === null ? undefined : sql`${product.id} IN (${candidates})`,
        filter.state === undefined ? undefined : sql`${recordState} = ${filter.state}`,
        beforePlace(product.updatedAt, product.id, place),
      ),
    )
    .orderBy(desc(product.updatedAt), desc(product.id))
    .limit(limit)
    .all();
}

function typed(text: string | undefined): SQL | undefined {
  const q = text?.trim() ?? '';
  if (q === '') return undefined;
  return or(
    contains(product.title, q),
    sql`EXISTS (SELECT 1 FROM ${variant} WHERE ${variant.productId} = ${product.id}
      AND (${contains(variant.sku, q)} OR ${contains(variant.barcode, q)}))`,
  );
}

/** By state, of the filter without its own state. */
export function countRecordStates(
  db: Db,
  workspaceId: WorkspaceId,
  filter: Pick<RecordFilter, 'pairId' | 'q'>,
): RecordStateCounts {
  const match = typed(filter.q);
  if (match === undefined) return countStates(db, workspaceId, filter.pairId);
  const counts = { level: 0, pending: 0, conflict: 0, failed: 0, unlinked: 0, deleted: 0 };
  const rows = db.query
    .select({ state: recordState, n: count() })
    .from(product)
    .where(and(inArray(product.pairId, [...pairsOf(db, workspaceId, filter.pairId)]), match))
    .groupBy(recordState)
    .all();
  for (const row of rows) counts[row.state] = row.n;
  return counts;
}

/** Null also for a record of another workspace. */
export function findWorkspaceRecord(db: Db, workspaceId: WorkspaceId, id: string): RecordListRow | null {
  const row = db.query
    .select({ product, state: recordState })
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
