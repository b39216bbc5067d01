import { observeStock } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { transact } from '../../db/database.ts';
import { pageRestoredVariants } from '../../db/readers/hub-rows.ts';
import { settleStockBase, updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { type PerSide, SIDES } from '../../model/platform.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { absorbStock, countDelta, doesCount, labelText, type StockLabel } from './absorb-stock.ts';
import { loadStock, type StockRows } from './stock-subject.ts';

const JOBS_PER_TRANSACTION = 1000;

/** At start: what came out of a backup is looked at on both sides, though nobody sells it. */
export function enqueueRestored(ctx: EngineContext): void {
  for (let after = '' as VariantId; ; ) {
    const page = pageRestoredVariants(ctx.db, after, JOBS_PER_TRANSACTION);
    const last = page[page.length - 1];
    if (last === undefined) return;
    transact(ctx.db, (tx) => {
      for (const { id, pairId } of page)
        enqueueStockSync(tx, pairId, { variantId: id, observe: SIDES }, ctx.clock.now());
    });
    after = last.id;
  }
}

/**
 * [S14] Stock out of a backup goes on. Whoever ran since the backup was made carried each sale from one side to the other, so it stands on both; counted as
 * two readings it would be sold twice. Returns true when the stock is live again: both sides have to be read, and nothing may be under way.
 */
export function resumeStock(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  rows: StockRows,
  readings: Partial<PerSide<StockSnapshot>>,
  label: StockLabel,
): boolean {
  const bindings = SIDES.flatMap((side) => rows.bindings[side] ?? []);
  if (bindings.some(({ side, intentKey }) => intentKey !== null || readings[side] === undefined)) return false;
  updateVariant(tx, rows.variant.id, { stockState: 'live' });
  const variant = { ...rows.variant, stockState: 'live' as const };
  const seen = bindings.flatMap((binding) => {
    const remote = readings[binding.side];
    if (remote === undefined) return [];
    const base = { quantity: binding.baseQuantity, tracked: binding.baseTracked };
    return [{ binding, remote, ...observeStock(base, remote) }];
  });
  if (seen.some(({ is }) => is === 'epoch')) {
    for (const { binding, remote } of seen)
      absorbStock(ctx, tx, view, loadStock(ctx, variant.id)?.variant ?? variant, binding, remote, label);
    return true;
  }
  const moves = seen.flatMap((each) => (each.is === 'counted' ? [each] : []));
  const counted = moves
    .filter(({ binding }) => doesCount(tx, view, variant, binding.side))
    .sort((a, b) => a.delta - b.delta);
  const [least, other] = counted;
  for (const { binding, base } of moves) settleStockBase(tx, variant.id, binding.side, base.quantity, base.tracked);
  if (least === undefined) return true;
  countDelta(ctx, tx, view, variant, least.binding, least.delta, least.base.quantity, label, 'stock_delta');
  if (other !== undefined && other.delta !== least.delta && other.delta !== 0) {
    const about = { productId: variant.productId, side: null, subject: `${variant.id}:restored` };
    raise(ctx, tx, view, about, WORDS.restoredDoubt(labelText(label), Math.abs(other.delta)));
  }
  return true;
}
