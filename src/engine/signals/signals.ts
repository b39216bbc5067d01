import type { Tx } from '../../db/database.ts';
import { listPairsOfStore } from '../../db/readers/pairs.ts';
import { findProductByExternal, findVariantBindingByExternal, listVariantsByStock } from '../../db/readers/products.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import type { Signal } from '../../model/signal.ts';
import type { Capabilities } from '../../ports/connector.ts';
import { enqueueProductSync, enqueueStockLook, enqueueStockSync } from '../enqueue.ts';
import { wakeRefusedFor } from '../wake-claimants.ts';

/**
 * Turns hints into keyed jobs for every pair of the store, in the caller's transaction. A hint names a record and nothing more: ten of
 * them are one job, and the job reads the truth. A pair with another schedule than realtime waits for its own hour.
 * [W7] A flood of edits must not stand where a sale does: an item's stock goes first, and then a product where the shop tells of sales as of edits, whose
 * stock is looked at when its turn does not come soon.
 */
export function applySignals(
  tx: Tx,
  store: StoreRow,
  { tellsStock }: Pick<Capabilities, 'tellsStock'>,
  signals: readonly Signal[],
  at: number,
): void {
  if (signals.length === 0) return;
  const priority = tellsStock ? JOB_PRIORITY.product : JOB_PRIORITY.possibleSale;
  const pairs = listPairsOfStore(tx, store.id).filter(
    (pair) => pair.status !== 'setup' && pair.settings.syncSchedule === 'realtime',
  );
  for (const pair of pairs) {
    for (const signal of signals) applySignal(tx, pair, store, signal, at, priority);
    if (!tellsStock) enqueueStockLook(tx, pair.id, store.platform, at);
  }
}

function applySignal(tx: Tx, pair: PairRow, store: StoreRow, signal: Signal, at: number, priority: number): void {
  const side = store.platform;
  if (signal.kind === 'stock') {
    for (const variantId of listVariantsByStock(tx, pair.id, store.id, signal.externalId))
      enqueueStockSync(tx, pair.id, { variantId, observe: [side] }, at);
    return;
  }
  if (signal.kind === 'variant') {
    const known = findVariantBindingByExternal(tx, pair.id, side, signal.externalId);
    if (known === null) wakeRefusedFor(tx, pair.id, side, signal.externalId, at);
    if (known !== null)
      enqueueProductSync(tx, pair.id, { ref: { productId: known.productId }, observe: [side] }, at, priority);
    else if (signal.productId !== undefined)
      applySignal(tx, pair, store, { kind: 'product', externalId: signal.productId }, at, priority);
    return;
  }
  // WooCommerce, where both have one space of ids, calls a variation a product when it goes into the bin.
  const owner = () =>
    side === 'woocommerce' ? findVariantBindingByExternal(tx, pair.id, side, signal.externalId)?.productId : undefined;
  const productId = findProductByExternal(tx, pair.id, side, signal.externalId) ?? owner() ?? null;
  if (productId === null) wakeRefusedFor(tx, pair.id, side, signal.externalId, at);
  const ref = productId === null ? { side, externalId: signal.externalId } : { productId };
  enqueueProductSync(tx, pair.id, { ref, observe: [side] }, at, priority);
}
