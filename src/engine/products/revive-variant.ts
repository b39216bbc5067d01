import { linkStock } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant } from '../../db/readers/hub-rows.ts';
import { recordChange } from '../../db/writers/history.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { labelText } from '../stock/absorb-stock.ts';
import { baseShownAgain } from '../stock/count-shown-again.ts';
import { bindItem, bindingRow } from './binding-row.ts';
import type { ProductSubject } from './product-subject.ts';

/** [V5] Bound again where it was removed; its stock, which nobody counted meanwhile, is linked anew from two fresh readings [S7][S8], or counted by them where it was only hidden. */
export function reviveVariant(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  id: VariantId,
  variant: VariantSnapshot,
): void {
  const other = otherSide(side);
  const bound = hub.variantBindings[other].get(id);
  const theirs = subject.snapshots[other]?.variants.find((own) => own.externalId === bound?.externalId)?.stock;
  const row = hub.variants.get(id);
  const base = row === undefined ? null : baseShownAgain(row, side, variant);
  const known = base === null ? variant.stock : { tracked: true, quantity: base };
  bindItem(tx, bindingRow(view, hub, side, id, variant, known), ctx.clock.now());
  recordChange(tx, {
    ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: id, field: 'deleted' },
    ...{ origin: side, target: null, from: true, to: false, cause: 'restore', at: ctx.clock.now() },
  });
  const woocommerce = side === 'woocommerce' ? variant.stock : theirs;
  const shopify = side === 'woocommerce' ? theirs : variant.stock;
  const needsConsent =
    base === null &&
    woocommerce !== undefined &&
    shopify !== undefined &&
    linkStock(woocommerce, shopify, view.settings).is === 'needs_consent';
  const removedBase = base === null ? null : (row?.removedBase ?? null);
  updateVariant(tx, id, { stockState: needsConsent ? 'paused' : 'relinking', removedBase });
  if (!needsConsent) {
    enqueueStockSync(tx, view.pair.id, { variantId: id, observe: SIDES }, ctx.clock.now());
    return;
  }
  const label = labelText({ title: hub.row.title, sku: findVariant(tx, id)?.sku ?? '' });
  const about = { productId: hub.row.id, side: null, subject: id };
  raise(ctx, tx, view, about, WORDS.stockConsent(label, woocommerce.quantity, shopify.quantity));
}
