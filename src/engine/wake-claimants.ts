import type { Tx } from '../db/database.ts';
import { listVariantsByKey } from '../db/readers/products.ts';
import { listRefusedFor } from '../db/readers/troubled.ts';
import { listOpenProblems } from '../db/writers/history.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { PairId, ProductId } from '../model/ids.ts';
import { otherSide, type Side } from '../model/platform.ts';
import { type SearchKey, searchKeys } from '../model/search-key.ts';
import { enqueueProductSync } from './enqueue.ts';
import { loadHub } from './hub.ts';
import { wakeAmbiguous } from './matching/ambiguous.ts';
import { onlySideOf } from './matching/only-side.ts';

/**
 * [B1] A record has given up a SKU or a GTIN on a side: who was refused it there, and still wants it, is tried again; and so is who has no counterpart
 * [M3]. A person who does what the problem asks for need not wait for the next full look.
 */
export function wakeClaimants(
  tx: Tx,
  pairId: PairId,
  freed: { readonly productId: ProductId; readonly side: Side; readonly keys: readonly SearchKey[] },
  at: number,
): void {
  for (const key of freed.keys) {
    wakeAmbiguous(tx, pairId, key, at);
    for (const { productId } of listVariantsByKey(tx, pairId, key)) {
      if (productId === freed.productId) continue;
      const isRefused = listOpenProblems(tx, productId).some(
        ({ code, side }) => code === 'WRITE_REJECTED' && side === freed.side,
      );
      tryAgain(tx, pairId, productId, isRefused ? [freed.side] : [], at);
    }
  }
}

/**
 * [B1] A record of which we know nothing that could show what it gave up (a variant that was put away, a product that cannot be kept the same) has moved:
 * whoever was refused because of it, by the shop's own word, is tried again. It may have moved in any other way, each day a hundred times.
 */
export function wakeRefusedFor(tx: Tx, pairId: PairId, side: Side, externalId: string, at: number): void {
  for (const { productId, lastAt } of listRefusedFor(tx, pairId, side, externalId))
    tryAgain(tx, pairId, productId, [side], Math.max(at, lastAt + MINUTE_MS));
}

/** `refusedOn`: sides that refused it. What one side alone has is looked for on the other by what it shows. */
function tryAgain(tx: Tx, pairId: PairId, productId: ProductId, refusedOn: readonly Side[], at: number): void {
  const hub = loadHub(tx, productId);
  const alone = hub === null ? null : onlySideOf(tx, hub);
  // What is to be made is made of what its shop shows.
  const sources = refusedOn.flatMap((side) => (hub?.bindings[side] === undefined ? [otherSide(side)] : []));
  const observe = [...new Set([...refusedOn, ...sources, ...(alone === null ? [] : [alone])])];
  if (observe.length > 0) enqueueProductSync(tx, pairId, { ref: { productId }, observe }, at);
}

/** What a variant was found by as long as its field had this value: nothing where it is another field. */
export function keysOfField(field: string, value: unknown): readonly SearchKey[] {
  if (typeof value !== 'string' || (field !== 'sku' && field !== 'barcode')) return [];
  return searchKeys({ sku: '', barcode: '', [field]: value });
}
