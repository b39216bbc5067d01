import { and, asc, count, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { batches } from '../../lib/batches.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import type { PlanId, RunId, WorkspaceId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { pair } from '../schema/pair.ts';
import { type PlanItemRow, type PlanRow, plan, planItem, run } from '../schema/run.ts';
import { store } from '../schema/store.ts';
import { contains, limitOf, type Page, type PageRequest, placeOf } from './page.ts';

export interface PlanView {
  readonly plan: PlanRow;
  readonly currency: string | null;
  readonly runId: RunId | null;
}

/** Null also for a plan of another workspace. */
export function findWorkspacePlan(db: Db, workspaceId: WorkspaceId, id: string): PlanView | null {
  const row = db.query
    .select({ plan, info: store.info })
    .from(plan)
    .leftJoin(pair, eq(pair.id, plan.pairId))
    .leftJoin(store, eq(store.id, pair.woocommerceStoreId))
    .where(and(eq(plan.workspaceId, workspaceId), eq(plan.id, id as PlanId)))
    .get();
  if (row === undefined) return null;
  const applied = db.query
    .select({ id: run.id })
    .from(run)
    .where(and(eq(run.pairId, row.plan.pairId), eq(run.planId, row.plan.id)))
    .orderBy(desc(run.startedAt))
    .limit(1)
    .get();
  return { plan: row.plan, currency: row.info?.currency ?? null, runId: applied?.id ?? null };
}

/** Of items in one page, as they are stored. */
const PAGE_BYTES_MAX = 1_000_000;

export interface PlanItemFilter extends PageRequest {
  readonly action?: string | undefined;
  readonly side?: Side | undefined;
  readonly unlike?: boolean | undefined;
  readonly q?: string | undefined;
}

const TOUCHES = { woocommerce: planItem.touchesWoocommerce, shopify: planItem.touchesShopify } as const;

/** In order: at most `limit` in a page, and fewer where they are large; at least one. */
export function listPlanItems(
  db: Db,
  planId: PlanId,
  filter: PlanItemFilter,
): Page<PlanItemRow> & { readonly total: number; readonly byAction: Readonly<Record<string, number>> } {
  const limit = limitOf(filter);
  const place = placeOf(filter, 1);
  const q = filter.q?.trim() ?? '';
  const searched = and(
    eq(planItem.planId, planId),
    q === '' ? undefined : or(contains(planItem.title, q), contains(planItem.sku, q)),
  );
  const filtered = and(
    filter.action === undefined ? undefined : eq(planItem.action, filter.action),
    filter.side === undefined ? undefined : eq(TOUCHES[filter.side], true),
    filter.unlike === true ? eq(planItem.isUnlike, true) : undefined,
  );
  const isWhole = q === '' && filtered === undefined;
  const found = db.query
    .select({ seq: planItem.seq })
    .from(planItem)
    .where(and(searched, filtered, place === null ? undefined : sql`${planItem.seq} > ${place[0]}`))
    // The plus: what is filtered is found in the index, and put in order. By their order all would be looked at, and their rows are large.
    .orderBy(isWhole ? asc(planItem.seq) : sql`+${planItem.seq}`)
    .limit(limit + 1)
    .all()
    .map(({ seq }) => seq);
  // By their sizes first: an item of a product with thousands of variants is as large as hundreds of others.
  const sizes = db.query
    .select({ seq: planItem.seq, bytes: sql<number>`octet_length(${planItem.data})` })
    .from(planItem)
    .where(and(eq(planItem.planId, planId), inArray(planItem.seq, found)))
    .orderBy(asc(planItem.seq))
    .all();
  const [page = []] = batches(sizes, ({ bytes }) => bytes, { countMax: limit, weightMax: PAGE_BYTES_MAX });
  const shown = page.map(({ seq }) => seq);
  const rows = db.query
    .select()
    .from(planItem)
    .where(and(eq(planItem.planId, planId), inArray(planItem.seq, shown)))
    .orderBy(asc(planItem.seq))
    .all();
  const byAction = db.query
    .select({ action: planItem.action, n: count(), filtered: sql<number>`sum(${filtered ?? sql`1`})` })
    .from(planItem)
    .where(searched)
    .groupBy(planItem.action)
    .all();
  return {
    rows,
    nextCursor: found.length > page.length ? encodeCursor([shown.at(-1) ?? -1]) : null,
    total: byAction.reduce((total, row) => total + row.filtered, 0),
    byAction: Object.fromEntries(byAction.map((row) => [row.action, row.n])),
  };
}
