import type { Tx } from '../db/database.ts';
import { listVariantsBySku } from '../db/readers/products.ts';
import { listOpenProblems } from '../db/writers/history.ts';
import type { PairId, ProductId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import { wakeAmbiguous } from './ambiguous.ts';
import { enqueueProductSync } from './enqueue.ts';

/**
 * [B1] A record has given up its SKU on a side: who was refused that SKU there, and still wants it, is tried again. A person who does what the problem
 * asks for need not wait for the next full look.
 */
export function wakeClaimants(
  tx: Tx,
  pairId: PairId,
  freed: { readonly productId: ProductId; readonly side: Side; readonly sku: unknown },
  at: number,
): void {
  if (typeof freed.sku !== 'string' || freed.sku.trim() === '') return;
  wakeAmbiguous(tx, pairId, freed.sku.trim(), at);
  for (const { productId } of listVariantsBySku(tx, pairId, freed.sku.trim())) {
    const isRefused = listOpenProblems(tx, productId).some(
      ({ code, side }) => code === 'WRITE_REJECTED' && side === freed.side,
    );
    if (productId !== freed.productId && isRefused)
      enqueueProductSync(tx, pairId, { ref: { productId }, observe: [freed.side] }, at);
  }
}
