import type { Tx } from '../db/database.ts';
import { listPutAwayOwed } from '../db/readers/put-away.ts';
import type { PairRow } from '../db/schema/pair.ts';
import { updateProduct } from '../db/writers/products.ts';
import type { PairSettings } from '../model/pair.ts';
import { otherSide } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { baseOf, loadHub } from './hub.ts';
import { loadPairView } from './pair-view.ts';

/**
 * [T3][G8] From now on a delete leaves its counterpart as it is: so does one that was decided before and has not been carried out. Called before the new
 * settings hold.
 */
export function keepCounterparts(ctx: EngineContext, tx: Tx, pair: PairRow, next: PairSettings, at: number): void {
  if (next.deletePolicy !== 'keep' || pair.settings.deletePolicy === 'keep') return;
  const view = loadPairView(ctx, pair.id);
  if (view === null) return;
  for (const productId of listPutAwayOwed(tx, pair.id)) {
    const hub = loadHub(tx, productId);
    if (hub === null || hub.row.deletedOn === null || hub.row.priorStatus === null) continue;
    const side = otherSide(hub.row.deletedOn);
    const { data, priorStatus } = hub.row;
    const shown = baseOf(hub, side, view).fields.status;
    if (shown === view.connectors[side].represent(data).fields.status) continue;
    const fields = { ...data.fields, status: priorStatus };
    updateProduct(tx, productId, { priorStatus: null, data: { ...data, fields }, updatedAt: at });
  }
}
