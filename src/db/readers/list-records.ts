import { and, desc, eq, sql } from 'drizzle-orm';
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
}

/** Newest change first. What contains a text is found by `searchRecords`. */
export function listRecords(db: Db, workspaceId: WorkspaceId, filter: Omit<RecordFilter, 'q'>): Page<RecordSummaryRow> {
  const limit = limitOf(filter);
  const place = placeOf(filter, 2);
  // Pair by pair, so that an index has them in this order and reading ends with the page.
  const found = pairsOf(db, workspaceId, filter.pairId)
    .flatMap((pairId) => listOfPair(db, pairId, filter, place, limit + 1))
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
  const page = toPage(found.slice(0, limit + 1), limit, (row) => [row.updatedAt, row.id]);
  return { rows: page.rows.flatMap(({ id }) => findRecordSummary(db, id) ?? []), nextCursor: page.nextCursor };
}

function listOfPair(
  db: Db,
  pairId: PairId,
  filter: Omit<RecordFilter, 'q'>,
  place: ReturnType<typeof placeOf>,
  limit: number,
): { readonly id: ProductId; readonly updatedAt: number }[] {
  const candidates = candidatesOf(filter.state, pairId);
  return db.query
    .select({ id: product.id, updatedAt: product.updatedAt })
    .from(product)
    .where(
      and(
        eq(product.pairId, pairId),
        candidates === null ? undefined : sql`${product.id} IN (${candidates})`,
        filter.state === undefined ? undefined : sql`${recordState} = ${filter.state}`,
        beforePlace(product.updatedAt, product.id, place),
      ),
    )
    .orderBy(desc(product.updatedAt), desc(product.id))
    .limit(limit)
    .all();
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
  return {
    ...{ summary, product: row.product, variants },
    bindings: Object.fromEntries(bindings.map((binding) => [binding.side, binding])),
  };
}
