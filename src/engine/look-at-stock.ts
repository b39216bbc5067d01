import { transact } from '../db/database.ts';
import { listWaitingJobs, type WaitingJob } from '../db/readers/jobs.ts';
import { findPair } from '../db/readers/pairs.ts';
import { findProductByExternal } from '../db/readers/products.ts';
import { calmJobs } from '../db/writers/jobs.ts';
import { chunks } from '../lib/chunks.ts';
import type { PairId, ProductId, VariantId } from '../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../model/job.ts';
import { otherSide, type Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import {
  enqueueStockSync,
  type LookAtStockPayload,
  type ProductRef,
  type SyncProductPayload,
  TASKS,
} from './enqueue.ts';
import { isBound, loadHub } from './hub.ts';
import { asConnectorError, DONE } from './outcome.ts';
import { loadPairView, type PairView } from './pair-view.ts';
import { noteReadError, noteStoreReads } from './store-state.ts';

/** Products that are looked at in one go: those that sell meanwhile are not to wait for a long list of edits. */
const PRODUCTS_MAX = 100;
/** The same of their items: a product may have thousands. */
const ITEMS_MAX = 500;

interface Item {
  readonly variantId: VariantId;
  readonly stockId: string;
  readonly known: number;
}

/**
 * The job [W7]: a shop that tells of a sale as of an edit has told of products, and they have waited for some time: for their turn, or until nothing of
 * a lost write can land on them. Their stock alone is read, which is one request for many of them: what was sold becomes the work of stock, and the others are edits like any others.
 */
export async function lookAtStock(
  ctx: EngineContext,
  pairId: PairId,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { side } = job.payload as LookAtStockPayload;
  const view = loadPairView(ctx, pairId);
  if (view === null || findPair(ctx.db, pairId)?.status !== 'active' || !view.settings.syncInventory) return DONE;
  const lane = { groupKey: pairId, task: TASKS.syncProducts, priority: JOB_PRIORITY.possibleSale };
  const waiting = listWaitingJobs(ctx.db, lane, PRODUCTS_MAX);
  if (waiting.length === 0) return DONE;
  const looked: WaitingJob[] = [];
  const items: Item[] = [];
  for (const each of waiting) {
    if (items.length >= ITEMS_MAX) break;
    looked.push(each);
    const { ref, observe } = each.payload as SyncProductPayload;
    const productId = observe.includes(side) ? productOf(ctx, view, ref) : null;
    if (productId !== null) items.push(...itemsOf(ctx, productId, side));
  }
  const moved = await readMoved(ctx, view, side, items, signal);
  // Who does not answer is asked by the products' own turn.
  if (moved === null) return DONE;
  transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    for (const variantId of moved) enqueueStockSync(tx, pairId, { variantId, observe: [side] }, at);
    calmJobs(tx, looked, JOB_PRIORITY.product);
  });
  // What is told of from now on asks for a look of its own.
  const isAll = waiting.length < PRODUCTS_MAX && looked.length === waiting.length;
  return isAll ? DONE : { type: 'snooze', ms: 0 };
}

function productOf(ctx: EngineContext, view: PairView, ref: ProductRef): ProductId | null {
  return 'productId' in ref ? ref.productId : findProductByExternal(ctx.db, view.pair.id, ref.side, ref.externalId);
}

/** What both shops count, and has no write of ours under way there, whose job looks by itself. */
function itemsOf(ctx: EngineContext, productId: ProductId, side: Side): readonly Item[] {
  const hub = loadHub(ctx.db, productId);
  if (hub === null || hub.row.state !== 'live' || !isBound(hub, side)) return [];
  return [...hub.variantBindings[side]].flatMap(([variantId, binding]) => {
    const other = hub.variantBindings[otherSide(side)].get(variantId);
    const isCounted = binding.baseTracked && other?.baseTracked === true && binding.intentKey === null;
    return isCounted ? [{ variantId, stockId: binding.stockId, known: binding.baseQuantity }] : [];
  });
}

/** Whose number is another one now; null: the store does not say. */
async function readMoved(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<readonly VariantId[] | null> {
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
        if (outcome?.ok === true && outcome.value.quantity !== known) moved.push(variantId);
      });
    } catch (error) {
      noteReadError(ctx, view.stores[side], asConnectorError(error));
      return null;
    }
  }
  return moved;
}
