import type { Tx } from '../../db/database.ts';
import { findStore, listPairs, listPairsOfStore, listShops } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import { type Shop, shopOf } from '../../model/shop.ts';

const ENDLESS = 'A ring of pairs would send every change around for ever.';

/**
 * Throws PAIR_RING when two stores are joined through other pairs already, of whichever workspaces: counters go from pair to pair, and the shops
 * don't know whose they are. What a pair of another workspace is called, and whose it is, stays unsaid.
 */
export function refuseRing(tx: Tx, woocommerce: StoreId, shopify: StoreId): void {
  const shops = listShops(tx);
  if (areConnected(listPairs(tx), (id) => shops.get(id), woocommerce, shopify))
    throw new Refusal(
      'PAIR_RING',
      `These stores are joined through other pairs of this instance already, perhaps in another workspace. ${ENDLESS}`,
    );
}

/** The same for the pairs of a store that moves to another address. */
export function refuseMovedRing(tx: Tx, store: StoreRow, address: string, identity: string): void {
  const shops = listShops(tx);
  const moved = shopOf({ ...store, address, identity });
  if (moved === shops.get(store.id)) return;
  const pairs = listPairs(tx);
  for (const own of listPairsOfStore(tx, store.id)) {
    const others = pairs.filter(({ id }) => id !== own.id);
    const placeOf = (id: StoreId) => (id === store.id ? moved : shops.get(id));
    if (areConnected(others, placeOf, own.woocommerceStoreId, own.shopifyStoreId))
      throw new Refusal(
        'PAIR_RING',
        `The shop at this address is joined with the other one through other pairs of this instance already, perhaps in another workspace. ${ENDLESS}`,
      );
  }
}

/** Throws PAIR_EXISTS when the shops of these identities are a pair of another workspace. */
export function refuseTwin(
  tx: Tx,
  workspaceId: WorkspaceId,
  woocommerce: string | undefined,
  shopify: string | undefined,
): void {
  const twin = listPairs(tx).find(
    (pair) =>
      pair.workspaceId !== workspaceId &&
      findStore(tx, pair.woocommerceStoreId)?.identity === woocommerce &&
      findStore(tx, pair.shopifyStoreId)?.identity === shopify,
  );
  if (twin !== undefined) {
    throw new Refusal(
      'PAIR_EXISTS',
      'These two stores are a pair in another workspace of this instance. Two pairs of the same stores would count every sale twice.',
    );
  }
}

function areConnected(
  pairs: readonly PairRow[],
  placeOf: (id: StoreId) => Shop | undefined,
  from: StoreId,
  to: StoreId,
): boolean {
  const ways = pairs.map((pair) => [placeOf(pair.woocommerceStoreId), placeOf(pair.shopifyStoreId)] as const);
  const reached = new Set([placeOf(from)]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const ends of ways) {
      if (ends.some((end) => reached.has(end)) && !ends.every((end) => reached.has(end))) {
        for (const end of ends) reached.add(end);
        grown = true;
      }
    }
  }
  return reached.has(placeOf(to));
}
