import type { EndpointId, PairId, PlanId, StoreId, WorkspaceId } from '../../model/ids.ts';
import { JOB_PRIORITY, LEFTOVERS_TASK } from '../../model/job.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { deleteJobs, enqueueJob } from './jobs.ts';
import { pruneObservations } from './observations.ts';
import { prunePlanItems } from './runs.ts';

/** What is gone itself, and has left rows behind that nobody is shown any more. */
export interface Leftovers {
  readonly pairs: readonly PairId[];
  readonly stores: readonly StoreId[];
  readonly workspaceId: WorkspaceId | null;
  readonly endpoints?: readonly EndpointId[];
}

/** Rows dropped with what is removed itself: a small shop goes whole. */
const FIRST_PORTION = 2_000;

type Portion = (tx: Tx, id: string, max: number) => number;

function portionOf(table: string, where: string): Portion {
  const drop = rawStatement<[id: string, max: number]>(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} LIMIT ?)`,
  );
  return (tx, id, max) => drop(tx).run(id, max).changes;
}

/** Work, which would be begun in vain; what lists of the workspace show; bindings, which a new pair of these stores would find. The rest in any order. */
const OF_PAIR: readonly Portion[] = [
  ...['problem', 'conflict', 'variant_binding', 'product_binding', 'variant', 'product', 'change'].map((table) =>
    portionOf(table, 'pair_id = ?'),
  ),
  dropPlans,
  dropRuns,
  (tx, id, max) => pruneObservations(tx, id, max),
];
const OF_STORE: readonly Portion[] = [portionOf('delivery', 'store_id = ?')];
const OF_ENDPOINT: readonly Portion[] = [portionOf('endpoint_message', 'endpoint_id = ?')];
const OF_WORKSPACE: readonly Portion[] = ['problem', 'alert', 'usage', 'event', 'plan', 'run'].map((table) =>
  portionOf(table, 'workspace_id = ?'),
);

const plansOf = rawStatement<[pair: string, max: number], { id: PlanId }>(
  'SELECT id FROM plan WHERE pair_id = ? LIMIT ?',
);
const runsOf = rawStatement<[pair: string, max: number], { id: string }>(
  'SELECT id FROM run WHERE pair_id = ? LIMIT ?',
);
const dropPlan = rawStatement<[id: string]>('DELETE FROM plan WHERE id = ?');
const dropRun = rawStatement<[id: string]>('DELETE FROM run WHERE id = ?');
const runItems = portionOf('run_item', 'run_id = ?');

/** A head goes when none of its rows is left. */
function dropPlans(tx: Tx, pairId: string, max: number): number {
  let left = max;
  for (const { id } of plansOf(tx).all(pairId, max)) {
    left -= pruneObservations(tx, id, left);
    if (left > 0) left -= prunePlanItems(tx, id, left);
    if (left > 0) left -= dropPlan(tx).run(id).changes;
    if (left <= 0) break;
  }
  return max - left;
}

function dropRuns(tx: Tx, pairId: string, max: number): number {
  let left = max;
  for (const { id } of runsOf(tx).all(pairId, max)) {
    left -= pruneObservations(tx, id, left);
    if (left > 0) left -= runItems(tx, id, left);
    if (left > 0) left -= dropRun(tx).run(id).changes;
    if (left <= 0) break;
  }
  return max - left;
}

/** Drops at most `max` rows. Returns how many: fewer means that nothing is left. */
export function dropLeftovers(tx: Tx, { pairs, stores, workspaceId, endpoints = [] }: Leftovers, max: number): number {
  let left = max;
  const drop = (ids: readonly string[], portions: readonly Portion[]): void => {
    for (const id of ids) for (const portion of portions) if (left > 0) left -= portion(tx, id, left);
  };
  const workspaces = workspaceId === null ? [] : [workspaceId];
  drop([...pairs, ...stores, ...workspaces, ...endpoints], [deleteJobs]);
  drop(pairs, OF_PAIR);
  drop(stores, OF_STORE);
  drop(endpoints, OF_ENDPOINT);
  drop(workspaces, OF_WORKSPACE);
  return max - left;
}

/**
 * In the transaction that takes pairs, stores, a workspace or an endpoint away: drops a first portion of what they leave behind, which is all of it in a small
 * shop, and orders the rest to be dropped by a job, which a crash does not lose.
 */
export function leaveBehind(tx: Tx, leftovers: Leftovers, nowMs: number): void {
  if (dropLeftovers(tx, leftovers, FIRST_PORTION) < FIRST_PORTION) return;
  const name = leftovers.workspaceId ?? leftovers.pairs[0] ?? leftovers.stores[0] ?? leftovers.endpoints?.[0] ?? '';
  enqueueJob(
    tx,
    {
      key: `leftovers:${name}`,
      task: LEFTOVERS_TASK,
      groupKey: `leftovers:${name}`,
      payload: leftovers,
      priority: JOB_PRIORITY.housekeeping,
      runAt: nowMs,
    },
    (old, next) => both(old as Leftovers, next as Leftovers),
  );
}

/** A workspace that is purged a second time has no pairs any more. */
function both(old: Leftovers, next: Leftovers): Leftovers {
  return {
    pairs: [...new Set([...old.pairs, ...next.pairs])],
    stores: [...new Set([...old.stores, ...next.stores])],
    workspaceId: next.workspaceId,
    endpoints: [...new Set([...(old.endpoints ?? []), ...(next.endpoints ?? [])])],
  };
}
