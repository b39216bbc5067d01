import { and, eq, inArray, or } from 'drizzle-orm';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { latestEventSeq } from '../readers/events.ts';
import { pair } from '../schema/pair.ts';
import { store } from '../schema/store.ts';
import { leaveBehind } from './leftovers.ts';
import { markSandboxGone } from './sandbox-gone.ts';

/** What was taken away, by id: what a job under way writes of it meanwhile is found by these. */
export interface SandboxGone {
  readonly workspaceId: WorkspaceId;
  readonly pairs: readonly PairId[];
  readonly stores: readonly StoreId[];
  /** Number of the last event that was looked at: what is noted of it meanwhile has a higher one. */
  readonly eventsAfter: number;
}

// From the newest back: what a sandbox has left in the journal is young, and the journal long.
const eventBefore = rawStatement<[at: number], { readonly seq: number }>(
  'SELECT seq FROM event WHERE at < ? ORDER BY seq DESC LIMIT 1',
);
const dropEvents = rawStatement<[workspace: string, after: number, pairs: string, stores: string, stores: string]>(
  `DELETE FROM event WHERE workspace_id = ? AND seq > ?
   AND (pair_id IN (SELECT value FROM json_each(?))
     OR json_extract(payload, '$.storeId') IN (SELECT value FROM json_each(?))
     OR json_extract(payload, '$.subject') IN (SELECT value FROM json_each(?)))`,
);
const dropProblems = rawStatement<[workspace: string, stores: string]>(
  'DELETE FROM problem WHERE workspace_id = ? AND store_id IN (SELECT value FROM json_each(?))',
);

/**
 * Takes the sandbox stores of a workspace away, with the pairs they are in and all that is stored of them; everything else in the workspace stays.
 * Nothing is told to the stores, which end with it. Without sandbox stores nothing happens.
 */
export function purgeSandbox(tx: Tx, workspaceId: WorkspaceId, nowMs: number): SandboxGone {
  const { query } = tx;
  const stores = query
    .select({ id: store.id, createdAt: store.createdAt })
    .from(store)
    .where(and(eq(store.workspaceId, workspaceId), eq(store.isSandbox, true)))
    .all();
  if (stores.length === 0) return { workspaceId, pairs: [], stores: [], eventsAfter: 0 };
  const storeIds = stores.map(({ id }) => id);
  const isTheirs = or(inArray(pair.woocommerceStoreId, storeIds), inArray(pair.shopifyStoreId, storeIds));
  const pairs = query.select({ id: pair.id }).from(pair).where(isTheirs).all();
  const since = Math.min(...stores.map(({ createdAt }) => createdAt));
  const eventsAfter = eventBefore(tx).get(since)?.seq ?? 0;
  query.delete(pair).where(isTheirs).run();
  query.delete(store).where(inArray(store.id, storeIds)).run();
  const gone = { workspaceId, pairs: pairs.map(({ id }) => id), stores: storeIds, eventsAfter };
  markSandboxGone(tx, [...gone.pairs, ...gone.stores]);
  const looked = latestEventSeq(tx);
  dropSandboxRows(tx, gone, nowMs);
  return { ...gone, eventsAfter: looked };
}

/** What is stored of a sandbox that is gone itself; can be called again. */
export function dropSandboxRows(tx: Tx, gone: SandboxGone, nowMs: number): void {
  const { workspaceId, pairs, stores, eventsAfter } = gone;
  if (stores.length === 0) return;
  leaveBehind(tx, { pairs, stores, workspaceId: null }, nowMs);
  const storeList = JSON.stringify(stores);
  dropProblems(tx).run(workspaceId, storeList);
  dropEvents(tx).run(workspaceId, eventsAfter, JSON.stringify(pairs), storeList, storeList);
}
