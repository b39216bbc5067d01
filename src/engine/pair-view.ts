import { findPair, getStore, listStoresOfShop, storeIdOf } from '../db/readers/pairs.ts';
import { countBound } from '../db/readers/products.ts';
import type { PairRow } from '../db/schema/pair.ts';
import type { StoreRow } from '../db/schema/store.ts';
import { stableJson } from '../lib/stable-json.ts';
import type { PairId, RunId } from '../model/ids.ts';
import type { JobOutcome } from '../model/job.ts';
import { isStockAtWork, type PairSettings } from '../model/pair.ts';
import { type PerSide, SIDES } from '../model/platform.ts';
import { type Shop, shopOf } from '../model/shop.ts';
import type { Connector } from '../ports/connector.ts';
import type { EngineContext } from './context.ts';

const HELD_MS = 15 * 60_000;

/**
 * What was in hand when its pair came to be held (`isPairHeld`, `isStockHeld`) waits: it is not taken up again meanwhile, and is woken in the transaction that
 * lets the pair go on. All look again together: ten thousand that wait a day cost next to nothing.
 */
export function held(ctx: EngineContext): JobOutcome {
  return { type: 'snooze', ms: HELD_MS - (ctx.clock.now() % HELD_MS) };
}

/** Settings that a pass does not decide by: they say how often and how hard, or how two records are linked for the first time. */
const OUTSIDE_OF_PASSES: ReadonlySet<string> = new Set<keyof PairSettings>([
  ...(['syncSchedule', 'syncInterval', 'rateLimit', 'retryAttempts', 'enableLogging'] as const),
  ...(['linkRule', 'stockLinkRule', 'allowZeroStockLink'] as const),
]);

/**
 * [G1, T3] What becomes of a pass when somebody, or the guard, has stopped the pair since it began, or other settings hold, or a store stands at
 * another address (its locks go by that): null, or what the jobs in hand end with. A pass that reads slowly asks before it stores and before it sends.
 */
export function endOfPass(ctx: EngineContext, view: PairView): JobOutcome | null {
  const pair = findPair(ctx.db, view.pair.id);
  if (pair === null || pair.status === 'halted' || pair.status === 'paused') return held(ctx);
  return endByPlace(ctx, view, pair);
}

/** The same for a pass over stock alone, which goes on under some halts [G1]. */
export function endOfStockPass(ctx: EngineContext, view: PairView): JobOutcome | null {
  const pair = findPair(ctx.db, view.pair.id);
  return pair !== null && isStockAtWork(pair) ? endByPlace(ctx, view, pair) : endOfPass(ctx, view);
}

function endByPlace(ctx: EngineContext, view: PairView, pair: PairRow): JobOutcome | null {
  if (SIDES.some((side) => !listStoresOfShop(ctx.db, view.shops[side]).includes(view.stores[side].id)))
    return { type: 'snooze', ms: 0 };
  // Nearly always it is the very row that the pass began with.
  if (pair.settings === view.settings || JSON.stringify(pair.settings) === JSON.stringify(view.settings)) return null;
  const names = Object.keys({ ...view.settings, ...pair.settings }) as (keyof PairSettings)[];
  const isOther = names.some(
    (name) =>
      !OUTSIDE_OF_PASSES.has(name) &&
      stableJson(pair.settings[name] ?? null) !== stableJson(view.settings[name] ?? null),
  );
  return isOther ? { type: 'snooze', ms: 0 } : null;
}

/** A pair with everything that a task needs of it, loaded once per pass. */
export interface PairView {
  readonly pair: PairRow;
  readonly settings: PairSettings;
  readonly stores: PerSide<StoreRow>;
  /** What its locks go by. */
  readonly shops: PerSide<Shop>;
  readonly connectors: PerSide<Connector>;
  /** The run that this pass belongs to; null for a change that was noticed as it happened. */
  readonly runId: RunId | null;
  /** How many products are linked: what the guard's limit is taken from. Counted once per pass. */
  linkedCount(): number;
}

export function loadPairView(ctx: EngineContext, pairId: PairId, runId: RunId | null = null): PairView | null {
  const pair = findPair(ctx.db, pairId);
  if (pair === null) return null;
  const stores = {
    woocommerce: getStore(ctx.db, storeIdOf(pair, 'woocommerce')),
    shopify: getStore(ctx.db, storeIdOf(pair, 'shopify')),
  };
  let linked: number | null = null;
  return {
    pair,
    settings: pair.settings,
    runId,
    stores,
    shops: { woocommerce: shopOf(stores.woocommerce), shopify: shopOf(stores.shopify) },
    connectors: {
      woocommerce: ctx.connectors.forStore(stores.woocommerce, null),
      shopify: ctx.connectors.forStore(stores.shopify, pair.settings.shopifyLocationId),
    },
    linkedCount() {
      linked ??= Math.min(...SIDES.map((side) => countBound(ctx.db, pairId, side)));
      return linked;
    },
  };
}
