import { relinkStock as linkAnew, linkStock } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant } from '../../db/readers/hub-rows.ts';
import { closeStockDoubts, recordChange } from '../../db/writers/history.ts';
import { settleStockBase, updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { type PerSide, SIDES } from '../../model/platform.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { labelText, tellOversold } from './absorb-stock.ts';
import { countShownAgain } from './count-shown-again.ts';
import { askOnly, endUncounted, isFirstLink, tellConsent } from './paused-stock.ts';
import type { StockRows } from './stock-subject.ts';

/** [S6] A person asks for it: stock that was paused is linked again, by the pair's rule, from two fresh readings. Zero against stock still needs consent [S8]. */
export function askToRelink(ctx: EngineContext, tx: Tx, variantId: VariantId): boolean {
  const variant = findVariant(tx, variantId);
  if (variant?.stockState !== 'paused') return false;
  updateVariant(tx, variantId, { stockState: 'relinking' });
  enqueueStockSync(tx, variant.pairId, { variantId, observe: SIDES }, ctx.clock.now());
  return true;
}

/** Links paused stock again, once both sides were read in this pass. Returns true when it moved. */
export function relinkStock(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  rows: StockRows,
  readings: Partial<PerSide<StockSnapshot>>,
): boolean {
  const { woocommerce, shopify } = readings;
  const { variant, product } = rows;
  if (woocommerce === undefined || shopify === undefined) return false;
  // A write whose fate is unknown would be read as a sale of its own.
  if (SIDES.some((side) => rows.bindings[side]?.intentKey)) return false;
  if (countShownAgain(ctx, tx, view, rows, { woocommerce, shopify })) return true;
  // What waits for consent since its first link was never one.
  const isFirst = isFirstLink(tx, view, variant.id);
  const { backorders } = product.data.variants[variant.id] ?? {};
  const known = { quantity: variant.quantity, keptBack: variant.keptBack, backorders: backorders ?? 'no' };
  const link = isFirst
    ? linkStock(woocommerce, shopify, view.settings)
    : linkAnew(woocommerce, shopify, known, view.settings);
  for (const side of SIDES) {
    const reading = readings[side];
    if (reading !== undefined) settleStockBase(tx, variant.id, side, reading.quantity, reading.tracked);
  }
  if (link.is !== 'linked') {
    if (link.is === 'untracked' && !woocommerce.tracked && !shopify.tracked) {
      endUncounted(ctx, tx, rows);
      return true;
    }
    updateVariant(tx, variant.id, { stockState: 'paused', removedBase: null });
    if (link.is === 'needs_consent') {
      tellConsent(ctx, tx, view, rows, woocommerce.quantity, shopify.quantity);
      return true;
    }
    askOnly(ctx, tx, rows, 'STOCK_TRACKING_DIFFERS');
    raise(
      ctx,
      tx,
      view,
      { productId: product.id, side: null, subject: variant.id },
      WORDS.trackingDiffers(labelText({ title: product.title, sku: variant.sku })),
      { isFirst },
    );
    return true;
  }
  updateVariant(tx, variant.id, { stockState: 'live', quantity: link.quantity, keptBack: null, removedBase: null });
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: product.id,
    variantId: variant.id,
    field: 'stock',
    origin: null,
    target: null,
    from: variant.quantity,
    to: link.quantity,
    cause: 'first_link',
    at: ctx.clock.now(),
  });
  closeStockDoubts(tx, product.id, variant.id, ctx.clock.now());
  const label = { title: product.title, sku: variant.sku, backorders };
  tellOversold(ctx, tx, view, variant, null, label, link.quantity);
  return true;
}
