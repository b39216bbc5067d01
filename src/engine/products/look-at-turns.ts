import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';

/** How long after a set time the record is read: its seconds are whole, and a store's clock may be some minutes behind ours. */
const LOOKS_MS = [5_000, 5 * MINUTE_MS];

/** [R18] Has the record read again when the next of its set times has come. Pairs with another schedule than realtime wait for their own hour. */
export function lookAtTurns(
  tx: Tx,
  view: PairView,
  productId: ProductId,
  side: Side,
  snapshot: ProductSnapshot,
  now: number,
): void {
  const { syncSchedule, syncPrices, syncProducts } = view.settings;
  // A price changes then, or whether the record is shown.
  const isOfUse = syncSchedule === 'realtime' && (syncPrices || syncProducts) && mayLead(side, view.settings);
  if (snapshot.turnsAt === undefined || !isOfUse) return;
  const looks = snapshot.turnsAt.flatMap((turn) => LOOKS_MS.map((wait) => turn + wait)).filter((at) => at > now);
  if (looks.length > 0)
    enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, Math.min(...looks));
}
