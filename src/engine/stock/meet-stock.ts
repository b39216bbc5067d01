import type { Tx } from '../../db/database.ts';
import { updateVariantBinding } from '../../db/writers/products.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { setLinked } from './set-linked.ts';

/**
 * [T2] While inventory is switched off nobody counts. What only one side has may be made on the other by this very pass, and begins there with what it
 * shows now: what was sold since it was first met is sold. Where a create there has left already, it was sent the number that was known then: what this side
 * shows since, and whether it counts at all (S6), is for the time when inventory is on. Returns the hub as it is then.
 */
export function meetStock(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
): HubState {
  if (view.settings.syncInventory || hub.row.state !== 'live') return hub;
  let isMoved = false;
  for (const side of SIDES) {
    const sent = hub.bindings[otherSide(side)]?.intent?.stock ?? {};
    const shown = new Map(subject.snapshots[side]?.variants.map((own) => [own.externalId, own.stock]));
    for (const binding of hub.variantBindings[side].values()) {
      const stock = shown.get(binding.externalId);
      const variant = hub.variants.get(binding.variantId);
      if (stock === undefined || variant === undefined || variant.stockState === 'removed') continue;
      if (binding.intentKey !== null || hub.variantBindings[otherSide(side)].has(variant.id)) continue;
      if (sent[variant.id] !== undefined) continue;
      if (binding.baseTracked === stock.tracked && (!stock.tracked || binding.baseQuantity === stock.quantity))
        continue;
      updateVariantBinding(tx, variant.id, side, { baseQuantity: stock.quantity, baseTracked: stock.tracked });
      setLinked(ctx, tx, view, hub, variant, stock.tracked ? stock.quantity : 0);
      isMoved = true;
    }
  }
  return isMoved ? (loadHub(tx, hub.row.id) ?? hub) : hub;
}
