import { type Tx, transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { closeProblemsBySubject, isProblemOpen } from '../../db/writers/history.ts';
import { updatePair, updateStore } from '../../db/writers/stores.ts';
import type { StoreInfo, StoreUnits } from '../../model/store-info.ts';
import type { Connector } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync } from '../enqueue.ts';
import { basisWords, isOtherPriceBasis } from '../pairs/create-pair.ts';
import { STORE_WORDS } from '../store-words.ts';
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
  for (const pair of listPairsOfStore(tx, store.id)) holdPrices(ctx, tx, store, pair, known);
  if (!isSame || known.weightUnit === weightUnit) return;
  // With the settings that they have by now.
  for (const pair of listPairsOfStore(tx, store.id)) holdWeights(ctx, tx, store, pair, known.weightUnit, weightUnit);
}

/**
 * Numbers are never copied between currencies or tax bases, also when a store changes its own later. Where both are alike again, what could not be
 * made meanwhile is made; prices wait for a person, who is told so.
 */
function holdPrices(ctx: EngineContext, tx: Tx, store: StoreRow, pair: PairRow, before: StoreInfo | null): void {
  const stores = [findStore(tx, pair.woocommerceStoreId), findStore(tx, pair.shopifyStoreId)].filter(
    (row) => row !== null,
  );
  const own = stores.find(({ id }) => id === store.id)?.info ?? null;
  const other = stores.find(({ id }) => id !== store.id)?.info ?? null;
  if (own === null || other === null) return;
  const told = stores.filter(({ id }) => isProblemOpen(tx, pair.id, 'PRICES_HELD', id));
  if (isOtherPriceBasis(own, other)) {
    // Switched off by a person, or since the two were paired.
    if (!pair.settings.syncPrices && told.length === 0) return;
    updatePair(tx, pair.id, { settings: { ...pair.settings, syncPrices: false } });
    const words = STORE_WORDS.pricesHeld(store.platform, basisWords(own), basisWords(other));
    for (const row of told)
      if (row.id !== store.id) closeProblemsBySubject(tx, pair.id, words.code, row.id, ctx.clock.now());
    raiseAboutStore(ctx, tx, store, pair, words);
  } else if (isOtherPriceBasis(before, other)) {
    for (const row of told) raiseAboutStore(ctx, tx, row, pair, STORE_WORDS.pricesAlike(basisWords(own)));
    lookAtAll(ctx, tx, pair);
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

/** What the store shows in its unit counts again, and so do edits that waited for it. */
export function releaseWeights(ctx: EngineContext, tx: Tx, storeId: StoreRow['id'], pair: PairRow): void {
  updatePair(tx, pair.id, { settings: { ...pair.settings, weightsHeldFrom: null } });
  closeProblemsBySubject(tx, pair.id, 'WEIGHTS_HELD', storeId, ctx.clock.now());
  lookAtAll(ctx, tx, pair);
}

function lookAtAll(ctx: EngineContext, tx: Tx, pair: PairRow): void {
  if (pair.linkedAt !== null && pair.settings.syncSchedule !== 'manual') enqueueFullSync(tx, pair.id, ctx.clock.now());
}
