import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { job } from '../schema/machinery.ts';
import { pair } from '../schema/pair.ts';
import { store } from '../schema/store.ts';
import { isPairHeld, isStockHeld } from './pairs.ts';

/** What goes on where a pair is halted and its stock is not. */
const STOCK_TASKS = ['sync_stock', 'look_at_stock'];

export interface QueueState {
  readonly ready: number;
  /** Due later (a retry, a snooze, a schedule), or its pair is held. */
  readonly waiting: number;
  readonly executing: number;
  readonly retrying: number;
  readonly oldestReadyAt: number | null;
  readonly byTask: Readonly<Record<string, number>>;
}

/** The durable work of one workspace: jobs are grouped by its pairs and stores. */
export function readQueue(db: Db, workspaceId: WorkspaceId, now: number): QueueState {
  const pairs = db.query.select({ id: pair.id }).from(pair).where(eq(pair.workspaceId, workspaceId)).all();
  const stores = db.query.select({ id: store.id }).from(store).where(eq(store.workspaceId, workspaceId)).all();
  const groups = [...pairs, ...stores].map((row) => row.id as string);
  if (groups.length === 0) {
    return { ready: 0, waiting: 0, executing: 0, retrying: 0, oldestReadyAt: null, byTask: {} };
  }
  // Both states that there are: the index of lanes begins with them, and the work of others is not looked at.
  const mine = and(inArray(job.state, ['ready', 'executing']), inArray(job.groupKey, groups));
  const held = pairs.filter(({ id }) => isPairHeld(db, id)).map(({ id }) => id as string);
  const stockHeld = pairs.filter(({ id }) => isStockHeld(db, id)).map(({ id }) => id as string);
  const isFree = sql`CASE WHEN ${inArray(job.task, STOCK_TASKS)} THEN ${notInArray(job.groupKey, stockHeld)} ELSE ${notInArray(job.groupKey, held)} END`;
  const isDue = sql`(${job.state} = 'ready' AND ${job.runAt} <= ${now} AND ${isFree})`;
  const totals = db.query
    .select({
      ready: sql<number>`coalesce(sum(${isDue}), 0)`,
      waiting: sql<number>`coalesce(sum(${job.state} = 'ready' AND NOT ${isDue}), 0)`,
      executing: sql<number>`coalesce(sum(${job.state} = 'executing'), 0)`,
      retrying: sql<number>`coalesce(sum(${job.attempts} + ${job.faults} > 0), 0)`,
      oldestReadyAt: sql<number | null>`min(CASE WHEN ${isDue} THEN ${job.dirtySince} END)`,
    })
    .from(job)
    .where(mine)
    .get();
  const tasks = db.query
    .select({ task: job.task, n: sql<number>`count(*)` })
    .from(job)
    .where(mine)
    .groupBy(job.task)
    .all();
  const byTask = Object.fromEntries(tasks.map((row) => [row.task, row.n]));
  return { ...(totals ?? { ready: 0, waiting: 0, executing: 0, retrying: 0, oldestReadyAt: null }), byTask };
}
