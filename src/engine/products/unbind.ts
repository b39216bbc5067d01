import type { Tx } from '../../db/database.ts';
import { lostRecordOn, recordChange } from '../../db/writers/history.ts';
import { deleteProductBinding, deleteVariantBindings } from '../../db/writers/products.ts';
import type { Side } from '../../model/platform.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { HubState } from '../hub.ts';
import { wakeNamesakes } from '../matching/namesakes.ts';
import type { PairView } from '../pair-view.ts';
import { wakeClaimants, wakeRefusedFor } from '../wake-claimants.ts';

/** A side's record is not this hub record's any more. */
export function unbind(tx: Tx, hub: HubState, side: Side, at: number): void {
  const { id: productId, pairId } = hub.row;
  const keys = [...new Set([...hub.variants.values()].flatMap(searchKeys))];
  wakeClaimants(tx, pairId, { productId, side, keys }, at);
  wakeNamesakes(tx, pairId, productId, hub.row.title, at);
  const externalId = hub.bindings[side]?.externalId ?? null;
  if (externalId !== null) wakeRefusedFor(tx, pairId, side, externalId, at);
  deleteVariantBindings(tx, hub.row.id, side);
  deleteProductBinding(tx, hub.row.id, side);
}

/**
 * [S7] A record that is gone with its product, or comes back as another one: the history tells once that the product lost a record there. What is linked there
 * later is of the same goods.
 */
export function unbindLost(tx: Tx, view: PairView, hub: HubState, side: Side, at: number): void {
  const isTold = lostRecordOn(tx, hub.row.id, side);
  unbind(tx, hub, side, at);
  if (!isTold) recordGone(tx, view, hub, side, 'gone_too', at);
}

/** [M1] A record that is gone and was made again: no delete, and nothing is put away for it. The new one takes its place. */
export function unbindGone(tx: Tx, view: PairView, hub: HubState, side: Side, at: number): void {
  unbind(tx, hub, side, at);
  recordGone(tx, view, hub, side, 'gone', at);
}

function recordGone(tx: Tx, view: PairView, hub: HubState, side: Side, cause: 'gone' | 'gone_too', at: number): void {
  recordChange(tx, {
    ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: null, at },
    ...{ field: 'deleted', origin: side, target: null, from: false, to: true, cause },
  });
}
