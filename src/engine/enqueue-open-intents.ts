import type { Tx } from '../db/database.ts';
import { listOpenIntents } from '../db/readers/products.ts';
import type { PairId } from '../model/ids.ts';
import { enqueueProductSync } from './enqueue.ts';

/** [W4] A write whose fate is not known has a job that settles it, however the run that sent it ended. */
export function enqueueOpenIntents(tx: Tx, pairId: PairId, now: number): void {
  for (const { productId, side, fencedUntil } of listOpenIntents(tx, pairId))
    enqueueProductSync(tx, pairId, { ref: { productId }, observe: [side] }, Math.max(now, fencedUntil ?? 0) + 1);
}
