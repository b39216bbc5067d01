import { mayFollow } from '../../core/direction.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { type HubState, loadHub } from '../../engine/hub.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { isDeleteOpen } from './told.ts';
import type { World } from './world.ts';

/** [V4] A variant that was removed on one side is on sale no longer on the other, whatever cut off the pass that was to put it away; or a person knows. */
export function checkRemoved(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const { settings } = world;
  if (!settings.syncProducts || settings.deletePolicy !== 'archive') return [];
  return ids.flatMap((id) => {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.state !== 'live' || isDeleteOpen(world, id)) return [];
    return SIDES.filter((side) => mayFollow(side, settings)).flatMap((side) => leftOn(world, hub, side));
  });
}

function leftOn(world: World, hub: HubState, side: Side): readonly Violation[] {
  const { shelf } = world.shops[side];
  if (shelf.products.get(hub.bindings[side]?.externalId ?? '')?.isTrashed !== false) return [];
  return [...hub.variantBindings[side].values()].flatMap(({ variantId, stockId }) => {
    if (hub.variants.get(variantId)?.stockState !== 'removed') return [];
    const item = shelf.items.get(stockId)?.variant;
    if (item === undefined || item.isArchived) return [];
    if (removal(world.db).get(hub.row.id, variantId)?.cause !== 'delete') return [];
    if (toldOf(world.db).get(variantId, `${hub.row.id}:${side}`) !== undefined) return [];
    const sku = hub.variants.get(variantId)?.sku;
    return [
      {
        invariant: 'I1 convergence',
        message: `${sku} (${variantId}) of ${hub.row.id} was removed, and is still on sale on ${side}`,
      },
    ];
  });
}

const removal = rawStatement<[productId: string, variantId: VariantId], { cause: string }>(
  "SELECT cause FROM change WHERE product_id = ? AND variant_id = ? AND field = 'deleted' ORDER BY seq DESC LIMIT 1",
);

const toldOf = rawStatement<[variant: string, record: string], { one: 1 }>(
  `SELECT 1 AS one FROM problem WHERE state = 'open'
   AND (code = 'VARIANT_REMOVED' AND subject = ? OR code = 'WRITE_REJECTED' AND subject = ?) LIMIT 1`,
);
