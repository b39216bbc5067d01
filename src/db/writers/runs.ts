import { and, asc, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { batches } from '../../lib/batches.ts';
import type { PairId, PlanId, RunId } from '../../model/ids.ts';
import { isItemWritten } from '../../model/plan.ts';
import { cachedInsert, cachedUpdate } from '../cached-update.ts';
import { type Db, statement, type Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import {
  type NewPlanItem,
  type PlanItemRow,
  type PlanRow,
  plan,
  planItem,
  type RunItemRow,
  type RunRow,
  run,
  runItem,
} from '../schema/run.ts';

export function insertRun(tx: Tx, row: RunRow): void {
  cachedInsert(tx, run, row);
}

export function updateRun(tx: Tx, id: RunId, set: Partial<Omit<RunRow, 'id'>>): void {
  cachedUpdate(tx, run, set, { id });
}

const runById = statement((query) =>
  query
    .select()
    .from(run)
    .where(eq(run.id, sql.placeholder('id')))
    .prepare(),
);

export function findRun(db: Db, id: RunId): RunRow | null {
  return runById(db).get({ id }) ?? null;
}

const openRuns = statement((query) =>
  query
    .select()
    .from(run)
    .where(and(eq(run.pairId, sql.placeholder('pairId')), eq(run.status, 'running')))
    .orderBy(desc(run.startedAt))
    .prepare(),
);

export function findOpenRun(db: Db, pairId: PairId): RunRow | null {
  return openRuns(db).get({ pairId }) ?? null;
}

const shutOut = rawStatement<[pair: string], { at: number | null }>(
  `SELECT max(finished_at) AS at FROM run
   WHERE pair_id = ? AND trigger = 'realtime' AND status = 'failed' AND error_code = 'UNAUTHORIZED'`,
);

/** When a full look that nobody asked for by hand last ended because a store did not let us in, or null. */
export function findShutOutAt(db: Db, pairId: PairId): number | null {
  return shutOut(db).get(pairId)?.at ?? null;
}

const upsertItem = rawStatement<(string | number | null)[]>(
  `INSERT INTO run_item (run_id, subject, title, action, outcome, detail, at) VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (run_id, subject) DO UPDATE SET
     action = excluded.action, outcome = excluded.outcome, detail = excluded.detail, at = excluded.at`,
);

export function recordRunItem(tx: Tx, row: RunItemRow): void {
  const { runId, subject, title, action, outcome, detail, at } = row;
  upsertItem(tx).run(runId, subject, title, action, outcome, detail, at);
}

const itemOf = statement((query) =>
  query
    .select({ outcome: runItem.outcome })
    .from(runItem)
    .where(and(eq(runItem.runId, sql.placeholder('runId')), eq(runItem.subject, sql.placeholder('subject'))))
    .prepare(),
);

/** What a run has said of a subject so far, or null. */
export function findRunOutcome(db: Db, runId: RunId, subject: string): RunItemRow['outcome'] | null {
  return itemOf(db).get({ runId, subject })?.outcome ?? null;
}

export function insertPlan(tx: Tx, row: PlanRow): void {
  cachedInsert(tx, plan, row);
}

export function updatePlan(tx: Tx, id: PlanId, set: Partial<Omit<PlanRow, 'id'>>): void {
  cachedUpdate(tx, plan, set, { id });
}

const planById = statement((query) =>
  query
    .select()
    .from(plan)
    .where(eq(plan.id, sql.placeholder('id')))
    .prepare(),
);

export function findPlan(db: Db, id: PlanId): PlanRow | null {
  return planById(db).get({ id }) ?? null;
}

/** A pair's plans that are neither applied nor discarded. */
export function listOpenPlans(db: Db, pairId: PairId): readonly PlanRow[] {
  return db.query
    .select()
    .from(plan)
    .where(and(eq(plan.pairId, pairId), inArray(plan.status, ['planning', 'ready', 'nothing_to_do'])))
    .all();
}

const insertItem = statement((query) =>
  query
    .insert(planItem)
    .values({
      planId: sql.placeholder('planId'),
      seq: sql.placeholder('seq'),
      action: sql.placeholder('action'),
      productId: sql.placeholder('productId'),
      woocommerceId: sql.placeholder('woocommerceId'),
      shopifyId: sql.placeholder('shopifyId'),
      title: sql.placeholder('title'),
      sku: sql.placeholder('sku'),
      fingerprint: sql.placeholder('fingerprint'),
      touchesWoocommerce: sql.placeholder('touchesWoocommerce'),
      touchesShopify: sql.placeholder('touchesShopify'),
      isUnlike: sql.placeholder('isUnlike'),
      data: sql.placeholder('data'),
    })
    .prepare(),
);

export function insertPlanItem(tx: Tx, row: NewPlanItem): void {
  insertItem(tx).run({
    ...row,
    touchesWoocommerce: isItemWritten(row, 'woocommerce'),
    touchesShopify: isItemWritten(row, 'shopify'),
    isUnlike: row.data.unlike !== undefined,
  });
}

const forgetItems = rawStatement<[plan: string, max: number]>(
  'DELETE FROM plan_item WHERE rowid IN (SELECT rowid FROM plan_item WHERE plan_id = ? LIMIT ?)',
);

/** Forgets what a plan holds, at most `max` rows in one go. Returns how many. */
export function prunePlanItems(tx: Tx, id: PlanId, max: number): number {
  return forgetItems(tx).run(id, max).changes;
}

/** Bytes of items that are read at once: one of a product with thousands of variants has hundreds of thousands. */
const PAGE_BYTES_MAX = 1_000_000;
const sizes = rawStatement<[plan: string, after: number, max: number], { seq: number; bytes: number }>(
  'SELECT seq, octet_length(data) AS bytes FROM plan_item WHERE plan_id = ? AND seq > ? ORDER BY seq LIMIT ?',
);

/** One keyset page of a plan's items in order: at most `limit`, and fewer where they are large; at least one. */
export function pagePlanItems(db: Db, id: PlanId, afterSeq: number, limit: number): readonly PlanItemRow[] {
  const [first] = batches(sizes(db).all(id, afterSeq, limit), ({ bytes }) => bytes, {
    countMax: limit,
    weightMax: PAGE_BYTES_MAX,
  });
  const last = first?.at(-1);
  if (last === undefined) return [];
  return db.query
    .select()
    .from(planItem)
    .where(and(eq(planItem.planId, id), gt(planItem.seq, afterSeq), lte(planItem.seq, last.seq)))
    .orderBy(asc(planItem.seq))
    .all();
}
