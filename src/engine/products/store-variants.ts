import { isSource, mayLead } from '../../core/direction.ts';
import { linkStock, relinkStock, stockTarget } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant, listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import {
  closeProblem,
  closeStockDoubts,
  listOpenProblems,
  lostRecordOn,
  recordChange,
} from '../../db/writers/history.ts';
import { insertVariant, updateVariant, updateVariantBinding } from '../../db/writers/products.ts';
import { plainBarcode, plainSku } from '../../lib/record-keys.ts';
import type { SentStock } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { BackorderRule } from '../../model/product.ts';
import type { VariantSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import { leads } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { absorbStock, labelText, tellOversold } from '../stock/absorb-stock.ts';
import { owesStock } from '../stock/owes-stock.ts';
import { setLinked } from '../stock/set-linked.ts';
import { bindItem, bindingRow } from './binding-row.ts';
import type { Decision } from './decide.ts';
import type { ProductSubject } from './product-subject.ts';
import { letGo, removeVariant, tellLeft, tellMissing } from './removed-variants.ts';
import { reviveVariant } from './revive-variant.ts';

/** [V1]-[V4] Binds variants that were recognised or are new, and takes leave of those that are gone. */
export function bindVariants(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  decision: Decision,
): void {
  // A variant that one side has brought into the hub is there before the other side's stock is linked with it: leaders first, as it was decided.
  const leadersFirst = [...SIDES].sort((a, b) => Number(mayLead(b, view.settings)) - Number(mayLead(a, view.settings)));
  const short = new Map<VariantId, BackorderRule>();
  for (const side of leadersFirst) {
    const match = decision.matches[side];
    const snapshot = subject.snapshots[side];
    if (match === undefined || snapshot === undefined) continue;
    const minted = decision.minted[side] ?? new Map<string, VariantId>();
    for (const added of match.added) {
      const id = minted.get(added.externalId);
      if (id === undefined) continue;
      insertVariant(tx, {
        id,
        productId: hub.row.id,
        pairId: view.pair.id,
        quantity: added.stock.tracked ? added.stock.quantity : 0,
        stockState: 'live',
        keptBack: null,
        removedBase: null,
        sku: plainSku(added.fields.sku),
        barcode: plainBarcode(added.fields.barcode),
      });
      bindVariant(ctx, tx, view, hub, side, id, added);
      if (added.stock.tracked && added.stock.quantity < 0) short.set(id, added.fields.backorders);
    }
    for (const [id, variant] of match.known) {
      const bound = hub.variantBindings[side].get(id);
      if (bound === undefined && decision.revived.has(id))
        reviveVariant(ctx, tx, view, subject, hub, side, id, variant);
      else if (bound === undefined) bindVariant(ctx, tx, view, hub, side, id, variant);
      else if (bound.stockId !== variant.stockId) updateVariantBinding(tx, id, side, { stockId: variant.stockId });
    }
    const isLeading = leads(view, hub, side, subject.snapshots);
    if (!isLeading) closeReturned(ctx, tx, hub, side, match.known);
    for (const id of match.missing) {
      // Removed on the other side before, and now gone here too: put away by us, or by a person.
      if (hub.variants.get(id)?.stockState === 'removed') letGo(ctx, tx, view, hub, side, id);
      else if (isLeading) removeVariant(ctx, tx, view, hub, side, id);
      else tellMissing(ctx, tx, view, hub, side, id);
    }
  }
  dropUnshown(tx, view, hub, decision, ctx.clock.now());
  tellLeft(ctx, tx, view, hub.row.id);
  // [S9] What the other side lacks yet is made there so, and nothing else tells of it.
  for (const [id, backorders] of short) {
    const row = listBindingsOfVariant(tx, id).length === 1 ? findVariant(tx, id) : null;
    if (row !== null && view.settings.syncInventory)
      tellOversold(ctx, tx, view, row, null, { title: hub.row.title, sku: row.sku, backorders }, row.quantity);
  }
}

/**
 * [V4] A variant that no record has any more: its product was deleted, and is back without it. It is not made again of what nobody shows. It is no harm of
 * its own for the guard (G1): what was deleted was the product.
 */
function dropUnshown(tx: Tx, view: PairView, hub: HubState, decision: Decision, at: number): void {
  if (hub.row.state !== 'live') return;
  const isShown = (id: VariantId) =>
    SIDES.some((side) => hub.variantBindings[side].has(id) || decision.matches[side]?.known.has(id) === true);
  for (const { id, stockState } of hub.variants.values()) {
    if (stockState === 'removed' || isShown(id)) continue;
    updateVariant(tx, id, { stockState: 'removed' });
    recordChange(tx, {
      ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: id, field: 'deleted' },
      ...{ origin: null, target: null, from: false, to: true, cause: 'gone', at },
    });
  }
}

/** Variants that were missed on a target are shown there again. */
export function closeReturned(
  ctx: EngineContext,
  tx: Tx,
  hub: HubState,
  side: Side,
  shown: ReadonlyMap<VariantId, unknown>,
): void {
  for (const { id, code, side: of, subject } of listOpenProblems(tx, hub.row.id))
    if (code === 'DELETED_ON_TARGET' && of === side && shown.has(subject as VariantId))
      closeProblem(tx, id, ctx.clock.now());
}

/** Binds one variant on one side and brings its stock together: sent by us, new, or two readings that were never linked [S7][S8]. */
function bindVariant(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  id: VariantId,
  variant: VariantSnapshot,
): void {
  const sent = sentStock(hub, side)?.[id];
  const base = sent ?? variant.stock;
  bindItem(tx, bindingRow(view, hub, side, id, variant, base), ctx.clock.now());
  if (sent !== undefined) {
    enqueueStockSync(tx, view.pair.id, { variantId: id, observe: [side] }, ctx.clock.now());
    return;
  }
  const row = findVariant(tx, id);
  const other = listBindingsOfVariant(tx, id).find((binding) => binding.side !== side);
  if (row === null) return;
  // [V5] Another record than the one that its stock was to go on with.
  if (row.removedBase !== null) updateVariant(tx, id, { removedBase: null });
  const own = variant.stock;
  const { backorders } = variant.fields;
  const shown = { title: hub.row.title, sku: row.sku, backorders };
  if (other === undefined) {
    if (row.stockState === 'removed' || !hub.variants.has(id)) return;
    // [S7] The hub's number is that of records which are gone on both sides: only this one is true.
    const quantity = own.tracked ? own.quantity : 0;
    setLinked(ctx, tx, view, hub, row, quantity);
    if (view.settings.syncInventory) tellOversold(ctx, tx, view, row, null, shown, quantity);
    updateVariant(tx, id, { stockState: 'live', keptBack: null });
    closeStockDoubts(tx, hub.row.id, id, ctx.clock.now());
    return;
  }
  if (row.stockState === 'paused') {
    // [S6] What the hub held says nothing any more of what the other side has.
    updateVariant(tx, id, { stockState: 'relinking' });
    enqueueStockSync(tx, view.pair.id, { variantId: id, observe: SIDES }, ctx.clock.now());
    return;
  }
  // [S7] Its whole record was made again: it is of the same goods, and what the buffer or the cap keeps back is not sold.
  const wasOne = hub.variantBindings[side].size === 0 && lostRecordOn(tx, hub.row.id, side);
  const isShaped = wasOne && (view.settings.stockTwoWay || !isSource(otherSide(side), view.settings));
  const quantity = isShaped ? stockTarget(row.quantity, backorders, view.settings) : row.quantity;
  const theirs = { tracked: other.baseTracked, quantity, stamp: null };
  const [woocommerce, shopify] = side === 'woocommerce' ? [own, theirs] : [theirs, own];
  const link = wasOne
    ? relinkStock(woocommerce, shopify, { quantity: row.quantity, keptBack: null, backorders }, view.settings)
    : linkStock(woocommerce, shopify, view.settings);
  const label = labelText({ title: hub.row.title, sku: row.sku });
  const about = { productId: hub.row.id, side: null, subject: id };
  if (link.is === 'linked') {
    setLinked(ctx, tx, view, hub, row, link.quantity);
    tellOversold(ctx, tx, view, row, null, shown, link.quantity);
    const target = stockTarget(link.quantity, backorders, view.settings);
    if (target !== own.quantity || target !== other.baseQuantity)
      enqueueStockSync(tx, view.pair.id, { variantId: id, observe: [] }, ctx.clock.now());
    return;
  }
  if (link.is === 'untracked' && own.tracked === other.baseTracked) return;
  updateVariant(tx, id, { stockState: 'paused' });
  const words =
    link.is === 'untracked'
      ? WORDS.trackingDiffers(label)
      : WORDS.stockConsent(label, woocommerce.quantity, shopify.quantity);
  raise(ctx, tx, view, about, words, { isFirst: !wasOne });
}

function sentStock(hub: HubState, side: Side): SentStock | null {
  return hub.bindings[side]?.intent?.stock ?? null;
}

/**
 * Counts the stock that the product's reading brought along, where its stock was locked before the reading. Where it was not, another pass is
 * at work on that stock and may have read it before: the stock's own job looks again, or a sale that only this reading told of would be lost.
 */
export function absorbReadings(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject): void {
  if (subject.productId === null || !view.settings.syncInventory) return;
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (snapshot === undefined) continue;
    const isCounted = subject.counted.has(side);
    const hub = loadHub(tx, subject.productId);
    if (hub === null) return;
    const byExternal = new Map(snapshot.variants.map((variant) => [variant.externalId, variant]));
    for (const binding of hub.variantBindings[side].values()) {
      const variant = hub.variants.get(binding.variantId);
      const read = byExternal.get(binding.externalId);
      if (variant === undefined || read === undefined) continue;
      if (!isCounted) {
        const isKnown =
          binding.intentKey === null &&
          binding.baseTracked === read.stock.tracked &&
          (!binding.baseTracked || binding.baseQuantity === read.stock.quantity);
        if (!isKnown) enqueueStockSync(tx, view.pair.id, { variantId: variant.id, observe: [side] }, ctx.clock.now());
        continue;
      }
      const isMoved = absorbStock(ctx, tx, view, variant, binding, read.stock, {
        title: hub.row.title,
        sku: variant.sku,
        backorders: hub.row.data.variants[variant.id]?.backorders ?? 'no',
      });
      if (isMoved || owesStock(view, hub, side, binding)) {
        enqueueStockSync(tx, view.pair.id, { variantId: variant.id, observe: [] }, ctx.clock.now());
        subject.movesStock = true;
      }
    }
  }
}
