import { mayLead } from '../../core/direction.ts';
import type { Db, Tx } from '../../db/database.ts';
import { findProduct, findVariant } from '../../db/readers/hub-rows.ts';
import { countNumberPutRight } from '../../db/readers/put-right.ts';
import type { VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import { findProblemDetails, recordChange } from '../../db/writers/history.ts';
import { settleStockBase } from '../../db/writers/products.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { PUT_RIGHT_MAX } from '../conflicts/field-past.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { sellsAlone } from './owes-stock.ts';

/** What a stock number that drifts is called among the problems of its product. */
export function stockDriftSubject(variantId: VariantId): string {
  return `${variantId}:stock`;
}

/** [R9] Whether a side only receives stock: a person has made it one-way. */
export function receivesStock(view: PairView, side: Side): boolean {
  return !view.settings.stockTwoWay && !mayLead(side, view.settings);
}

/** What a person was told of a number that drifts. */
interface StockDriftDetails {
  /** What the side ought to show. */
  readonly hub: number;
  readonly remote: number;
  /** With `enforce`: from when on a look puts it right again, ms. */
  readonly until?: number;
}

/**
 * [S11] The number of a side that only receives stock moved by itself: the hub stays, and it is recorded. With `enforce` the ordinary write puts
 * it right, for as long as that is of use; else a person is told, and it is left alone until the source's number moves. `target`: what the side ought
 * to show.
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
  const at = ctx.clock.now();
  const isFutile = isPutRightInVain(tx, view, variant, binding, reading.quantity, at);
  const isWrittenOver = !isFutile && isEnforced(tx, view, variant.productId, side);
  settleStockBase(tx, variant.id, side, reading.quantity, reading.tracked);
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: variant.productId,
    variantId: variant.id,
    field: 'stock',
    // Its target says that the hub did not move.
    ...{ origin: side, target: side, from: binding.baseQuantity, to: reading.quantity },
    cause: isWrittenOver ? 'enforced' : 'drift',
    at,
  });
  if (isWrittenOver || reading.quantity === target) return;
  // The source has moved already, and the side still owed its number when it was found: that is written.
  if (binding.baseQuantity !== target && !isLeftToDrift(ctx, tx, view, variant.id, side, target)) return;
  const words = WORDS[isFutile ? 'stockDriftBack' : 'stockDrift'](side, label, reading.quantity, target);
  const details: StockDriftDetails = {
    hub: target,
    remote: reading.quantity,
    ...(isFutile && { until: at + HOUR_MS }),
  };
  raise(ctx, tx, view, { productId: variant.productId, side, subject: stockDriftSubject(variant.id) }, words, {
    ...details,
  });
}

/** [G8] Whose source was deleted, and which was put away for that nowhere, keeps what is done to it. */
function isEnforced(db: Db, view: PairView, productId: ProductId | undefined, side: Side): boolean {
  if (!view.settings.enforce) return false;
  const product = productId === undefined ? null : findProduct(db, productId);
  return product === null || !sellsAlone(product, side);
}

/** Whether the target has made the same of what it was given so often within an hour that putting it right once more is of no use. */
function isPutRightInVain(
  db: Db,
  view: PairView,
  variant: VariantRow,
  { side, baseQuantity }: VariantBindingRow,
  shown: number,
  at: number,
): boolean {
  if (!view.settings.enforce) return false;
  const move = { from: baseQuantity, to: shown };
  return countNumberPutRight(db, variant, side, move, at - HOUR_MS) >= PUT_RIGHT_MAX;
}

/** Whether a number that drifted is left alone: nothing has moved at the source since a person was told, and with `enforce` the hour is not over. */
export function isLeftToDrift(
  { clock }: Pick<EngineContext, 'clock'>,
  db: Db,
  view: PairView,
  variantId: VariantId,
  side: Side,
  target: number,
): boolean {
  if (!receivesStock(view, side)) return false;
  const details = findProblemDetails(db, view.pair.id, 'DRIFT', stockDriftSubject(variantId));
  const told = details as Partial<StockDriftDetails> | null;
  if (told?.hub !== target) return false;
  return (told.until ?? 0) > clock.now() || !isEnforced(db, view, findVariant(db, variantId)?.productId, side);
}
