import { transact } from '../../db/database.ts';
import { findPair, findStore, listPairs } from '../../db/readers/pairs.ts';
import { countBound } from '../../db/readers/products.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblemsBySubject } from '../../db/writers/history.ts';
import { leaveBehind } from '../../db/writers/leftovers.ts';
import { deletePairRow, insertPair, updatePair } from '../../db/writers/stores.ts';
import { stableJson } from '../../lib/stable-json.ts';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS, type PairSettings } from '../../model/pair.ts';
import { Refusal } from '../../model/refusal.ts';
import type { StoreInfo } from '../../model/store-info.ts';
import { orderDrift } from '../conflicts/order-drift.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync } from '../enqueue.ts';
import { countDrift } from '../stock/count-drift.ts';
import { holdKeptBack } from '../stock/hold-kept-back.ts';
import { showAll } from '../stock/show-all.ts';
import { knownLocation } from '../stores/known-location.ts';
import { keepCounterparts, keepSources } from './keep-counterparts.ts';
import { refuseRing, refuseTwin } from './refuse-ring.ts';
import { settleWaiting } from './settle-waiting.ts';

export interface CreatePairCommand {
  readonly workspaceId: WorkspaceId;
  readonly woocommerceStoreId: StoreId;
  readonly shopifyStoreId: StoreId;
  readonly settings?: Partial<PairSettings>;
}

/** Joins two stores. A shop may be in several pairs, also of several workspaces, but never such that pairs close a ring. */
export function createPair(ctx: EngineContext, command: CreatePairCommand): PairRow {
  return transact(ctx.db, (tx) => {
    const woocommerce = findStore(tx, command.woocommerceStoreId);
    const shopify = findStore(tx, command.shopifyStoreId);
    for (const [store, platform, field] of [
      [woocommerce, 'woocommerce', 'woocommerceStoreId'],
      [shopify, 'shopify', 'shopifyStoreId'],
    ] as const) {
      if (store === null || store.workspaceId !== command.workspaceId)
        throw new Refusal('NOT_FOUND', 'There is no such store.', { field });
      if (store.platform !== platform)
        throw new Refusal(
          'VALIDATION',
          `This store is not a ${platform === 'shopify' ? 'Shopify' : 'WooCommerce'} store.`,
          { field },
        );
    }
    const pairs = listPairs(tx).filter((pair) => pair.workspaceId === command.workspaceId);
    if (
      pairs.some(
        (pair) =>
          pair.woocommerceStoreId === command.woocommerceStoreId && pair.shopifyStoreId === command.shopifyStoreId,
      )
    ) {
      throw new Refusal('PAIR_EXISTS', 'These two stores are a pair already.');
    }
    refuseTwin(tx, command.workspaceId, woocommerce?.identity, shopify?.identity);
    refuseRing(tx, command.woocommerceStoreId, command.shopifyStoreId);
    const at = ctx.clock.now();
    const row: PairRow = {
      id: ctx.random.id('pair_') as PairId,
      workspaceId: command.workspaceId,
      woocommerceStoreId: command.woocommerceStoreId,
      shopifyStoreId: command.shopifyStoreId,
      settings: {
        ...DEFAULT_PAIR_SETTINGS,
        ...gate(woocommerce?.info ?? null, shopify?.info ?? null, command.settings),
        ...command.settings,
        ...locate(shopify, command.settings),
      },
      status: 'setup',
      halt: null,
      guardSince: at,
      guardWaivedUntil: null,
      guardWaivedReason: null,
      linkedAt: null,
      scanNumber: 0,
      lastSyncAt: null,
      accuracy: null,
      createdAt: at,
    };
    insertPair(tx, row);
    recordEvent(tx, { workspaceId: row.workspaceId, pairId: row.id, type: 'pair_created', payload: {}, at });
    return row;
  });
}

type PriceBasis = Pick<StoreInfo, 'currency' | 'pricesIncludeTax' | 'chargesTax'>;

/** Whether the numbers of two stores are known to mean different things. A store that was never read is taken to be like the other. */
export function isOtherPriceBasis(a: PriceBasis | null, b: PriceBasis | null): boolean {
  if (a === null || b === null) return false;
  return a.currency !== b.currency || (!isTaxUnknown(a, b) && a.pricesIncludeTax !== b.pricesIncludeTax);
}

function isTaxUnknown(a: PriceBasis, b: PriceBasis): boolean {
  return a.pricesIncludeTax === null || b.pricesIncludeTax === null;
}

/** Of a store that charges no tax there is nothing to be told: its price is what is paid. */
function isTaxUntold(a: PriceBasis, b: PriceBasis): boolean {
  return isTaxUnknown(a, b) && a.chargesTax !== false && b.chargesTax !== false;
}

/** For people. */
export function basisWords({ currency, pricesIncludeTax }: PriceBasis): string {
  return pricesIncludeTax === null ? currency : `${currency} ${pricesIncludeTax ? 'with' : 'without'} tax`;
}

/**
 * Numbers are never copied between currencies or tax bases: there prices stay off until a person sets a rule. Where a store does not tell its tax
 * basis they stay off until a person, who can look, switches them on.
 */
function gate(
  a: PriceBasis | null,
  b: PriceBasis | null,
  asked: Partial<PairSettings> | undefined,
): Partial<PairSettings> {
  if (a === null || b === null) return {};
  if (!isOtherPriceBasis(a, b)) return isTaxUntold(a, b) ? { syncPrices: false } : {};
  if (asked?.syncPrices === true) {
    const message = `Prices can't be copied: one store has ${basisWords(a)}, the other ${basisWords(b)}. Leave the syncing of prices off (syncPrices), or give both the same: a change is noticed within a minute or two, or at once by testing the connection.`;
    throw new Refusal('PRICE_BASIS_DIFFERS', message, { fields: [{ field: 'syncPrices', message }] });
  }
  return { syncPrices: false };
}

function locate(shopify: StoreRow | null, asked: Partial<PairSettings> | undefined): Partial<PairSettings> {
  const named = asked?.shopifyLocationId ?? null;
  return named === null ? {} : { shopifyLocationId: knownLocation(shopify, named) };
}

/**
 * Settings that say how often and how hard, and not what; and those that only matter to what meets, or waits for a person (`settleWaiting`): no look at the
 * whole pair is due because of them.
 */
const SILENT_SETTINGS: readonly (keyof PairSettings)[] = [
  ...(['syncSchedule', 'syncInterval', 'rateLimit', 'retryAttempts', 'enableLogging'] as const),
  ...(['conflictResolution', 'preferredSide', 'linkRule', 'stockLinkRule', 'allowZeroStockLink'] as const),
];

/**
 * What changes where stock is counted is refused once stock was read; the others hold for all that is decided or sent after them [T3]. Where they change
 * what is due (direction, areas, buffer, ...) the whole pair is looked at once, unless it is synced by hand only: then when a person asks.
 */
export function updatePairSettings(ctx: EngineContext, pairId: PairId, patch: Partial<PairSettings>): PairRow {
  return transact(ctx.db, (tx) => {
    const pair = findPair(tx, pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    const isRelocated =
      patch.shopifyLocationId !== undefined && patch.shopifyLocationId !== pair.settings.shopifyLocationId;
    // A link that was broken off has read stock, too.
    if (isRelocated && (pair.linkedAt !== null || countBound(tx, pairId, 'shopify') > 0)) {
      const message =
        'The location of a linked pair cannot be changed: its stock would be counted from the wrong place. Delete the pair and link it again.';
      throw new Refusal('LOCATION_IN_USE', message, { fields: [{ field: 'shopifyLocationId', message }] });
    }
    const stores = [findStore(tx, pair.woocommerceStoreId), findStore(tx, pair.shopifyStoreId)] as const;
    gate(stores[0]?.info ?? null, stores[1]?.info ?? null, patch);
    const settings = { ...pair.settings, ...patch, ...(isRelocated ? locate(stores[1], patch) : {}) };
    countDrift(tx, pair, settings, ctx.clock.now());
    const goesOn = showAll(tx, pair, settings, ctx.clock.now());
    holdKeptBack(tx, pair, settings);
    orderDrift(ctx, tx, pair, settings, ctx.clock.now());
    keepCounterparts(ctx, tx, pair, settings, ctx.clock.now());
    keepSources(tx, pair, settings, ctx.clock.now());
    updatePair(tx, pairId, { settings });
    // That they stay off is a person's word now.
    if (patch.syncPrices !== undefined)
      for (const store of stores)
        if (store !== null) closeProblemsBySubject(tx, pairId, 'PRICES_HELD', store.id, ctx.clock.now());
    const changed = (Object.keys(patch) as (keyof PairSettings)[]).filter(
      (name) => stableJson(pair.settings[name]) !== stableJson(settings[name]),
    );
    if (changed.length === 0) return { ...pair, settings };
    // What waited for a person who syncs by hand is due as soon as nobody does.
    const isByHand = pair.settings.syncSchedule === 'manual';
    // What its shops told of was not taken in for it, and the place of their polls may be another pair's.
    const isHeardAgain = changed.includes('syncSchedule') && settings.syncSchedule === 'realtime';
    const isDue = isByHand || isHeardAgain || changed.some((name) => !SILENT_SETTINGS.includes(name));
    settleWaiting(ctx, tx, pair, settings);
    // What a first link that is under way has done before this is looked at when that has ended.
    const isLinked = pair.linkedAt !== null || pair.status === 'linking';
    if (isDue && !goesOn && isLinked && settings.syncSchedule !== 'manual')
      enqueueFullSync(tx, pairId, ctx.clock.now());
    recordEvent(tx, {
      workspaceId: pair.workspaceId,
      pairId,
      type: 'pair_settings_changed',
      payload: { changed },
      at: ctx.clock.now(),
    });
    return { ...pair, settings };
  });
}

/**
 * Forgets a pair and everything that was linked in it; the stores' records stay as they are. The pair is gone at once, also from every list; what it held
 * is dropped in portions, and in the meantime nobody waits for that.
 */
export function deletePair(ctx: EngineContext, pairId: PairId): void {
  transact(ctx.db, (tx) => {
    const pair = findPair(tx, pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    // Nothing else says afterwards which two stores it was of.
    const [woocommerce, shopify] = [findStore(tx, pair.woocommerceStoreId), findStore(tx, pair.shopifyStoreId)];
    const name = woocommerce === null || shopify === null ? '' : `${woocommerce.name} and ${shopify.name}`;
    deletePairRow(tx, pairId);
    leaveBehind(tx, { pairs: [pairId], stores: [], workspaceId: null }, ctx.clock.now());
    recordEvent(tx, {
      workspaceId: pair.workspaceId,
      pairId: null,
      type: 'pair_deleted',
      payload: { pairId, name },
      at: ctx.clock.now(),
    });
  });
}
