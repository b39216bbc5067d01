import { type Tx, transact } from '../db/database.ts';
import { findStore, listPairsOfStore } from '../db/readers/pairs.ts';
import type { PairRow } from '../db/schema/pair.ts';
import type { StoreRow } from '../db/schema/store.ts';
import { closeProblemsBySubject } from '../db/writers/history.ts';
import { updatePair, updateStore } from '../db/writers/stores.ts';
import type { StoreInfo, StoreUnits } from '../model/store-info.ts';
import type { Connector } from '../ports/connector.ts';
import type { EngineContext } from './context.ts';
import { isOtherPriceBasis } from './create-pair.ts';
import { STORE_WORDS } from './problems.ts';
import { raiseAboutStore } from './store-state.ts';

/**
 * [A3] Asks a store what its numbers mean, by an answer from `since` or later. True when that is not what it was last known to be: then prices, or
 * weights, are held, a person is told, and whoever has read numbers of it reads them again. Throws what the connector throws.
 */
export async function watchUnits(
  ctx: EngineContext,
  store: StoreRow,
  connector: Connector,
  since: number,
  signal: AbortSignal,
): Promise<boolean> {
  const units = await connector.readUnits(since, signal);
  const known = findStore(ctx.db, store.id);
  if (known === null || !hasOtherUnits(units, known.info)) return false;
  transact(ctx.db, (tx) => noteUnits(ctx, tx, known, units));
  // It may have several, each of which remembers the units.
  ctx.connectors.forget(store.id);
  return true;
}

/** Whether numbers of a store mean something else than they did; what the store does not say it has not changed. */
export function hasOtherUnits(units: StoreUnits, known: StoreUnits | null): boolean {
  if (known === null) return false;
  const { currency, weightUnit } = units;
  const isOtherTax = taxOf(units) !== null && taxOf(units) !== taxOf(known);
  return currency !== known.currency || isOtherTax || weightUnit !== known.weightUnit;
}

/** Null: the store does not say. */
function taxOf({ pricesIncludeTax, chargesTax }: StoreUnits): boolean | 'off' | null {
  return chargesTax === false ? 'off' : pricesIncludeTax;
}

/** Stores what a store's numbers mean now, and holds what can't be compared with what was known. `info`: with all else that it said, where it was asked. */
export function noteUnits(
  ctx: EngineContext,
  tx: Tx,
  store: StoreRow,
  units: StoreUnits,
  info: StoreInfo | null = store.info,
): void {
  if (info === null) return;
  const { info: known } = store;
  const { currency, weightUnit } = units;
  // What the shop last said of its tax basis holds while something keeps it from saying so again.
  const isSame = known !== null && known.identity === info.identity;
  const { pricesIncludeTax, chargesTax } = isSame && taxOf(units) === null ? known : units;
  const { chargesTax: _, ...rest } = info;
  const tax = { pricesIncludeTax, ...(chargesTax === undefined ? {} : { chargesTax }) };
  updateStore(tx, store.id, { info: { ...rest, currency, weightUnit, ...tax } });
  for (const pair of listPairsOfStore(tx, store.id)) holdPrices(ctx, tx, store, pair);
  if (!isSame || known.weightUnit === weightUnit) return;
  // With the settings that they have by now.
  for (const pair of listPairsOfStore(tx, store.id)) holdWeights(ctx, tx, store, pair, known.weightUnit, weightUnit);
}

/** Numbers are never copied between currencies or tax bases, also when a store changes its own later. */
function holdPrices(ctx: EngineContext, tx: Tx, store: StoreRow, pair: PairRow): void {
  const infos = [pair.woocommerceStoreId, pair.shopifyStoreId].map((id) => findStore(tx, id)?.info ?? null);
  const isOther = isOtherPriceBasis(infos[0] ?? null, infos[1] ?? null);
  if (!isOther) closeProblemsBySubject(tx, pair.id, 'PRICES_HELD', store.id, ctx.clock.now());
  else if (pair.settings.syncPrices) {
    updatePair(tx, pair.id, { settings: { ...pair.settings, syncPrices: false } });
    raiseAboutStore(ctx, tx, store, pair, STORE_WORDS.pricesHeld(store.platform));
  }
}

/**
 * A store that weighs in another unit converts none of its numbers: each of them would be an edit, by a thousand. They are neither taken nor written
 * until a person has looked, or the unit is what it was.
 */
function holdWeights(ctx: EngineContext, tx: Tx, store: StoreRow, pair: PairRow, from: string, to: string): void {
  if (!ctx.connectors.forStore(store, null).capabilities.weighsInOneUnit) return;
  const heldFrom = pair.settings.weightsHeldFrom ?? from;
  if (heldFrom === to) releaseWeights(ctx, tx, store.id, pair);
  else {
    updatePair(tx, pair.id, { settings: { ...pair.settings, weightsHeldFrom: heldFrom } });
    raiseAboutStore(ctx, tx, store, pair, STORE_WORDS.weightsHeld(store.platform, heldFrom, to));
  }
}

/** What the store shows in its unit counts again. */
export function releaseWeights(ctx: EngineContext, tx: Tx, storeId: StoreRow['id'], pair: PairRow): void {
  updatePair(tx, pair.id, { settings: { ...pair.settings, weightsHeldFrom: null } });
  closeProblemsBySubject(tx, pair.id, 'WEIGHTS_HELD', storeId, ctx.clock.now());
}
