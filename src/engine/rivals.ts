import type { Tx } from '../db/database.ts';
import { findPair, isStockHeld, listPairsOfStore, listStoresOfShop } from '../db/readers/pairs.ts';
import { listBindingsByRecord, listBindingsByStock } from '../db/readers/products.ts';
import type { VariantBindingRow } from '../db/schema/product.ts';
import { updateVariantBinding } from '../db/writers/products.ts';
import { isStockAtWork } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import type { PairView } from './pair-view.ts';

/** Whether a shop is in more than one pair, of whichever workspaces. */
export function isShared(tx: Tx, view: PairView, side: Side): boolean {
  const pairs = listStoresOfShop(tx, view.shops[side]).flatMap((id) => listPairsOfStore(tx, id));
  return pairs.length > 1;
}

/**
 * [S4] Whether another write of the very same item has no answer yet, by whichever pair that has the shop. One of another workspace is waited for as
 * long as its pair is at work, and settles it; where that is held, until nothing of it can land any more: its people may never come back.
 */
export function isItemAwaited(ctx: EngineContext, view: PairView, binding: VariantBindingRow): boolean {
  return openRivals(ctx, view, binding).some((rival) => rival.storeId === binding.storeId || !isLeft(ctx, rival));
}

/**
 * [S5] Before this item is written: an open write of another workspace's held pair can't be told by its stamp any more, for this one's takes its place. It
 * loses its fence, which is over, as the sign of that (`isWrittenOver`).
 */
export function writeOverRivals(ctx: EngineContext, tx: Tx, view: PairView, binding: VariantBindingRow): void {
  if (listStoresOfShop(tx, view.shops[binding.side]).length === 1) return;
  for (const rival of openRivals(ctx, view, binding))
    if (rival.fencedUntil !== null) updateVariantBinding(tx, rival.variantId, rival.side, { fencedUntil: null });
}

/** Whether somebody else has written an item since this write of it left, which was never answered. */
export function isWrittenOver({ intentKey, fencedUntil }: VariantBindingRow): boolean {
  return intentKey !== null && fencedUntil === null;
}

/** [W5] Until when a write of the record that has no answer can land, by whichever pair that has the shop; 0: there is none. */
export function fenceOfRivals(ctx: EngineContext, view: PairView, side: Side, externalId: string): number {
  const rivals = listStoresOfShop(ctx.db, view.shops[side]).flatMap((id) =>
    listBindingsByRecord(ctx.db, id, externalId),
  );
  return Math.max(0, ...rivals.flatMap((row) => (row.intent === null ? [] : [row.fencedUntil ?? 0])));
}

function openRivals(ctx: EngineContext, view: PairView, binding: VariantBindingRow): readonly VariantBindingRow[] {
  return listStoresOfShop(ctx.db, view.shops[binding.side]).flatMap((id) =>
    listBindingsByStock(ctx.db, id, binding.stockId).filter(
      (row) => row.variantId !== binding.variantId && row.intentKey !== null,
    ),
  );
}

/** Nobody settles it, and nothing of it can land any more. */
function isLeft(ctx: EngineContext, { pairId, fencedUntil }: VariantBindingRow): boolean {
  if ((fencedUntil ?? 0) > ctx.clock.now()) return false;
  const pair = findPair(ctx.db, pairId);
  return pair === null || !isStockAtWork(pair) || isStockHeld(ctx.db, pairId);
}
