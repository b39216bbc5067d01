import { chunks } from '../lib/chunks.ts';
import { skuKey } from '../lib/record-keys.ts';
import type { StoreId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import type { PairView } from './pair-view.ts';
import { noteSights } from './sights.ts';

/** SKUs that are remembered at most; the longest known go first. */
const SKUS_MAX = 5_000;
/** Longer than any search is known to lag, ms. */
const KEPT_MS = 10 * 60_000;

/** Records that a pass has read and that its pair did not know, by the SKUs that they bore then. In memory: after a restart the search alone is left, for as long as it lags. */
export interface Strangers {
  note(storeId: StoreId, sku: string, externalId: string, at: number): void;
  /** Ids of those that bore one of these SKUs since `since`. */
  bearing(storeId: StoreId, skus: readonly string[], since: number): readonly string[];
}

export function createStrangers(): Strangers {
  const known = new Map<string, Map<string, number>>();
  return {
    note(storeId, sku, externalId, at) {
      const key = `${storeId} ${skuKey(sku)}`;
      const bearers = known.get(key) ?? new Map<string, number>();
      known.delete(key);
      known.set(key, bearers.set(externalId, at));
      const [oldest] = known.keys();
      if (known.size > SKUS_MAX && oldest !== undefined) known.delete(oldest);
    },
    bearing(storeId, skus, since) {
      const bearers = skus.flatMap((sku) => [...(known.get(`${storeId} ${skuKey(sku)}`) ?? [])]);
      return [...new Set(bearers.flatMap(([id, at]) => (at >= since ? [id] : [])))];
    },
  };
}

/** [M1] A record that was just read, and that the pair doesn't know. */
export function noteStranger(ctx: EngineContext, view: PairView, side: Side, snapshot: ProductSnapshot): void {
  for (const sku of skusOf(snapshot))
    ctx.strangers.note(view.stores[side].id, sku, snapshot.externalId, ctx.clock.now());
}

/** Ids of records of a side that were read lately as strangers with one of these SKUs. */
export function strangersBearing(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  skus: readonly string[],
): readonly string[] {
  return ctx.strangers.bearing(view.stores[side].id, skus, ctx.clock.now() - KEPT_MS);
}

/**
 * [M1] The records of a side that bear one of these SKUs (100 at most), those in its bin included: what its search shows, and what it does not show
 * yet though we have read it. `itself`: the id of a record of that side that is not looked for. Throws `ConnectorError`.
 */
export async function findBearers(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  skus: readonly string[],
  itself: string | null,
  signal: AbortSignal,
): Promise<readonly ProductSnapshot[]> {
  const connector = view.connectors[side];
  const shown = await connector.findBySku(skus, signal);
  const seen = new Set([itself, ...shown.map(({ externalId }) => externalId)]);
  const found = [...shown];
  const missing = strangersBearing(ctx, view, side, skus).filter((id) => !seen.has(id));
  for (const chunk of chunks(missing, connector.capabilities.readBatchMax)) {
    for (const outcome of await connector.readProducts(chunk, signal)) {
      if (!outcome.ok && outcome.error.kind !== 'not_found') throw outcome.error;
      if (!outcome.ok) continue;
      noteSights(ctx, view, side, [outcome.value]);
      if (skusOf(outcome.value).some((sku) => isAmong(sku, skus))) found.push(outcome.value);
    }
  }
  noteSights(ctx, view, side, shown);
  return found;
}

/** [M1] Whether a SKU is one of these, as SKUs are compared. */
export function isAmong(sku: string, skus: readonly string[]): boolean {
  const key = skuKey(sku);
  return skus.some((each) => skuKey(each) === key);
}

/** As they are written there. */
export function skusOf(snapshot: ProductSnapshot): readonly string[] {
  return snapshot.variants.map((variant) => variant.fields.sku.trim()).filter((sku) => sku !== '');
}
