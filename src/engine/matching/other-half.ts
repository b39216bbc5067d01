import type { MatchResult } from '../../core/match.ts';
import type { Tx } from '../../db/database.ts';
import { closeProblem, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { updateProduct, updateVariant } from '../../db/writers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type PerSide, type Side } from '../../model/platform.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { unbind } from '../products/unbind.ts';
import { matchInHub } from './match-in-hub.ts';
import { onlySideOf } from './only-side.ts';

/**
 * [M1] What is known of the other side alone, and this record leads to by its strongest key, now that one of the two was given the other's. `externalId`:
 * its hub id.
 */
export function otherHalf(
  ctx: EngineContext,
  view: PairView,
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
): MatchResult {
  const match = matchInHub(ctx, view, side, snapshot, new Set(), hub.row.id);
  if (match.is !== 'matched') return match;
  const half = loadHub(ctx.db, match.externalId as ProductId);
  return half !== null && onlySideOf(ctx.db, half) === otherSide(side) ? match : { is: 'alone' };
}

/**
 * [M1] In the transaction that binds its record to the other half: what it was known as ends, and is kept as a memory that nothing is matched with any more.
 */
export function endHalf(ctx: EngineContext, tx: Tx, view: PairView, { endedHalf, unknown }: ProductSubject): void {
  const hub = endedHalf === null ? null : loadHub(tx, endedHalf);
  if (hub === null || unknown === null) return;
  const { side } = unknown;
  const at = ctx.clock.now();
  unbind(tx, hub, side, at);
  for (const id of hub.variants.keys()) updateVariant(tx, id, { sku: '', barcode: '' });
  updateProduct(tx, hub.row.id, { state: 'deleted', deletedOn: side, priorStatus: null, updatedAt: at });
  for (const { id } of listOpenProblems(tx, hub.row.id)) closeProblem(tx, id, at);
  recordChange(tx, {
    ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: null, at },
    ...{ field: 'deleted', origin: side, target: null, from: false, to: true, cause: 'joined' },
  });
}

/** [M1] Its keys have moved in this pass: two that were given one key in the same moment had not heard of each other when each was looked at. */
export function wakeHalves(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  before: HubState,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): void {
  const hub = loadHub(tx, before.row.id);
  const side = hub === null ? null : onlySideOf(tx, hub);
  const snapshot = side === null ? undefined : snapshots[side];
  if (hub === null || side === null || snapshot === undefined || keysText(before) === keysText(hub)) return;
  const match = otherHalf(ctx, view, hub, side, snapshot);
  if (match.is !== 'matched') return;
  const half = { ref: { productId: match.externalId as ProductId }, observe: [otherSide(side)] };
  // Either of them may be the one that its shop's search does not show yet.
  for (const payload of [{ ref: { productId: hub.row.id }, observe: [side] }, half])
    enqueueProductSync(tx, view.pair.id, payload, ctx.clock.now());
}

function keysText({ variants }: HubState): string {
  return [...new Set([...variants.values()].flatMap(searchKeys))].sort().join('\n');
}
