import type { Tx } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { updatePair } from '../../db/writers/stores.ts';
import type { StoreInfo } from '../../model/store-info.ts';

/**
 * [S12] A pair whose place was left to the shop keeps the one that the shop calls its first now. Left open, another place that becomes the first one
 * later would be counted from what the old one held, and every product would have been sold or restocked at once.
 */
export function pinLocation(tx: Tx, pair: PairRow): PairRow {
  if (pair.settings.shopifyLocationId !== null) return pair;
  const shopifyLocationId = firstPlace(findStore(tx, pair.shopifyStoreId)?.info ?? null);
  if (shopifyLocationId === null) return pair;
  const settings = { ...pair.settings, shopifyLocationId };
  updatePair(tx, pair.id, { settings });
  return { ...pair, settings };
}

/** Null where it is not known: a platform without places, or a shop of several that did not say which is the first. */
function firstPlace(info: StoreInfo | null): string | null {
  const active = (info?.locations ?? []).filter(({ isActive }) => isActive);
  const first = active.find(({ isDefault }) => isDefault === true) ?? (active.length === 1 ? active[0] : undefined);
  return first === undefined || first.id === NO_PLACES ? null : first.id;
}

/** What platforms without places report. */
const NO_PLACES = 'default';
