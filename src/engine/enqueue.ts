import type { Tx } from '../db/database.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import type { PairId, ProductId, StoreId, VariantId } from '../model/ids.ts';
import { JOB_PRIORITY } from '../model/job.ts';
import { SIDES, type Side } from '../model/platform.ts';

export const TASKS = {
  syncProducts: 'sync_products',
  syncStock: 'sync_stock',
  lookAtStock: 'look_at_stock',
  planPair: 'plan_pair',
  runPair: 'run_pair',
  fullSync: 'full_sync',
  showAll: 'show_all',
  pollStore: 'poll_store',
  ensureWebhooks: 'ensure_webhooks',
  probeStore: 'probe_store',
  checkStore: 'check_store',
  retireSecret: 'retire_secret',
  housekeeping: 'housekeeping',
} as const;

/** A hub product, or a record of one side that may not be known yet. */
export type ProductRef = { readonly productId: ProductId } | { readonly side: Side; readonly externalId: string };

export interface SyncProductPayload {
  readonly ref: ProductRef;
  /** Sides that may have moved and are to be read. */
  readonly observe: readonly Side[];
}

export interface SyncStockPayload {
  readonly variantId: VariantId;
  readonly observe: readonly Side[];
}

export interface LookAtStockPayload {
  readonly side: Side;
}

export interface ShowAllPayload {
  readonly pairId: PairId;
  readonly side: Side;
}

interface Observes {
  readonly observe: readonly Side[];
}

/** A job that waits already learns of another side to look at: ten signals are one look. */
function mergeObserve(old: unknown, next: unknown): unknown {
  const both = new Set([...(old as Observes).observe, ...(next as Observes).observe]);
  return { ...(next as object), observe: SIDES.filter((side) => both.has(side)) };
}

export function enqueueProductSync(
  tx: Tx,
  pairId: PairId,
  payload: SyncProductPayload,
  runAt: number,
  priority: number = JOB_PRIORITY.product,
): void {
  const name = 'productId' in payload.ref ? payload.ref.productId : `${payload.ref.side}:${payload.ref.externalId}`;
  enqueueJob(
    tx,
    { key: `product:${pairId}:${name}`, task: TASKS.syncProducts, groupKey: pairId, payload, priority, runAt },
    mergeObserve,
  );
}

export function stockJobKey(pairId: PairId, variantId: VariantId): string {
  return `stock:${pairId}:${variantId}`;
}

export function enqueueStockSync(tx: Tx, pairId: PairId, payload: SyncStockPayload, runAt: number): void {
  enqueueJob(
    tx,
    {
      key: stockJobKey(pairId, payload.variantId),
      task: TASKS.syncStock,
      groupKey: pairId,
      payload,
      priority: JOB_PRIORITY.stock,
      runAt,
    },
    mergeObserve,
  );
}

/** What a shop may have sold waits no longer than this for somebody to look, ms. */
export const LOOK_AFTER_MS = 500;

/** [W7] One look at the stock of all products of a pair that still wait then: where their own turn comes sooner, as it mostly does, there is nothing to look at. */
export function enqueueStockLook(tx: Tx, pairId: PairId, side: Side, now: number): void {
  const payload: LookAtStockPayload = { side };
  enqueueJob(tx, {
    key: `look:${pairId}:${side}`,
    task: TASKS.lookAtStock,
    groupKey: pairId,
    payload,
    priority: JOB_PRIORITY.stock,
    runAt: now + LOOK_AFTER_MS,
  });
}

export function fullSyncJobKey(pairId: PairId): string {
  return `full_sync:${pairId}`;
}

/** A full sync of a pair as soon as it may have one: after the one that is open, and when the pair is not held any more. */
export function enqueueFullSync(tx: Tx, pairId: PairId, runAt: number): void {
  enqueueJob(tx, {
    key: fullSyncJobKey(pairId),
    task: TASKS.fullSync,
    groupKey: pairId,
    payload: { pairId },
    priority: JOB_PRIORITY.request,
    runAt,
  });
}

/** What is left of `showAll`: as urgent as stock, for until then the target goes on selling what its source does not have. */
export function enqueueShowAll(tx: Tx, pairId: PairId, side: Side, now: number): void {
  const payload: ShowAllPayload = { pairId, side };
  enqueueJob(tx, {
    key: `show_all:${pairId}`,
    task: TASKS.showAll,
    groupKey: pairId,
    payload,
    priority: JOB_PRIORITY.stock,
    runAt: now,
  });
}

export function enqueuePoll(tx: Tx, storeId: StoreId, runAt: number, priority: number = JOB_PRIORITY.scan): void {
  enqueueJob(tx, {
    key: `poll:${storeId}`,
    task: TASKS.pollStore,
    groupKey: storeId,
    payload: { storeId },
    priority,
    runAt,
  });
}
