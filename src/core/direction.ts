import type { Area, PairSettings } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';

/** [R9] Whether what happens on this side may change the hub. */
export function mayLead(side: Side, settings: PairSettings): boolean {
  if (settings.syncDirection === 'bidirectional') return true;
  return (settings.syncDirection === 'woocommerce_to_shopify') === (side === 'woocommerce');
}

/** [R9] Whether this side may be written. */
export function mayFollow(side: Side, settings: PairSettings): boolean {
  if (settings.syncDirection === 'bidirectional') return true;
  return (settings.syncDirection === 'shopify_to_woocommerce') === (side === 'woocommerce');
}

/** [R9] Whether this side is the source of a one-way pair. */
export function isSource(side: Side, settings: PairSettings): boolean {
  return mayLead(side, settings) && !mayFollow(side, settings);
}

/** [R10] Whether an area takes part at all. */
export function isAreaOn(area: Area, settings: PairSettings): boolean {
  if (area === 'prices') return settings.syncPrices;
  if (area === 'weights') return settings.syncProducts && (settings.weightsHeldFrom ?? null) === null;
  return area === 'inventory' ? settings.syncInventory : settings.syncProducts;
}
