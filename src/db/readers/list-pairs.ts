import { and, asc, count, desc, eq, isNotNull } from 'drizzle-orm';
import type { PairId, PlanId, RunId, WorkspaceId } from '../../model/ids.ts';
import type { PlanCounts } from '../../model/plan.ts';
import type { Db } from '../database.ts';
import { conflict, problem } from '../schema/history.ts';
import { type PairRow, pair } from '../schema/pair.ts';
import { product, productBinding, variantBinding } from '../schema/product.ts';
import { plan, type RunRow, run } from '../schema/run.ts';
import type { StoreRow } from '../schema/store.ts';
import { getStore } from './pairs.ts';

/** A pair with what lists and its page show of it. */
export interface PairListRow {
  readonly pair: PairRow;
  readonly woocommerce: StoreRow;
  readonly shopify: StoreRow;
  readonly counts: {
    readonly records: number;
    readonly conflicts: number;
    readonly problems: number;
    /** Records with an open write. */
    readonly pending: number;
  };
  readonly runningRunId: RunId | null;
  /** The newest plan, where it waits for a decision. */
  readonly openPlan: OpenPlan | null;
}

export interface OpenPlan {
  readonly id: PlanId;
  /** Null: it is still being made. */
  readonly readyAt: number | null;
  /** That applying it makes. */
  readonly writes: number;
}

/** In the order in which they were made. */
export function listWorkspacePairs(db: Db, workspaceId: WorkspaceId): readonly PairListRow[] {
  const rows = db.query
    .select()
    .from(pair)
    .where(eq(pair.workspaceId, workspaceId))
    .orderBy(asc(pair.createdAt), asc(pair.id))
    .all();
  return rows.map((row) => withCounts(db, row));
}

/** Null also for a pair of another workspace. */
export function findWorkspacePair(db: Db, workspaceId: WorkspaceId, id: string): PairListRow | null {
  const row = db.query
    .select()
    .from(pair)
    .where(and(eq(pair.workspaceId, workspaceId), eq(pair.id, id as PairId)))
    .get();
  return row === undefined ? null : withCounts(db, row);
}

function withCounts(db: Db, row: PairRow): PairListRow {
  const records = db.query.select({ n: count() }).from(product).where(eq(product.pairId, row.id)).get();
  const conflicts = db.query
    .select({ n: count() })
    .from(conflict)
    .where(and(eq(conflict.pairId, row.id), eq(conflict.state, 'open')))
    .get();
  const problems = db.query
    .select({ n: count() })
    .from(problem)
    .where(and(eq(problem.pairId, row.id), eq(problem.state, 'open')))
    .get();
  const running = db.query
    .select({ id: run.id })
    .from(run)
    .where(and(eq(run.pairId, row.id), eq(run.status, 'running')))
    .orderBy(desc(run.startedAt))
    .limit(1)
    .get();
  const newest = db.query
    .select({ id: plan.id, status: plan.status, readyAt: plan.readyAt, counts: plan.counts })
    .from(plan)
    .where(eq(plan.pairId, row.id))
    .orderBy(desc(plan.createdAt), desc(plan.id))
    .limit(1)
    .get();
  return {
    pair: row,
    woocommerce: getStore(db, row.woocommerceStoreId),
    shopify: getStore(db, row.shopifyStoreId),
    counts: {
      records: records?.n ?? 0,
      conflicts: conflicts?.n ?? 0,
      problems: problems?.n ?? 0,
      pending: countPending(db, row.id),
    },
    runningRunId: running?.id ?? null,
    openPlan:
      newest?.status === 'planning' || newest?.status === 'ready'
        ? { id: newest.id, readyAt: newest.readyAt, writes: writesOf(newest.counts) }
        : null,
  };
}

function writesOf({ woocommerce, shopify }: PlanCounts): number {
  return [woocommerce, shopify].reduce((sum, one) => sum + one.create + one.update + one.archive + one.stock, 0);
}

function countPending(db: Db, pairId: PairId): number {
  const products = db.query
    .selectDistinct({ id: productBinding.productId })
    .from(productBinding)
    .where(and(eq(productBinding.pairId, pairId), isNotNull(productBinding.intent)))
    .all();
  const stocks = db.query
    .selectDistinct({ id: variantBinding.productId })
    .from(variantBinding)
    .where(and(eq(variantBinding.pairId, pairId), isNotNull(variantBinding.intentKey)))
    .all();
  return new Set([...products, ...stocks].map((one) => one.id)).size;
}

/** The last `limit` runs of a pair, oldest first. */
export function listHeartbeat(db: Db, pairId: PairId, limit: number): readonly RunRow[] {
  return db.query
    .select()
    .from(run)
    .where(eq(run.pairId, pairId))
    .orderBy(desc(run.startedAt), desc(run.id))
    .limit(limit)
    .all()
    .reverse();
}
