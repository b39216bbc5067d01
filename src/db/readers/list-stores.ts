import { and, asc, count, countDistinct, eq, gte, inArray, isNotNull, not, or, sql } from 'drizzle-orm';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Platform } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { change, conflict, problem } from '../schema/history.ts';
import { delivery } from '../schema/machinery.ts';
import { pair } from '../schema/pair.ts';
import { product, productBinding } from '../schema/product.ts';
import { type StoreRow, store } from '../schema/store.ts';
import { contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export interface StoreFilter extends PageRequest {
  readonly platform?: Platform | undefined;
  readonly status?: StoreRow['status'] | undefined;
  readonly q?: string | undefined;
}

/** A store with what lists show of it. */
export interface StoreListRow {
  readonly store: StoreRow;
  readonly pairIds: readonly PairId[];
  /** Records that are there; those that were deleted are not. */
  readonly linkedCount: number;
  readonly lastSyncAt: number | null;
}

/** In the order in which they were connected. */
export function listWorkspaceStores(
  db: Db,
  workspaceId: WorkspaceId,
  filter: StoreFilter,
): Page<StoreListRow> & { readonly total: number } {
  const limit = limitOf(filter);
  const place = placeOf(filter, 2);
  const where = and(
    eq(store.workspaceId, workspaceId),
    filter.platform === undefined ? undefined : eq(store.platform, filter.platform),
    filter.status === undefined ? undefined : eq(store.status, filter.status),
    filter.q === undefined || filter.q.trim() === ''
      ? undefined
      : or(contains(store.name, filter.q), contains(store.address, filter.q)),
  );
  const total = db.query.select({ n: count() }).from(store).where(where).get()?.n ?? 0;
  const rows = db.query
    .select()
    .from(store)
    .where(and(where, place === null ? undefined : sql`(${store.createdAt}, ${store.id}) > (${place[0]}, ${place[1]})`))
    .orderBy(asc(store.createdAt), asc(store.id))
    .limit(limit + 1)
    .all();
  const page = toPage(rows, limit, (row) => [row.createdAt, row.id]);
  return { rows: page.rows.map((row) => withPairs(db, row)), nextCursor: page.nextCursor, total };
}

/** Null also for a store of another workspace. */
export function findWorkspaceStore(db: Db, workspaceId: WorkspaceId, id: string): StoreListRow | null {
  const row = db.query
    .select()
    .from(store)
    .where(and(eq(store.workspaceId, workspaceId), eq(store.id, id as StoreId)))
    .get();
  return row === undefined ? null : withPairs(db, row);
}

function withPairs(db: Db, row: StoreRow): StoreListRow {
  const pairs = db.query
    .select({ id: pair.id, lastSyncAt: pair.lastSyncAt })
    .from(pair)
    .where(or(eq(pair.woocommerceStoreId, row.id), eq(pair.shopifyStoreId, row.id)))
    .orderBy(asc(pair.createdAt))
    .all();
  const ids = pairs.map(({ id }) => id);
  const linkedCount = countLinked(db, row.id) - countGone(db, row.id, ids);
  const times = pairs.flatMap((one) => (one.lastSyncAt === null ? [] : [one.lastSyncAt]));
  return {
    store: row,
    pairIds: ids,
    linkedCount,
    lastSyncAt: times.length === 0 ? null : Math.max(...times),
  };
}

function countLinked(db: Db, storeId: StoreId): number {
  const counted = db.query
    .select({ n: countDistinct(productBinding.externalId) })
    .from(productBinding)
    .where(and(eq(productBinding.storeId, storeId), isNotNull(productBinding.externalId)))
    .get();
  return counted?.n ?? 0;
}

/**
 * Of those the ones that were deleted in every pair that has them: few, with an index of their own, where all others are counted without a look at their
 * rows, which are wide. What one pair of the store holds for deleted may be there in another.
 */
function countGone(db: Db, storeId: StoreId, pairIds: readonly PairId[]): number {
  const deleted = db.query
    .select({ id: product.id })
    .from(product)
    .where(and(inArray(product.pairId, [...pairIds]), sql`${product.state} = 'deleted'`));
  const isThere = sql`EXISTS (SELECT 1 FROM product_binding other JOIN product p ON p.id = other.product_id
    WHERE other.store_id = ${storeId} AND other.external_id = ${productBinding.externalId} AND p.state <> 'deleted')`;
  const counted = db.query
    .select({ n: countDistinct(productBinding.externalId) })
    .from(productBinding)
    .where(and(eq(productBinding.storeId, storeId), inArray(productBinding.productId, deleted), not(isThere)))
    .get();
  return counted?.n ?? 0;
}

export interface StoreStats {
  readonly openProblems: number;
  readonly openConflicts: number;
  readonly deliveries: number;
  readonly changes: number;
}

/** Counts since `since` (ms) for one store's page. */
export function readStoreStats(db: Db, { store: row, pairIds }: StoreListRow, since: number): StoreStats {
  const ids = [...pairIds];
  const one = (result: { n: number } | undefined) => result?.n ?? 0;
  return {
    openProblems: one(
      db.query
        .select({ n: count() })
        .from(problem)
        .where(and(eq(problem.workspaceId, row.workspaceId), eq(problem.storeId, row.id), eq(problem.state, 'open')))
        .get(),
    ),
    openConflicts:
      ids.length === 0
        ? 0
        : one(
            db.query
              .select({ n: count() })
              .from(conflict)
              .where(and(inArray(conflict.pairId, ids), eq(conflict.state, 'open')))
              .get(),
          ),
    deliveries: one(
      db.query
        .select({ n: count() })
        .from(delivery)
        // The plus: a day of all stores, in the index alone, instead of every delivery of this one that is kept.
        .where(and(sql`+${delivery.storeId} = ${row.id}`, gte(delivery.receivedAt, since)))
        .get(),
    ),
    changes:
      ids.length === 0
        ? 0
        : one(
            db.query
              .select({ n: count() })
              .from(change)
              .where(and(inArray(change.pairId, ids), eq(change.target, row.platform), gte(change.at, since)))
              .get(),
          ),
  };
}

/** The pair of a store that is in exactly one, for 'sync this store'. */
export function findOnlyPairOfStore(db: Db, workspaceId: WorkspaceId, id: string): PairId | null {
  const rows = db.query
    .select({ id: pair.id })
    .from(pair)
    .where(
      and(
        eq(pair.workspaceId, workspaceId),
        or(eq(pair.woocommerceStoreId, id as StoreId), eq(pair.shopifyStoreId, id as StoreId)),
      ),
    )
    .limit(2)
    .all();
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}
