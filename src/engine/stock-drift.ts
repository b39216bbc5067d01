import { mayLead } from '../core/direction.ts';
import type { Db, Tx } from '../db/database.ts';
import type { VariantBindingRow, VariantRow } from '../db/schema/product.ts';
import { findProblemDetails, recordChange } from '../db/writers/history.ts';
import { settleStockBase } from '../db/writers/products.ts';
import type { VariantId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import type { PairView } from './pair-view.ts';
import { raise, WORDS } from './problems.ts';

/** What a stock number that drifts is called among the problems of its product. */
export function stockDriftSubject(variantId: VariantId): string {
  return `${variantId}:stock`;
}

/** [R9] Whether a side only receives stock: a person has made it one-way. */
export function receivesStock(view: PairView, side: Side): boolean {
  return !view.settings.stockTwoWay && !mayLead(side, view.settings);
}

/**
 * [S11] The number of a side that only receives stock moved by itself: the hub stays, and it is recorded. With `enforce` the ordinary write puts
 * it right; without, a person is told, and it is left alone until the source's number moves. `target`: what the side ought to show.
 */
export function recordStockDrift(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: VariantRow,
  binding: VariantBindingRow,
  reading: { readonly quantity: number; readonly tracked: boolean },
  target: number,
  label: string,
): void {
  const { side } = binding;
  settleStockBase(tx, variant.id, side, reading.quantity, reading.tracked);
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: variant.productId,
    variantId: variant.id,
    field: 'stock',
    // Its target says that the hub did not move.
    ...{ origin: side, target: side, from: binding.baseQuantity, to: reading.quantity },
    cause: view.settings.enforce ? 'enforced' : 'drift',
    at: ctx.clock.now(),
  });
  if (view.settings.enforce || reading.quantity === target) return;
  // The source has moved already, and the side still owed its number when it was found: that is written.
  if (binding.baseQuantity !== target && !isLeftToDrift(tx, view, variant.id, side, target)) return;
  raise(
    ctx,
    tx,
    view,
    { productId: variant.productId, side, subject: stockDriftSubject(variant.id) },
    WORDS.stockDrift(side, label, reading.quantity, target),
    { hub: target, remote: reading.quantity },
  );
}

/** Whether a number that drifted is left alone: nothing has moved at the source since a person was told. */
export function isLeftToDrift(db: Db, view: PairView, variantId: VariantId, side: Side, target: number): boolean {
  if (!receivesStock(view, side) || view.settings.enforce) return false;
  const told = findProblemDetails(db, view.pair.id, 'DRIFT', stockDriftSubject(variantId));
  return (told as { readonly hub?: number } | null)?.hub === target;
}
