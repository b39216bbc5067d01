import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { isAwayOwed, recordChange } from '../../db/writers/history.ts';
import { deleteVariantBinding, updateVariant } from '../../db/writers/products.ts';
import { plainBarcode, plainSku } from '../../lib/record-keys.ts';
import type { RemovedBase } from '../../model/hub.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { guard } from '../guard.ts';
import { baseOf, type HubState, loadHub } from '../hub.ts';
import { nameVariant } from '../name-variant.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { setLinked } from '../stock/set-linked.ts';
import { wakeClaimants } from '../wake-claimants.ts';
import { isAwayWithProduct, variantsToArchive } from './variants-to-archive.ts';

/** [R9] A target's delete goes nowhere. [P1] What was deleted at the source is missed nowhere. */
export function tellMissing(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  id: VariantId,
): void {
  if (hub.row.state === 'deleted') return;
  const about = { productId: hub.row.id, side, subject: id };
  raise(ctx, tx, view, about, WORDS.deletedOnTarget(side, nameVariant(hub, id)));
}

/** A side does not show it any more: what it was found by there may be another's by now [M3]. */
export function letGo(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, side: Side, id: VariantId): void {
  const row = hub.variants.get(id);
  const freed = { productId: hub.row.id, side, keys: row === undefined ? [] : searchKeys(row) };
  deleteVariantBinding(tx, id, side);
  wakeClaimants(tx, view.pair.id, freed, ctx.clock.now());
}

/**
 * [M3] What is left of a removed variant is found by what its own shop shows: a person who empties its SKU there has made room for whoever waits for that.
 * What it was known by stays in the hub, for when it comes back [V5].
 */
export function followLeft(
  tx: Tx,
  view: PairView,
  hub: HubState,
  snapshots: Partial<PerSide<ProductSnapshot>>,
  at: number,
): void {
  for (const side of SIDES) {
    const shown = new Map(snapshots[side]?.variants.map(({ externalId, fields }) => [externalId, fields]));
    // Once for all of them: it takes in the whole product.
    let represented: CanonicalProduct | null = null;
    for (const { variantId, externalId } of hub.variantBindings[side].values()) {
      const row = hub.variants.get(variantId);
      const own = hub.row.data.variants[variantId];
      const read = shown.get(externalId);
      if (row?.stockState !== 'removed' || own === undefined || read === undefined) continue;
      // A key that this side cannot show is not read from it [R17].
      represented ??= view.connectors[side].represent(hub.row.data);
      const known = represented.variants[variantId];
      const keys = {
        sku: plainSku(read.sku === known?.sku ? own.sku : read.sku),
        barcode: plainBarcode(read.barcode === known?.barcode ? own.barcode : read.barcode),
      };
      if (row.sku === keys.sku && row.barcode === keys.barcode) continue;
      const borne = searchKeys(keys);
      const freed = searchKeys(row).filter((key) => !borne.includes(key));
      updateVariant(tx, variantId, keys);
      wakeClaimants(tx, view.pair.id, { productId: hub.row.id, side, keys: freed }, at);
    }
  }
}

/** [V4] Gone on one side: it stays known, so that its counterpart isn't taken for a new one, but nothing of it is kept the same any more. */
export function removeVariant(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  id: VariantId,
): void {
  // [G1] From what is a target's own nothing follows anywhere.
  const isGuarded = mayLead(side, view.settings);
  if (isGuarded) guard(ctx, tx, view, hub.row.id, side, 'delete');
  const row = hub.variants.get(id);
  const own = hub.variantBindings[side].get(id);
  const other = hub.variantBindings[otherSide(side)].get(id);
  // [V4] What its counterpart shows too many of is owed still (`showsTooMany`), unless the stock of the two was not kept the same.
  const isCounted = row?.stockState === 'live' || row?.removedBase != null;
  if (row !== undefined && !isCounted && other?.baseTracked) setLinked(ctx, tx, view, hub, row, other.baseQuantity);
  // [V5] Where it was only hidden, its stock goes on from here. What a write without an answer has made of it, nobody knows.
  const wasOne = isCounted && own?.baseTracked === true && other?.baseTracked === true;
  const quantity = wasOne && own.intentKey === null ? own.baseQuantity : null;
  const removedBase =
    own === undefined || other === undefined
      ? null
      : { side, externalId: own.externalId, quantity, ...lastBases(view, hub, id) };
  updateVariant(tx, id, { stockState: 'removed', removedBase });
  letGo(ctx, tx, view, hub, side, id);
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: hub.row.id,
    variantId: id,
    field: 'deleted',
    origin: side,
    target: null,
    from: false,
    to: true,
    cause: isGuarded ? 'delete' : 'own_delete',
    at: ctx.clock.now(),
  });
  if (other === undefined || variantsToArchive(view, hub, otherSide(side), [id]).length > 0) return;
  if (isAwayWithProduct(view, hub, otherSide(side))) return;
  raise(
    ctx,
    tx,
    view,
    { productId: hub.row.id, side: otherSide(side), subject: id },
    WORDS.variantRemoved(side, nameVariant(hub, id)),
  );
}

function lastBases(view: PairView, hub: HubState, id: VariantId): Pick<RemovedBase, 'bases'> {
  const [woocommerce, shopify] = SIDES.map((side) => baseOf(hub, side, view).variants[id]);
  return woocommerce === undefined || shopify === undefined ? {} : { bases: { woocommerce, shopify } };
}

/**
 * [V4] Removed before it was known that its counterpart had been made: that one is there now, and where it can't be put away a person is told, as of
 * any that stays.
 */
export function tellLeft(ctx: EngineContext, tx: Tx, view: PairView, productId: ProductId): void {
  const hub = loadHub(tx, productId);
  if (hub?.row.state !== 'live') return;
  for (const { id, stockState } of hub.variants.values()) {
    if (stockState !== 'removed') continue;
    for (const side of SIDES) {
      const binding = hub.variantBindings[side].get(id);
      if (binding === undefined || variantsToArchive(view, hub, side).includes(binding.externalId)) continue;
      if (!isAwayOwed(tx, { pairId: view.pair.id, productId, variantId: id })) continue;
      raise(
        ctx,
        tx,
        view,
        { productId, side, subject: id },
        WORDS.variantRemoved(otherSide(side), nameVariant(hub, id)),
      );
    }
  }
}
