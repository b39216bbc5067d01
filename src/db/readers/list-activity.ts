import { and, asc, count, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type EventRow, event } from '../schema/machinery.ts';
import { limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export type ActivityKind = 'all' | 'orders' | 'products' | 'errors';

export interface ActivityFilter extends PageRequest {
  readonly filter?: ActivityKind | undefined;
  readonly pairId?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

const isOrder = sql`${event.type} LIKE 'order%'`;
const isProduct = sql`(${event.type} LIKE 'stock%' OR ${event.type} LIKE 'product%' OR ${event.type} LIKE 'field%' OR ${event.type} LIKE 'conflict%')`;
const isAlwaysError = sql`${event.type} IN ('problem', 'pair_halted', 'run_failed', 'plan_failed')`;
const isLostStore = sql`(${event.type} = 'store_health_changed' AND json_extract(${event.payload}, '$.status') = 'error')`;
const isError = sql`(${isAlwaysError} OR ${isLostStore})`;
/** Progress is for progress bars, not for the history. */
const isShown = sql`${event.type} NOT IN ('run_progress', 'plan_progress')`;

function scope(workspaceId: WorkspaceId, filter: Pick<ActivityFilter, 'pairId'>) {
  return and(
    eq(event.workspaceId, workspaceId),
    isShown,
    filter.pairId === undefined ? undefined : eq(event.pairId, filter.pairId as PairId),
  );
}

function kind(filter: ActivityKind | undefined) {
  if (filter === 'orders') return isOrder;
  if (filter === 'products') return isProduct;
  return filter === 'errors' ? isError : undefined;
}

/** Newest first; with `after`, oldest first from there. */
export function listActivity(db: Db, workspaceId: WorkspaceId, filter: ActivityFilter): Page<EventRow> {
  const limit = limitOf(filter);
  const place = placeOf(filter, 1);
  const isForward = filter.after !== undefined;
  const rows = db.query
    .select()
    .from(event)
    .where(
      and(
        scope(workspaceId, filter),
        kind(filter.filter),
        filter.after === undefined ? undefined : gt(event.seq, filter.after),
        filter.before === undefined ? undefined : lt(event.seq, filter.before),
        place === null ? undefined : isForward ? sql`${event.seq} > ${place[0]}` : sql`${event.seq} < ${place[0]}`,
      ),
    )
    .orderBy(isForward ? asc(event.seq) : desc(event.seq))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.seq]);
}

export function countActivity(
  db: Db,
  workspaceId: WorkspaceId,
  filter: Pick<ActivityFilter, 'pairId'>,
): Record<ActivityKind, number> {
  const here = scope(workspaceId, filter);
  // By type first: an index alone has that, and there are few types.
  const types = db.query
    .select({ type: event.type, n: count(), isOrder, isProduct, isAlwaysError })
    .from(event)
    .where(here)
    .groupBy(event.type)
    .all();
  const lostStores = db.query.select({ n: count() }).from(event).where(and(here, isLostStore)).get()?.n ?? 0;
  const sum = (of: (row: (typeof types)[number]) => unknown): number =>
    types.reduce((total, row) => total + (of(row) ? row.n : 0), 0);
  return {
    all: sum(() => true),
    orders: sum((row) => row.isOrder),
    products: sum((row) => row.isProduct),
    errors: sum((row) => row.isAlwaysError) + lostStores,
  };
}
