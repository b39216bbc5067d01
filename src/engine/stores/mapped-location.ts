import type { Db } from '../../db/database.ts';
import { listPairsOfStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';

/** The place of a store that is looked after and polled: its pairs share it, or those of the later ones live by webhooks and scans. */
export function mappedLocation(db: Db, store: StoreRow): string | null {
  if (store.platform !== 'shopify') return null;
  return listPairsOfStore(db, store.id).find((pair) => pair.linkedAt !== null)?.settings.shopifyLocationId ?? null;
}
