import { type RecordKey, recordKeys } from '../../core/match.ts';
import { listBindings } from '../../db/readers/hub-rows.ts';
import type { ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';

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
  const isCopied = (hubId: string) =>
    listBindings(ctx.db, hubId as ProductId).some(
      (bound) => bound.side === side && bound.externalId !== null && bound.externalId !== snapshot.externalId,
    );
  return recordKeys(snapshot, view.pair.id).filter(({ type, value }) => type !== 'mark' || !isCopied(value));
}
