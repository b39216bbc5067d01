import type { Tx } from '../../db/database.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { recordChange } from '../../db/writers/history.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { EngineContext } from '../context.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

/** [S7] The number that stock begins with once it is linked. */
export function setLinked(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  row: VariantRow,
  quantity: number,
): void {
  if (quantity === row.quantity) return;
  updateVariant(tx, row.id, { quantity });
  recordChange(tx, {
    ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: row.id, field: 'stock' },
    ...{ origin: null, target: null, from: row.quantity, to: quantity, cause: 'first_link', at: ctx.clock.now() },
  });
}
