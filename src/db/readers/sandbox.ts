import { and, count, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import { ID_PREFIX, type PairId, type StoreId, type WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type EventRow, job } from '../schema/machinery.ts';
import { type StoreRow, store } from '../schema/store.ts';
import { workspace } from '../schema/workspace.ts';
import { findMeta } from './meta.ts';
import { findPair, findStore } from './pairs.ts';

/** The sandbox stores of a workspace, in the order in which they were connected. */
export function listSandboxStores(db: Db, workspaceId: WorkspaceId): readonly StoreRow[] {
  return db.query
    .select()
    .from(store)
    .where(and(eq(store.workspaceId, workspaceId), eq(store.isSandbox, true)))
    .orderBy(store.createdAt, store.id)
    .all();
}

/** Workspaces of people that have sandbox stores in them; also those that were deleted just before a store was connected. */
export function listWorkspacesWithSandbox(db: Db): readonly WorkspaceId[] {
  return db.query
    .selectDistinct({ id: store.workspaceId })
    .from(store)
    .leftJoin(workspace, eq(workspace.id, store.workspaceId))
    .where(and(eq(store.isSandbox, true), or(isNull(workspace.id), eq(workspace.isDemo, false))))
    .all()
    .map(({ id }) => id);
}

/** Where sandbox stores and pairs that are gone are kept, until nothing more can be noted of them. */
export const SANDBOX_GONE = 'sandbox.gone';

/** A sandbox store or pair that is gone, and the number of the last event then. */
export interface SandboxGoneMark {
  readonly id: PairId | StoreId;
  readonly after: number;
}

export function listSandboxGone(db: Db): readonly SandboxGoneMark[] {
  return JSON.parse(findMeta(db, SANDBOX_GONE) ?? '[]');
}

/** Whether an event is about a sandbox store or a pair of such, also one that is gone: nobody outside is told of it. */
export function isOfSandbox(db: Db, { pairId, payload }: Pick<EventRow, 'pairId' | 'payload'>): boolean {
  const { storeId, subject } = (payload ?? {}) as Readonly<Record<string, unknown>>;
  const pair = pairId === null ? null : findPair(db, pairId);
  const about = [pair?.woocommerceStoreId, pair?.shopifyStoreId, storeId, subject].filter(isStoreId);
  const stores = about.map((id) => findStore(db, id));
  if (stores.some((found) => found?.isSandbox === true)) return true;
  const isAnyGone = (pairId !== null && pair === null) || stores.includes(null);
  return isAnyGone && listSandboxGone(db).some(({ id }) => id === pairId || id === storeId || id === subject);
}

function isStoreId(id: unknown): id is StoreId {
  return typeof id === 'string' && id.startsWith(ID_PREFIX.store);
}

/** Jobs of a pair and stores that are due or in work. */
export function countDueJobs(db: Db, groups: readonly (PairId | StoreId)[], now: number): number {
  const isDue = or(eq(job.state, 'executing'), lte(job.runAt, now));
  const row = db.query
    .select({ n: count() })
    .from(job)
    .where(and(inArray(job.state, ['ready', 'executing']), inArray(job.groupKey, [...groups]), isDue))
    .get();
  return row?.n ?? 0;
}
