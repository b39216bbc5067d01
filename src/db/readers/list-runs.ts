import { and, asc, avg, count, desc, eq, gte, inArray, ne, or, type SQL, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { PairId, RunId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { RunArea, RunStatus, RunTrigger } from '../../model/run.ts';
import type { Db } from '../database.ts';
import { change } from '../schema/history.ts';
import { type PairRow, pair } from '../schema/pair.ts';
import { type RunItemRow, type RunRow, run, runItem } from '../schema/run.ts';
import { store } from '../schema/store.ts';
import { beforePlace, contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

const woocommerce = alias(store, 'woocommerce');
const shopify = alias(store, 'shopify');

export interface RunListRow {
  readonly run: RunRow;
  /** Null: the pair is gone, its history stays. */
  readonly pair: PairRow | null;
  readonly woocommerceName: string | null;
  readonly shopifyName: string | null;
}

export interface RunFilter extends PageRequest {
  readonly offset?: number | undefined;
  readonly status?: RunStatus | undefined;
  readonly trigger?: RunTrigger | undefined;
  readonly entityType?: string | undefined;
  readonly pairId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly q?: string | undefined;
}

/** The two stores as a run's name shows them. */
const bothNames = sql`${woocommerce.name} || ' and ' || ${shopify.name}`;

function select(db: Db) {
  return db.query
    .select({ run, pair, woocommerceName: woocommerce.name, shopifyName: shopify.name })
    .from(run)
    .leftJoin(pair, eq(pair.id, run.pairId))
    .leftJoin(woocommerce, eq(woocommerce.id, pair.woocommerceStoreId))
    .leftJoin(shopify, eq(shopify.id, pair.shopifyStoreId));
}

function conditions(workspaceId: WorkspaceId, filter: RunFilter): SQL | undefined {
  const q = filter.q?.trim() ?? '';
  return and(
    eq(run.workspaceId, workspaceId),
    filter.status === undefined ? undefined : eq(run.status, filter.status),
    filter.trigger === undefined ? undefined : eq(run.trigger, filter.trigger),
    filter.pairId === undefined ? undefined : eq(run.pairId, filter.pairId as PairId),
    filter.storeId === undefined
      ? undefined
      : or(eq(pair.woocommerceStoreId, filter.storeId as StoreId), eq(pair.shopifyStoreId, filter.storeId as StoreId)),
    filter.entityType === undefined ? undefined : eq(run.area, filter.entityType as RunArea),
    q === '' ? undefined : or(contains(bothNames, q), contains(run.status, q), contains(run.area, q)),
  );
}

/** Newest first. With `offset` for page buttons; the total is of the filter. */
export function listRuns(
  db: Db,
  workspaceId: WorkspaceId,
  filter: RunFilter,
): Page<RunListRow> & { readonly total: number } {
  const limit = limitOf(filter);
  const where = conditions(workspaceId, filter);
  const total =
    db.query
      .select({ n: count() })
      .from(run)
      .leftJoin(pair, eq(pair.id, run.pairId))
      .leftJoin(woocommerce, eq(woocommerce.id, pair.woocommerceStoreId))
      .leftJoin(shopify, eq(shopify.id, pair.shopifyStoreId))
      .where(where)
      .get()?.n ?? 0;
  const rows = select(db)
    .where(and(where, beforePlace(run.startedAt, run.id, placeOf(filter, 2))))
    .orderBy(desc(run.startedAt), desc(run.id))
    .limit(limit + 1)
    .offset(filter.offset ?? 0)
    .all();
  return { ...toPage(rows, limit, (row) => [row.run.startedAt, row.run.id]), total };
}

/** Null also for a run of another workspace. */
export function findWorkspaceRun(db: Db, workspaceId: WorkspaceId, id: string): RunListRow | null {
  return (
    select(db)
      .where(and(eq(run.workspaceId, workspaceId), eq(run.id, id as RunId)))
      .get() ?? null
  );
}

export interface RunItemFilter extends PageRequest {
  readonly outcome?: RunItemRow['outcome'] | undefined;
  readonly q?: string | undefined;
}

export function listRunItems(db: Db, runId: RunId, filter: RunItemFilter): Page<RunItemRow> {
  const limit = limitOf(filter);
  const place = placeOf(filter, 1);
  const q = filter.q?.trim() ?? '';
  const rows = db.query
    .select()
    .from(runItem)
    .where(
      and(
        eq(runItem.runId, runId),
        filter.outcome === undefined ? undefined : eq(runItem.outcome, filter.outcome),
        q === '' ? undefined : contains(runItem.title, q),
        place === null ? undefined : sql`${runItem.subject} > ${place[0]}`,
      ),
    )
    .orderBy(asc(runItem.subject))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.subject]);
}

export function countRunOutcomes(db: Db, runId: RunId): Partial<Record<RunItemRow['outcome'], number>> {
  const rows = db.query
    .select({ outcome: runItem.outcome, n: count() })
    .from(runItem)
    .where(eq(runItem.runId, runId))
    .groupBy(runItem.outcome)
    .all();
  return Object.fromEntries(rows.map((row) => [row.outcome, row.n]));
}

export interface RunTotals {
  readonly byStatus: Readonly<Record<RunStatus, number>>;
  readonly processed: number;
  readonly written: number;
  readonly failed: number;
  readonly averageDurationMs: number | null;
  readonly changes: number;
}

export function readRunTotals(db: Db, workspaceId: WorkspaceId, since: number, pairId: string | undefined): RunTotals {
  const where = and(
    eq(run.workspaceId, workspaceId),
    gte(run.startedAt, since),
    pairId === undefined ? undefined : eq(run.pairId, pairId as PairId),
  );
  const rows = db.query.select({ status: run.status, n: count() }).from(run).where(where).groupBy(run.status).all();
  const byStatus = { running: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const row of rows) byStatus[row.status] = row.n;
  const totals = db.query
    .select({
      processed: sum(sql`json_extract(${run.stats}, '$.totalProcessed')`).mapWith(Number),
      written: sum(sql`json_extract(${run.stats}, '$.written')`).mapWith(Number),
      failed: sum(sql`json_extract(${run.stats}, '$.failed')`).mapWith(Number),
      averageDurationMs: avg(sql`${run.finishedAt} - ${run.startedAt}`).mapWith(Number),
    })
    .from(run)
    .where(where)
    .get();
  return {
    byStatus,
    processed: totals?.processed ?? 0,
    written: totals?.written ?? 0,
    failed: totals?.failed ?? 0,
    averageDurationMs: totals?.averageDurationMs ?? null,
    changes: countWrites(db, workspaceId, since, pairId),
  };
}

/** Fields that we wrote on a side since a moment, live syncing included. */
export function countWrites(db: Db, workspaceId: WorkspaceId, since: number, pairId: string | undefined): number {
  const ids =
    pairId === undefined
      ? db.query.select({ id: pair.id }).from(pair).where(eq(pair.workspaceId, workspaceId)).all()
      : db.query
          .select({ id: pair.id })
          .from(pair)
          .where(and(eq(pair.workspaceId, workspaceId), eq(pair.id, pairId as PairId)))
          .all();
  if (ids.length === 0) return 0;
  const row = db.query
    .select({ n: count() })
    .from(change)
    .where(
      and(
        inArray(
          change.pairId,
          ids.map((one) => one.id),
        ),
        gte(change.at, since),
        sql`${change.target} IS NOT NULL`,
        ne(change.cause, 'unanswered'),
      ),
    )
    .get();
  return row?.n ?? 0;
}
