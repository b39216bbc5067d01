import { mayLead } from '../../core/direction.ts';
import { observeStock, provisionalDelta, type StockBase, stockTarget } from '../../core/stock.ts';
import type { Db, Tx } from '../../db/database.ts';
import { listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import type { VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblemsBySubject, closeStockDoubts, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { addToQuantity, settleStockBase, updateVariant, updateVariantBinding } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { BackorderRule } from '../../model/product.ts';
import type { StockLimit, StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { guard, guardedStockCause } from '../guard.ts';
import { type HubState, isBound } from '../hub.ts';
import { leadsStock } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import { type ProblemWords, raise, WORDS } from '../problems.ts';
import { showsTooMany } from './owes-stock.ts';
import { recordStockDrift } from './stock-drift.ts';

export interface StockLabel {
  readonly title: string;
  readonly sku: string;
  /** Whether it may be sold below zero; 'no' where it is not known. */
  readonly backorders?: BackorderRule | undefined;
}

/**
 * Takes one side's stock reading into the hub [S2]. The caller holds the record's lock since before the reading was asked for, so
 * that no older reading is ever applied over a newer one. Returns true when something moved.
 */
export function absorbStock(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: VariantRow,
  binding: VariantBindingRow,
  remote: StockSnapshot,
  label: StockLabel,
  cause = 'stock_delta',
): boolean {
  if (isCountedLater(variant)) return false;
  const isLeft = showsTooMany(view, variant, binding, label.backorders ?? 'no');
  if (variant.stockState === 'removed' && !isLeft) return false;
  if (binding.intentKey !== null) {
    // [S5] Its fate is unknown: nothing is counted yet, but the other side must not sell what may be gone.
    const intent = {
      from: binding.intentFrom ?? 0,
      to: binding.intentTo ?? 0,
      key: binding.intentKey,
      sentAt: binding.intentSentAt,
    };
    const provisional = provisionalDelta(intent, remote);
    if (provisional === binding.provisional) return false;
    updateVariantBinding(tx, variant.id, binding.side, { provisional });
    return true;
  }
  const seen = observeStock({ quantity: binding.baseQuantity, tracked: binding.baseTracked }, remote);
  if (seen.is === 'epoch') {
    if (isLeft) {
      settleStockBase(tx, variant.id, binding.side, seen.base.quantity, seen.base.tracked);
      const { removedBase } = variant;
      updateVariant(tx, variant.id, { removedBase: removedBase && { ...removedBase, quantity: null } });
    } else pauseStock(ctx, tx, view, variant, binding.side, seen.base, label, remote.limited);
    return true;
  }
  if (seen.delta === 0) return false;
  if (variant.stockState === 'live' && !leadsStock(tx, view, variant, binding.side)) {
    const target = stockTarget(variant.quantity, label.backorders ?? 'no', view.settings);
    recordStockDrift(ctx, tx, view, variant, binding, seen.base, target, labelText(label));
    return true;
  }
  if (variant.stockState !== 'live' && !(isLeft && leadsStock(tx, view, variant, binding.side))) {
    settleStockBase(tx, variant.id, binding.side, seen.base.quantity, seen.base.tracked);
    return true;
  }
  countDelta(ctx, tx, view, variant, binding, seen.delta, seen.base.quantity, label, cause);
  return true;
}

/** [S6] [S12] Tracking was turned on or off, or the item left the place (`limit`): re-based without a delta, and paused until a person, who is told, says how it goes on. */
export function pauseStock(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: VariantRow,
  side: Side,
  base: StockBase,
  label: Pick<StockLabel, 'title' | 'sku'>,
  limit: StockLimit | undefined,
): void {
  settleStockBase(tx, variant.id, side, base.quantity, base.tracked);
  if (variant.stockState === 'live') updateVariant(tx, variant.id, { stockState: 'paused' });
  const about = { productId: variant.productId, side, subject: variant.id };
  raise(ctx, tx, view, about, WORDS.trackingChanged(side, labelText(label), limit));
}

/**
 * Whether a side's change moves the hub. [R9] A target whose stock a person has made one-way has no say: its reading is only what is to be
 * written over. What is paused only follows its readings. What was removed [V4] counts while a write of it has no answer.
 */
export function doesCount(db: Db, view: PairView, variant: VariantRow, side: Side): boolean {
  return (variant.stockState === 'live' || variant.stockState === 'removed') && leadsStock(db, view, variant, side);
}

/** Whose readings are counted once both sides are read in one pass, from what they were last known to hold: out of a backup [S14], or shown again [V5]. */
export function isCountedLater({ stockState, removedBase }: VariantRow): boolean {
  return stockState === 'restored' || (stockState === 'relinking' && removedBase !== null);
}

/** Moves the hub by an outside change of one side; that side's base becomes `baseQuantity`, and no intent is open on it. */
export function countDelta(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: VariantRow,
  binding: VariantBindingRow,
  delta: number,
  baseQuantity: number,
  label: StockLabel,
  cause: string,
): void {
  settleStockBase(tx, variant.id, binding.side, baseQuantity, binding.baseTracked);
  if (delta === 0) return;
  const from = variant.quantity;
  const to = from + delta;
  // [R9] From what is a target's own nothing follows anywhere.
  const isOwn = !mayLead(binding.side, view.settings) && listBindingsOfVariant(tx, variant.id).length === 1;
  const guarded = isOwn ? null : guardedStockCause(from, to);
  if (guarded !== null) guard(ctx, tx, view, variant.productId, binding.side, guarded);
  const at = ctx.clock.now();
  addToQuantity(tx, variant.id, delta);
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: variant.productId,
    variantId: variant.id,
    field: 'stock',
    origin: binding.side,
    target: null,
    from,
    to,
    cause: guarded ?? cause,
    at,
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'stock_changed',
    payload: {
      productId: variant.productId,
      variantId: variant.id,
      title: label.title,
      sku: label.sku,
      side: binding.side,
      from,
      to,
    },
    at,
  });
  if (delta > 0) closeStockDoubts(tx, variant.productId, variant.id, at);
  if (from < 0 && to >= 0) closeProblemsBySubject(tx, view.pair.id, 'OVERSOLD', variant.id, at);
  if (delta < 0) tellOversold(ctx, tx, view, variant, binding.side, label, to);
}

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

/**
 * [S9] Items below 0 of which nobody was told what is so by now: they were linked so while inventory was switched off, or the rule for backorders
 * moved, and with it what the shops show. What lies in the bin of the only shop that has it waits until it is back.
 */
export function untoldShort(db: Db, view: PairView, hub: HubState): readonly VariantRow[] {
  if (!view.settings.syncInventory || isInBinOnly(hub)) return [];
  return [...hub.variants.values()].filter((variant) => {
    const { id, quantity, stockState } = variant;
    if (quantity >= 0 || stockState !== 'live' || !isCountedAnywhere(hub, id)) return false;
    const told = listOpenProblems(db, hub.row.id).find(({ code, subject }) => code === 'OVERSOLD' && subject === id);
    return told?.message !== oversoldWords(view, labelIn(hub, variant), quantity).message;
  });
}

/** Whether a product lies in the bin of the only shop that has it: nobody can restock it there, nor buy it. */
export function isInBinOnly(hub: HubState): boolean {
  const { state, deletedOn } = hub.row;
  return state === 'deleted' && SIDES.every((side) => side === deletedOn || !isBound(hub, side));
}

/** Whether a shop counts the item; where none does, its last number says nothing any more. */
export function isCountedAnywhere(hub: HubState, id: VariantId): boolean {
  return SIDES.some((side) => hub.variantBindings[side].get(id)?.baseTracked === true);
}

export function tellShort(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState): void {
  for (const variant of untoldShort(tx, view, hub))
    tellOversold(ctx, tx, view, variant, null, labelIn(hub, variant), variant.quantity);
}

function labelIn(hub: HubState, { id, sku }: VariantRow): StockLabel {
  return { title: hub.row.title, sku, backorders: hub.row.data.variants[id]?.backorders };
}

function oversoldWords(view: PairView, label: StockLabel, quantity: number): ProblemWords {
  return WORDS.oversold(labelText(label), quantity, stockTarget(quantity, label.backorders ?? 'no', view.settings));
}

export function labelText(label: Pick<StockLabel, 'title' | 'sku'>): string {
  return label.sku === '' ? `"${label.title}"` : `"${label.title}" (${label.sku})`;
}
