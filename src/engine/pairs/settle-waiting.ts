import type { Tx } from '../../db/database.ts';
import { listInConflict, listZeroAsked } from '../../db/readers/troubled.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { askToRelink } from '../stock/relink-stock.ts';

/**
 * What waited for a person is decided by changed settings: a policy in the place of `manual` [R6] (a pair that is synced by hand waits for that, too), and the
 * consent that zero may be linked to stock [S8].
 */
export function settleWaiting(ctx: EngineContext, tx: Tx, pair: PairRow, next: PairSettings): void {
  const now = ctx.clock.now();
  const isDecided = pair.settings.conflictResolution === 'manual' && next.conflictResolution !== 'manual';
  if (isDecided && next.syncSchedule !== 'manual')
    for (const productId of listInConflict(tx, pair.id))
      enqueueProductSync(tx, pair.id, { ref: { productId }, observe: SIDES }, now);
  if (!pair.settings.allowZeroStockLink && next.allowZeroStockLink)
    for (const variantId of listZeroAsked(tx, pair.id)) askToRelink(ctx, tx, variantId);
}
