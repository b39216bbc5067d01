import { transact } from '../../db/database.ts';
import { listOpenJobs, type OpenJob } from '../../db/readers/jobs.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { calmJobs } from '../../db/writers/jobs.ts';
import { chunks } from '../../lib/chunks.ts';
import { SECOND_MS } from '../../lib/time.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { PairId, VariantId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import { isStockAtWork } from '../../model/pair.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import {
  enqueueStockSync,
  LOOK_AFTER_MS,
  type LookAtStockPayload,
  type SyncProductPayload,
  TASKS,
} from '../enqueue.ts';
import { isBound, loadHub } from '../hub.ts';
import { asConnectorError, DONE, outcomeOfRead } from '../outcome.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { noteReadError, noteStoreReads } from '../stores/store-state.ts';

/** Products that are looked at in one go. */
const PRODUCTS_MAX = 100;
/** Of them those that have variants, which may take a request each: a look stands where sales do, and is not to keep them waiting. */
const PARENTS_MAX = 20;
/** A product of more items is not looked at, save where its own turn never comes: that takes requests by the dozen, each time that it is told of. */
const ITEMS_MAX = 100;
/** What its own turn does not settle within this is looked at, ms: the others of its batch are saved, or it waits for a lock. */
const IN_WORK_MS = 2 * SECOND_MS;

interface Item {
  readonly variantId: VariantId;
  readonly stockId: string;
  readonly known: number;
}

/**
 * The job [W7]: a shop that tells of a sale as of an edit has told of products, and they have waited for some time: for their turn, for the others of
 * their batch, or until nothing of a lost write can land on them. Their stock alone is read, which is one request for many of them: what was sold becomes
 * the work of stock, and the others are edits like any others.
 */
export async function lookAtStock(
  ctx: EngineContext,
  pairId: PairId,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { side } = job.payload as LookAtStockPayload;
  const view = loadPairView(ctx, pairId);
  if (view === null || !isStockAtWork(view.pair) || !view.settings.syncInventory) return DONE;
  const lane = { groupKey: pairId, task: TASKS.syncProducts, priority: JOB_PRIORITY.possibleSale };
  const open = listOpenJobs(ctx.db, lane, PRODUCTS_MAX);
  const due = open.filter(({ isInWork, dirtySince }) => !isInWork || dirtySince <= ctx.clock.now() - IN_WORK_MS);
  const { looked, items } = gather(ctx, view, side, due);
  const { moved, error } = await readMoved(ctx, view, side, items, signal);
  transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    for (const variantId of moved) enqueueStockSync(tx, pairId, { variantId, observe: [side] }, at);
    if (error === null) calmJobs(tx, looked, JOB_PRIORITY.product);
  });
  if (error !== null) return outcomeOfRead(error);
  if (looked.length < due.length || (looked.length > 0 && open.length === PRODUCTS_MAX))
    return { type: 'snooze', ms: 0 };
  // What is in work may end by waiting; what is told of from now on asks for a look of its own.
  return due.length < open.length ? { type: 'snooze', ms: LOOK_AFTER_MS } : DONE;
}

/** As much of it as one look takes. */
function gather(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  due: readonly OpenJob[],
): { readonly looked: readonly OpenJob[]; readonly items: readonly Item[] } {
  const looked: OpenJob[] = [];
  const items: Item[] = [];
  let parents = 0;
  for (const each of due) {
    if (parents === PARENTS_MAX) break;
    looked.push(each);
    const own = itemsOf(ctx, view, side, each.payload as SyncProductPayload);
    if (own.length > 1) parents += 1;
    // [G1] While the pair is halted no product has its turn, and this is the only way that its sales have.
    if (own.length <= ITEMS_MAX || view.pair.status === 'halted') items.push(...own);
  }
  return { looked, items };
}

/** What both shops count, and has no write of ours under way there, whose job looks by itself. */
function itemsOf(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  { ref, observe }: SyncProductPayload,
): readonly Item[] {
  if (!observe.includes(side)) return [];
  const productId =
    'productId' in ref ? ref.productId : findProductByExternal(ctx.db, view.pair.id, ref.side, ref.externalId);
  const hub = productId === null ? null : loadHub(ctx.db, productId);
  if (hub === null || hub.row.state !== 'live' || !isBound(hub, side)) return [];
  return [...hub.variantBindings[side]].flatMap(([variantId, binding]) => {
    const other = hub.variantBindings[otherSide(side)].get(variantId);
    const isCounted = binding.baseTracked && other?.baseTracked === true && binding.intentKey === null;
    return isCounted ? [{ variantId, stockId: binding.stockId, known: binding.baseQuantity }] : [];
  });
}

/** Whose number is another one now, or is not shown; with an error: as far as the store has answered. */
async function readMoved(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<{ readonly moved: readonly VariantId[]; readonly error: ConnectorError | null }> {
  const connector = view.connectors[side];
  const moved: VariantId[] = [];
  for (const chunk of chunks(items, connector.capabilities.stockBatchMax)) {
    try {
      const outcomes = await connector.readStock(
        chunk.map(({ stockId }) => stockId),
        signal,
      );
      noteStoreReads(ctx, view.stores[side].id);
      chunk.forEach(({ variantId, known }, i) => {
        const outcome = outcomes[i];
        if (outcome?.ok !== true || outcome.value.quantity !== known) moved.push(variantId);
      });
    } catch (error) {
      const failure = asConnectorError(error);
      noteReadError(ctx, view.stores[side], failure);
      return { moved, error: failure };
    }
  }
  return { moved, error: null };
}
