import { stockTarget } from '../../core/stock.ts';
import type { Db, Tx } from '../../db/database.ts';
import { findLastClosed } from '../../db/readers/closed-problems.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { listOpenProblems } from '../../db/writers/history.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { type ProblemWords, raise, STOCK_LINK_PROBLEMS, WORDS } from '../problems.ts';
import { isOnSale } from './owes-stock.ts';
import { labelText, type StockLabel } from './stock-label.ts';

/** [S9] Tells a person of a hub quantity below 0, however it came to be: sold on one side, counted, or linked so (`side` null). */
export function tellOversold(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: Pick<VariantRow, 'id' | 'productId'>,
  side: Side | null,
  label: StockLabel,
  quantity: number,
): void {
  if (quantity >= 0) return;
  const about = { productId: variant.productId, side, subject: variant.id };
  raise(ctx, tx, view, about, oversoldWords(view, label, quantity));
}

/** [P1] Whether a person is to be told something of a product's stock that no open problem says. */
export function hasUntoldStock(db: Db, view: PairView, hub: HubState): boolean {
  return untoldShort(db, view, hub).length > 0 || untoldPaused(db, view, hub).length > 0;
}

/** [P1] Tells it. */
export function tellUntoldStock(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState): void {
  for (const variant of untoldShort(tx, view, hub))
    tellOversold(ctx, tx, view, variant, null, labelIn(hub, variant), variant.quantity);
  for (const variant of untoldPaused(tx, view, hub)) tellPaused(ctx, tx, view, hub, variant);
}

/** Whether a shop counts the item; where none does, its last number says nothing any more. */
export function isCountedAnywhere(hub: HubState, id: VariantId): boolean {
  return SIDES.some((side) => hub.variantBindings[side].get(id)?.baseTracked === true);
}

/**
 * [S9] Items below 0 of which nobody was told what is so by now: they were linked so while inventory was switched off, they are on sale again, or the
 * rule for backorders moved, and with it what the shops show.
 */
function untoldShort(db: Db, view: PairView, hub: HubState): readonly VariantRow[] {
  if (!view.settings.syncInventory) return [];
  return [...hub.variants.values()].filter((variant) => {
    const { id, quantity, stockState } = variant;
    if (quantity >= 0 || stockState !== 'live' || !isCountedAnywhere(hub, id) || !isOnSale(view, hub)) return false;
    const told = listOpenProblems(db, hub.row.id).find(({ code, subject }) => code === 'OVERSOLD' && subject === id);
    return told?.message !== oversoldWords(view, labelIn(hub, variant), quantity).message;
  });
}

/** [S6][S8] Items that wait for a person of whom nobody is asked: their product was deleted and is back. */
function untoldPaused(db: Db, view: PairView, hub: HubState): readonly VariantRow[] {
  if (!view.settings.syncInventory || hub.row.state !== 'live') return [];
  return [...hub.variants.values()].filter(
    ({ id, stockState }) =>
      stockState === 'paused' &&
      SIDES.some((side) => hub.variantBindings[side].has(id)) &&
      !listOpenProblems(db, hub.row.id).some(({ code, subject }) => isLinkProblem(code) && subject === id),
  );
}

const isLinkProblem = (code: string) => (STOCK_LINK_PROBLEMS as readonly string[]).includes(code);

/** In the words in which it was told before, unless the history has forgotten them. */
function tellPaused(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, variant: VariantRow): void {
  const before = findLastClosed(tx, view.pair.id, STOCK_LINK_PROBLEMS, variant.id);
  const { code, level, message, remedy } = before ?? WORDS.stockNotLinked(labelText(labelIn(hub, variant)));
  const about = { productId: hub.row.id, side: before?.side ?? null, subject: variant.id };
  raise(ctx, tx, view, about, { code, level, message, remedy }, before?.details ?? null);
}

function labelIn(hub: HubState, { id, sku }: VariantRow): StockLabel {
  return { title: hub.row.title, sku, backorders: hub.row.data.variants[id]?.backorders };
}

function oversoldWords(view: PairView, label: StockLabel, quantity: number): ProblemWords {
  return WORDS.oversold(labelText(label), quantity, stockTarget(quantity, label.backorders ?? 'no', view.settings));
}
