import { and, asc, desc, eq, sql } from 'drizzle-orm';
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
import { beforePlace, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';
import { candidatesOf, pairsOf, type RecordState, recordState } from './record-states.ts';
import { findRecordSummary, type RecordSummaryRow } from './record-summary.ts';

/** A record with all that belongs to it. */
export interface RecordRow {
  readonly summary: RecordSummaryRow;
  readonly product: ProductRow;
  readonly variants: readonly VariantRow[];
  readonly bindings: Readonly<Partial<Record<Side, ProductBindingRow>>>;
}

export interface RecordFilter extends PageRequest {
  readonly pairId?: string | undefined;
  readonly state?: RecordState | undefined;
  readonly q?: string | undefined;
  /** id: a place among ids stays where it is while records change, so that whoever reads all pages misses none. By itself: newest change first. */
  readonly sort?: 'changed' | 'id' | undefined;
}

/** What contains a text is found by `searchRecords`. */
export function listRecords(db: Db, workspaceId: WorkspaceId, filter: Omit<RecordFilter, 'q'>): Page<RecordSummaryRow> {
  const limit = limitOf(filter);
  const isById = filter.sort === 'id';
  const place = placeOf(filter, isById ? 1 : 2);
  // Pair by pair, so that an index has them in this order and reading ends with the page.
  const found = pairsOf(db, workspaceId, filter.pairId)
    .flatMap((pairId) => listOfPair(db, pairId, filter, place, limit + 1))
    .sort(isById ? idFirst : newestFirst);
  const page = toPage(found.slice(0, limit + 1), limit, (row) => (isById ? [row.id] : [row.updatedAt, row.id]));
  return { rows: page.rows.flatMap(({ id }) => findRecordSummary(db, id) ?? []), nextCursor: page.nextCursor };
}

interface Listed {
  readonly id: ProductId;
  readonly updatedAt: number;
}

function newestFirst(a: Listed, b: Listed): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);
}

function idFirst(a: Listed, b: Listed): number {
  return a.id < b.id ? -1 : 1;
}

function listOfPair(
  db: Db,
  pairId: PairId,
  filter: Omit<RecordFilter, 'q'>,
  place: ReturnType<typeof placeOf>,
  limit: number,
): Listed[] {
  const isById = filter.sort === 'id';
  const candidates = candidatesOf(filter.state, pairId);
  return db.query
    .select({ id: product.id, updatedAt: product.updatedAt })
    .from(product)
    .where(
      and(
        eq(product.pairId, pairId),
        candidates === null ? undefined : sql`${product.id} IN (${candidates})`,
        filter.state === undefined ? undefined : sql`${recordState} = ${filter.state}`,
        isById ? afterId(place) : beforePlace(product.updatedAt, product.id, place),
      ),
    )
    .orderBy(...(isById ? [asc(product.id)] : [desc(product.updatedAt), desc(product.id)]))
    .limit(limit)
    .all();
}

function afterId(place: ReturnType<typeof placeOf>) {
  return place === null ? undefined : sql`${product.id} > ${place[0]}`;
}

/** Null also for a record of another workspace. */
export function findWorkspaceRecord(db: Db, workspaceId: WorkspaceId, id: string): RecordRow | null {
  const row = db.query
    .select({ product })
    .from(product)
    .innerJoin(pair, eq(pair.id, product.pairId))
    .where(and(eq(pair.workspaceId, workspaceId), eq(product.id, id as ProductId)))
    .get();
  const summary = row === undefined ? null : findRecordSummary(db, row.product.id);
  if (row === undefined || summary === null) return null;
  const variants = db.query.select().from(variant).where(eq(variant.productId, summary.id)).all();
  const bindings = db.query.select().from(productBinding).where(eq(productBinding.productId, summary.id)).all();
  const removed = new Set<string>(variants.flatMap(({ id, stockState }) => (stockState === 'removed' ? [id] : [])));
  const { data } = row.product;
  const shown = Object.fromEntries(Object.entries(data.variants).filter(([id]) => !removed.has(id)));
  return {
    ...{ summary, product: { ...row.product, data: { ...data, variants: shown } }, variants },
    bindings: Object.fromEntries(bindings.map((binding) => [binding.side, binding])),
  };
}
