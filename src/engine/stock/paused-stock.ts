import { linkStock } from '../../core/stock.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import { closeProblem, closeStockDoubts, findProblemDetails, listOpenProblems } from '../../db/writers/history.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { raise, STOCK_LINK_PROBLEMS, WORDS } from '../problems.ts';
import { labelText } from './absorb-stock.ts';
import type { StockRows } from './stock-subject.ts';

/**
 * [P1][S8] Paused stock whose question has gone away is not asked about any more: zero stood against stock, and the right number was set; or nobody
 * counts the item any more. Numbers that moved are told anew. True when its state moved.
 */
export function settlePaused(ctx: EngineContext, tx: Tx, view: PairView, rows: StockRows): boolean {
  const { variant, product } = rows;
  const { woocommerce, shopify } = rows.bindings;
  if (variant.stockState !== 'paused' || woocommerce === undefined || shopify === undefined) return false;
  if (SIDES.some((side) => rows.bindings[side]?.intentKey)) return false;
  if (!woocommerce.baseTracked && !shopify.baseTracked) {
    endUncounted(ctx, tx, rows);
    return true;
  }
  const asked = listOpenProblems(tx, product.id).some(
    ({ code, subject }) => code === 'STOCK_ZERO_CONSENT' && subject === variant.id,
  );
  if (!asked) return false;
  const link = linkStock(readingOf(woocommerce), readingOf(shopify), view.settings);
  if (link.is === 'needs_consent') tellConsent(ctx, tx, view, rows, woocommerce.baseQuantity, shopify.baseQuantity);
  if (link.is !== 'linked') return false;
  updateVariant(tx, variant.id, { stockState: 'relinking' });
  enqueueStockSync(tx, view.pair.id, { variantId: variant.id, observe: SIDES }, ctx.clock.now());
  return true;
}

/** What is counted on neither side is as it would be had it never been: its stock begins anew with its tracking (S6). */
export function endUncounted(ctx: EngineContext, tx: Tx, { variant, product }: StockRows): void {
  updateVariant(tx, variant.id, { stockState: 'live', keptBack: null, removedBase: null });
  closeStockDoubts(tx, product.id, variant.id, ctx.clock.now());
}

/** [S7] Whether stock that waits to be linked never was: only then is it of different goods, that a rule may add up. */
export function isFirstLink(db: Db, view: PairView, variantId: VariantId): boolean {
  return STOCK_LINK_PROBLEMS.some((code) => {
    const asked = findProblemDetails(db, view.pair.id, code, variantId);
    return (asked as { readonly isFirst?: boolean } | null)?.isFirst === true;
  });
}

/** [S8] Asks, or corrects the numbers of what was asked. */
export function tellConsent(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { variant, product }: StockRows,
  woocommerce: number,
  shopify: number,
): void {
  const label = labelText({ title: product.title, sku: variant.sku });
  const words = WORDS.stockConsent(label, woocommerce, shopify);
  const isKnown = listOpenProblems(tx, product.id).some(
    ({ code, subject, message }) => code === words.code && subject === variant.id && message === words.message,
  );
  const about = { productId: product.id, side: null, subject: variant.id };
  const isFirst = isFirstLink(tx, view, variant.id);
  askOnly(ctx, tx, { variant, product }, words.code);
  if (!isKnown) raise(ctx, tx, view, about, words, { isFirst });
}

/** One question at a time: the others about linking this stock are closed. */
export function askOnly(
  ctx: EngineContext,
  tx: Tx,
  { variant, product }: Pick<StockRows, 'variant' | 'product'>,
  asked: string,
): void {
  for (const { id, code, subject } of listOpenProblems(tx, product.id)) {
    const isOther = code !== asked && (STOCK_LINK_PROBLEMS as readonly string[]).includes(code);
    if (isOther && subject === variant.id) closeProblem(tx, id, ctx.clock.now());
  }
}

function readingOf({ baseTracked, baseQuantity }: VariantBindingRow): StockSnapshot {
  return { tracked: baseTracked, quantity: baseQuantity, stamp: null };
}
