import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { findProduct } from '../../db/readers/hub-rows.ts';
import { listPutAwayOwed } from '../../db/readers/put-away.ts';
import { listTroubled } from '../../db/readers/troubled.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { closeProblem, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { updateProduct } from '../../db/writers/products.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { baseOf, loadHub } from '../hub.ts';
import { loadPairView } from '../pair-view.ts';
import { DELETED_FIELD } from '../products/handle-gone.ts';

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

/**
 * [T3][G8] A target begins to lead. What was deleted there before was told, and left on sale at its source: that stands, as with the policy `keep`.
 * Called before the new settings hold.
 */
export function keepSources(tx: Tx, pair: PairRow, next: PairSettings, at: number): void {
  const begins = SIDES.filter((side) => !mayLead(side, pair.settings) && mayLead(side, next));
  if (begins.length === 0) return;
  for (const productId of listTroubled(tx, pair.id)) {
    for (const { id, code, side, subject } of listOpenProblems(tx, productId)) {
      if (code !== 'DELETED_ON_TARGET' || side === null || !begins.includes(side) || subject !== productId) continue;
      const product = findProduct(tx, productId);
      if (product?.state !== 'live') continue;
      updateProduct(tx, productId, { state: 'deleted', deletedOn: side, priorStatus: null, updatedAt: at });
      recordChange(tx, {
        ...{ pairId: pair.id, runId: null, productId, variantId: null, field: DELETED_FIELD, origin: side },
        ...{ target: null, from: product.data.fields.status, to: null, cause: 'delete', at },
      });
      closeProblem(tx, id, at);
    }
  }
}
