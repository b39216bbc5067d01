import { chunks } from '../../lib/chunks.ts';
import type { Side } from '../../model/platform.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { Shop } from '../../model/shop.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { noteSights } from '../sights.ts';

/** Keys that a connector takes in one search. */
const SEARCH_MAX = 100;
/** Keys that are remembered at most; the longest known go first. */
const KEYS_MAX = 5_000;
/** Longer than any search is known to lag, ms. */
const KEPT_MS = 10 * 60_000;

/** Records that a pass has read and that its pair did not know, by the SKUs and GTINs that they bore then. In memory: after a restart the search alone is left, for as long as it lags. */
export interface Strangers {
  note(shop: Shop, key: SearchKey, externalId: string, at: number): void;
  /** Ids of those that bore one of these keys since `since`. */
  bearing(shop: Shop, keys: readonly SearchKey[], since: number): readonly string[];
}

export function createStrangers(): Strangers {
  const known = new Map<string, Map<string, number>>();
  return {
    note(shop, key, externalId, at) {
      const place = `${shop} ${key}`;
      const bearers = known.get(place) ?? new Map<string, number>();
      known.delete(place);
      known.set(place, bearers.set(externalId, at));
      const [oldest] = known.keys();
      if (known.size > KEYS_MAX && oldest !== undefined) known.delete(oldest);
    },
    bearing(shop, keys, since) {
      const bearers = keys.flatMap((key) => [...(known.get(`${shop} ${key}`) ?? [])]);
      return [...new Set(bearers.flatMap(([id, at]) => (at >= since ? [id] : [])))];
    },
  };
}

/** [M1] A record that was just read, and that the pair doesn't know. */
export function noteStranger(ctx: EngineContext, view: PairView, side: Side, snapshot: ProductSnapshot): void {
  for (const key of keysBorneBy(snapshot))
    ctx.strangers.note(view.shops[side], key, snapshot.externalId, ctx.clock.now());
}

/** Ids of records of a side that were read lately as strangers with one of these keys. */
export function strangersBearing(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  keys: readonly SearchKey[],
): readonly string[] {
  return ctx.strangers.bearing(view.shops[side], keys, ctx.clock.now() - KEPT_MS);
}

/**
 * [M1] The records of a side that bear one of these keys, those in its bin included: what its search shows, and what it does not show
 * yet though we have read it. `itself`: the id of a record of that side that is not looked for. Throws `ConnectorError`.
 */
export async function findBearers(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  keys: readonly SearchKey[],
  itself: string | null,
  signal: AbortSignal,
): Promise<readonly ProductSnapshot[]> {
  const found = new Map<string, ProductSnapshot>();
  for (const chunk of chunks(keys, SEARCH_MAX))
    for (const record of await findSome(ctx, view, side, chunk, itself, signal)) found.set(record.externalId, record);
  return [...found.values()];
}

async function findSome(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  keys: readonly SearchKey[],
  itself: string | null,
  signal: AbortSignal,
): Promise<readonly ProductSnapshot[]> {
  const connector = view.connectors[side];
  const shown = await connector.findByKeys(keys, signal);
  const seen = new Set([itself, ...shown.map(({ externalId }) => externalId)]);
  const found = [...shown];
  const missing = strangersBearing(ctx, view, side, keys).filter((id) => !seen.has(id));
  for (const chunk of chunks(missing, connector.capabilities.readBatchMax)) {
    for (const outcome of await connector.readProducts(chunk, signal)) {
      if (!outcome.ok && outcome.error.kind !== 'not_found') throw outcome.error;
      if (!outcome.ok) continue;
      noteSights(ctx, view, side, [outcome.value]);
      if (bears(outcome.value, new Set(keys))) found.push(outcome.value);
    }
  }
  noteSights(ctx, view, side, shown);
  return found;
}

/** Whether a record can be found by one of these keys. */
export function bears({ variants }: ProductSnapshot, keys: ReadonlySet<SearchKey>): boolean {
  return variants.some(({ fields }) => searchKeys(fields).some((key) => keys.has(key)));
}

/** What a record can be found by, each once. */
export function keysBorneBy({ variants }: ProductSnapshot): readonly SearchKey[] {
  return [...new Set(variants.flatMap(({ fields }) => searchKeys(fields)))];
}
