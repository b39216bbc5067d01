import { mayLead } from '../core/direction.ts';
import type { Db } from '../db/database.ts';
import { findProduct, listBindings } from '../db/readers/hub-rows.ts';
import type { ProductRow, VariantRow } from '../db/schema/product.ts';
import type { PairSettings } from '../model/pair.ts';
import { otherSide, type PerSide, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { HubState } from './hub.ts';
import type { PairView } from './pair-view.ts';
import { sellsAlone } from './stock/owes-stock.ts';

type Snapshots = Partial<PerSide<ProductSnapshot>>;

/**
 * [R9] Whether what happens on this side may change this product: at its source; and at a target as long as no source has it. `snapshots`: of the
 * pass that asks, where the source's may be about to join.
 */
export function leads(view: PairView, hub: HubState, side: Side, snapshots: Snapshots): boolean {
  if (mayLead(side, view.settings)) return true;
  const other = otherSide(side);
  return isOwn(hub.row, hub.bindings[other] !== undefined || snapshots[other] !== undefined, side);
}

/** [R9] Whether a side's stock moves the hub: also where a person has made it one-way, and no source has the product. */
export function leadsStock(db: Db, view: PairView, { productId }: Pick<VariantRow, 'productId'>, side: Side): boolean {
  if (view.settings.stockTwoWay || mayLead(side, view.settings)) return true;
  const row = findProduct(db, productId);
  const isElsewhere = listBindings(db, productId).some((binding) => binding.side !== side);
  return row !== null && isOwn(row, isElsewhere, side);
}

/**
 * [R9] The settings by which a product is merged: what only the target has is merged as if that were the source. [G8] Where its source was deleted and it
 * was put away for that nowhere, nothing is enforced: what is done to it stays.
 */
export function settingsFor(view: PairView, hub: HubState, snapshots: Snapshots): PairSettings {
  const { settings } = view;
  const target = settings.syncDirection === 'woocommerce_to_shopify' ? 'shopify' : 'woocommerce';
  if (mayLead(target, settings)) return settings;
  if (!leads(view, hub, target, snapshots))
    return settings.enforce && sellsAlone(hub.row, target) ? { ...settings, enforce: false } : settings;
  return { ...settings, syncDirection: target === 'shopify' ? 'shopify_to_woocommerce' : 'woocommerce_to_shopify' };
}

/** What its source had and deleted is not the target's own. */
function isOwn({ state, deletedOn }: ProductRow, isElsewhere: boolean, side: Side): boolean {
  return !isElsewhere && (state === 'live' || deletedOn === side);
}
