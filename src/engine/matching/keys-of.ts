import { type RecordKey, recordKeys, titleKey } from '../../core/match.ts';
import { listBindings } from '../../db/readers/hub-rows.ts';
import { lostRecordOn } from '../../db/writers/history.ts';
import type { ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { keysBorneBy } from './strangers.ts';

/**
 * [M1] What a record of a side can be matched by in this pair. A mark whose hub record is bound there to another record says nothing: whoever duplicates
 * a product in WooCommerce duplicates what is noted on it.
 */
export function keysOf(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  snapshot: ProductSnapshot,
): readonly RecordKey[] {
  const isCopied = (hubId: string) => {
    const bound = listBindings(ctx.db, hubId as ProductId).find((own) => own.side === side);
    if (bound === undefined) return isCopyOfGone(ctx, hubId as ProductId, side, snapshot);
    return bound.externalId !== null && bound.externalId !== snapshot.externalId;
  };
  return recordKeys(snapshot, view.pair.id).filter(({ type, value }) => type !== 'mark' || !isCopied(value));
}

/** The record that it was noted on is gone, its copies live on, and theirs. What was made again shows something that the product was known by. */
function isCopyOfGone(ctx: EngineContext, hubId: ProductId, side: Side, snapshot: ProductSnapshot): boolean {
  if (!lostRecordOn(ctx.db, hubId, side)) return false;
  const hub = loadHub(ctx.db, hubId);
  if (hub === null || titleKey(hub.row.title) === titleKey(snapshot.fields.title)) return false;
  const known = new Set([...hub.variants.values()].flatMap(searchKeys));
  return !keysBorneBy(snapshot).some((key) => known.has(key));
}
