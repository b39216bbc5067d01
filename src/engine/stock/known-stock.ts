import type { VariantBindingRow } from '../../db/schema/product.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, loadHub } from '../hub.ts';
import { outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { noteReadError } from '../stores/store-state.ts';

/**
 * [S12] Records whose stock could not be read go on without it, as if it stood where it was last seen. What is new of them (a product, a variant)
 * waits: it would begin with a number that nobody has seen.
 */
export function goOnWithoutStock(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  for (const subject of subjects) {
    const unread = SIDES.filter((side) => subject.snapshots[side]?.stockUnread !== undefined);
    if (unread.length === 0 || subject.outcome !== null) continue;
    const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
    for (const side of unread) {
      const snapshot = subject.snapshots[side];
      if (snapshot?.stockUnread === undefined) continue;
      const failure = new ConnectorError('rejected', snapshot.stockUnread, { field: 'locationId' });
      noteReadError(ctx, view.stores[side], failure);
      if (hub !== null && isKnownWhole(hub, subject)) subject.snapshots[side] = withKnownStock(hub, side, snapshot);
      else subject.outcome ??= outcomeOfReadItem(failure);
    }
  }
}

/** Whether all that was read is known, and on both sides. */
function isKnownWhole(hub: HubState, { snapshots }: ProductSubject): boolean {
  return SIDES.every((side) => {
    const bound = byExternal(hub, side);
    const other = hub.variantBindings[otherSide(side)];
    return (snapshots[side]?.variants ?? []).every(({ externalId }) => {
      const id = bound.get(externalId)?.variantId;
      return id !== undefined && (other.has(id) || hub.variants.get(id)?.stockState === 'removed');
    });
  });
}

/** A reading with the stock that was last known where it could not be read itself; without variants that are not known yet. */
export function withKnownStock(hub: HubState, side: Side, snapshot: ProductSnapshot): ProductSnapshot {
  if (snapshot.stockUnread === undefined) return snapshot;
  const bound = byExternal(hub, side);
  const variants = snapshot.variants.flatMap((variant) => {
    const row = bound.get(variant.externalId);
    if (row === undefined) return [];
    return [{ ...variant, stock: { tracked: row.baseTracked, quantity: row.baseQuantity, stamp: null } }];
  });
  return { ...snapshot, variants };
}

function byExternal(hub: HubState, side: Side): ReadonlyMap<string, VariantBindingRow> {
  return new Map([...hub.variantBindings[side].values()].map((row) => [row.externalId, row]));
}
