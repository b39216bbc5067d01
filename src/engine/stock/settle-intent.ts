import { type StockEvidence, settleStock, stockTarget } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant } from '../../db/readers/hub-rows.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { settleStockBase } from '../../db/writers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { countDelta, doesCount, isCountedLater, labelText, pauseStock, type StockLabel } from './absorb-stock.ts';
import { recordWritten } from './settle-answers.ts';
import type { OpenIntent } from './stock-call.ts';
import { recordStockDrift } from './stock-drift.ts';
import { loadStock } from './stock-subject.ts';

export interface Settled {
  readonly entry: OpenIntent;
  readonly evidence: StockEvidence;
}

/** Whether the intent is still the item's: a pass over the product may have unbound it meanwhile. */
export function isOpen(ctx: EngineContext, { subject, binding }: OpenIntent): boolean {
  return loadStock(ctx, subject.variantId)?.bindings[binding.side]?.intentKey === binding.intentKey;
}

/**
 * What became of a call becomes known of all its items in one transaction, or those that are left would be judged without the others. Nothing is
 * counted by it, so the guard can't stop it half way: what moved meanwhile is read once more, and counted like any other reading.
 */
export function settleAll(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  open: readonly OpenIntent[],
  evidence: StockEvidence,
): void {
  transactRelaxed(ctx.db, (tx) => {
    for (const entry of open) {
      settleIn(ctx, tx, view, entry, evidence);
      entry.subject.observe.add(side);
      // However this pass ends.
      const { variantId } = entry.subject;
      enqueueStockSync(tx, view.pair.id, { variantId, observe: [side] }, ctx.clock.now());
    }
  });
}

/** The same where each was answered for itself. */
export function settleEach(ctx: EngineContext, view: PairView, settled: readonly Settled[]): void {
  if (settled.length === 0) return;
  transactRelaxed(ctx.db, (tx) => {
    for (const { entry, evidence } of settled) settleIn(ctx, tx, view, entry, evidence);
  });
}

export function settle(ctx: EngineContext, view: PairView, entry: OpenIntent, evidence: StockEvidence): void {
  settleEach(ctx, view, [{ entry, evidence }]);
}

function settleIn(ctx: EngineContext, tx: Tx, view: PairView, entry: OpenIntent, evidence: StockEvidence): void {
  const { subject, binding, intent } = entry;
  const settled = settleStock(intent, evidence);
  const variant = findVariant(tx, subject.variantId);
  const rows = loadStock(ctx, subject.variantId);
  if (variant === null || rows === null || !isOpen(ctx, entry)) return;
  const label = { title: rows.product.title, sku: variant.sku };
  if (settled.applied) recordWritten(ctx, tx, view, variant, binding.side, intent);
  // [W8] It was done, so that what follows is another write.
  if (settled.applied && settled.doubt === null) delete subject.unanswered[binding.side];
  if (evidence.from === 'reading' && !evidence.remote.tracked) {
    pauseStock(ctx, tx, view, variant, binding.side, evidence.remote, label, evidence.remote.limited);
    return;
  }
  if (!doesCount(tx, view, variant, binding.side)) {
    const before = settled.base - settled.delta;
    // What moved since is told apart once both sides are read.
    const base = isCountedLater(variant) ? before : settled.base;
    settleStockBase(tx, variant.id, binding.side, base, binding.baseTracked);
    // [V5] The lower one is what counts of it then.
    if (variant.stockState === 'relinking' && isCountedLater(variant))
      tellDoubt(ctx, tx, view, entry, variant.productId, label, settled.doubt);
    if (variant.stockState !== 'live' || settled.delta === 0) return;
    // [S11] It moved by itself meanwhile; where nothing decides, what it holds may be our own doing.
    const isSure = (settled.doubt ?? 0) === 0;
    if (!isSure && (settled.base === intent.from || settled.base === intent.to)) return;
    const known = { ...binding, baseQuantity: isSure ? before : intent.from };
    const { backorders = 'no' } = rows.product.data.variants[variant.id] ?? {};
    const target = stockTarget(variant.quantity, backorders, view.settings);
    const reading = { quantity: settled.base, tracked: binding.baseTracked };
    recordStockDrift(ctx, tx, view, variant, known, reading, target, labelText(label));
    return;
  }
  countDelta(ctx, tx, view, variant, binding, settled.delta, settled.base, label, 'stock_delta');
  tellDoubt(ctx, tx, view, entry, variant.productId, label, settled.doubt);
}

/** [S5] By how many units the two explanations of a write differ. */
function tellDoubt(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { binding, intent }: OpenIntent,
  productId: ProductId,
  label: StockLabel,
  doubt: number | null,
): void {
  if (doubt === null || doubt === 0) return;
  const about = { productId, side: binding.side, subject: `${binding.variantId}:${intent.key}` };
  const { from, to } = intent;
  raise(ctx, tx, view, about, WORDS.stockDoubt(binding.side, labelText(label), doubt), { units: doubt, from, to });
}
