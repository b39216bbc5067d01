import { and, eq, or, sql } from 'drizzle-orm';
import { present } from '../../lib/assert.ts';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import { isStockAtWork } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { type Shop, shopOf } from '../../model/shop.ts';
import { type Db, statement } from '../database.ts';
import { keptAnswer } from '../row-cache.ts';
import { type PairRow, pair } from '../schema/pair.ts';
import { type StoreRow, store } from '../schema/store.ts';

const pairById = statement((query) =>
  query
    .select()
    .from(pair)
    .where(eq(pair.id, sql.placeholder('id')))
    .prepare(),
);
const storeById = statement((query) =>
  query
    .select()
    .from(store)
    .where(eq(store.id, sql.placeholder('id')))
    .prepare(),
);
const pairsOfStore = statement((query) =>
  query
    .select()
    .from(pair)
    .where(or(eq(pair.woocommerceStoreId, sql.placeholder('id')), eq(pair.shopifyStoreId, sql.placeholder('id'))))
    .prepare(),
);

const allPairs = statement((query) => query.select().from(pair).prepare());
const allStores = statement((query) => query.select().from(store).prepare());
const storeShops = statement((query) =>
  query
    .select({ id: store.id, platform: store.platform, address: store.address, identity: store.identity })
    .from(store)
    .prepare(),
);

export function findPair(db: Db, id: PairId): PairRow | null {
  return keptAnswer(db, 'pairs', id, 'pair', () => pairById(db).get({ id }) ?? null);
}

export function findStore(db: Db, id: StoreId): StoreRow | null {
  return keptAnswer(db, 'stores', id, 'store', () => storeById(db).get({ id }) ?? null);
}

export function getStore(db: Db, id: StoreId): StoreRow {
  return present(findStore(db, id), `store ${id} exists`);
}

export function listPairsOfStore(db: Db, id: StoreId): readonly PairRow[] {
  return keptAnswer(db, 'pairs', id, 'pairs of', () => pairsOfStore(db).all({ id }));
}

/**
 * Requests that may leave for a shop in any minute: what the strictest of its pairs allows that are at work, of whichever workspaces; where none is,
 * the strictest of all. Null: it is in none. A pair that somebody paused, or began and forgot, slows no other.
 */
export function findRequestsPerMinute(db: Db, shop: Shop): number | null {
  const pairs = listStoresOfShop(db, shop).flatMap((id) => listPairsOfStore(db, id));
  const working = pairs.filter((own) => own.status === 'linking' || isStockAtWork(own));
  const limits = (working.length > 0 ? working : pairs).map(({ settings }) => settings.rateLimit);
  return limits.length === 0 ? null : Math.min(...limits);
}

export function listPairs(db: Db): readonly PairRow[] {
  return allPairs(db).all();
}

export function listStores(db: Db): readonly StoreRow[] {
  return allStores(db).all();
}

/** The stores of all workspaces that are this shop. */
export function listStoresOfShop(db: Db, shop: Shop): readonly StoreId[] {
  return keptAnswer(db, 'shops', '', 'stores by shop', () => storesByShop(db)).get(shop) ?? [];
}

/** The shop of each store, of all workspaces. */
export function listShops(db: Db): ReadonlyMap<StoreId, Shop> {
  return new Map(
    storeShops(db)
      .all()
      .map((row) => [row.id, shopOf(row)]),
  );
}

function storesByShop(db: Db): ReadonlyMap<Shop, readonly StoreId[]> {
  const shops = new Map<Shop, StoreId[]>();
  for (const [id, shop] of listShops(db)) shops.set(shop, [...(shops.get(shop) ?? []), id]);
  return shops;
}

export function findStoreByIdentity(
  db: Db,
  workspaceId: WorkspaceId,
  platform: Side,
  identity: string,
): StoreRow | null {
  return (
    db.query
      .select()
      .from(store)
      .where(and(eq(store.workspaceId, workspaceId), eq(store.platform, platform), eq(store.identity, identity)))
      .get() ?? null
  );
}

/**
 * Whether a pair's work has to wait: for a person (halted, paused), for its first link, or for a store that does not let us in. A pair that is
 * not set up, or is gone, holds nothing: its work ends by itself.
 */
export function isPairHeld(db: Db, id: PairId): boolean {
  const row = findPair(db, id);
  return row !== null && isHeld(db, row, row.status === 'active');
}

/** The same for the pair's work on stock, which not every halt stops [G1]. */
export function isStockHeld(db: Db, id: PairId): boolean {
  const row = findPair(db, id);
  return row !== null && isHeld(db, row, isStockAtWork(row));
}

function isHeld(db: Db, row: PairRow, isAtWork: boolean): boolean {
  if (row.status === 'setup') return false;
  return !isAtWork || SIDES.some((side) => findStore(db, storeIdOf(row, side))?.status === 'error');
}

export function storeIdOf(row: PairRow, side: Side): StoreId {
  return side === 'woocommerce' ? row.woocommerceStoreId : row.shopifyStoreId;
}
