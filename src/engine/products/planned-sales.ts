import type { Tx } from '../../db/database.ts';
import { recordChange } from '../../db/writers/history.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

type PlannedSales = Readonly<Record<VariantId, string>>;

/** [R15] Planned sales of a side's variants that are written a price: it may end them, and no field shows them. */
export function plannedSales(
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
  written: readonly (readonly [VariantId, Partial<VariantFields>])[],
): { readonly plannedSales?: PlannedSales } {
  const shown = new Map(snapshot.variants.map(({ externalId, plannedSale }) => [externalId, plannedSale]));
  const planned = written.flatMap(([id, { price }]) => {
    const text = shown.get(hub.variantBindings[side].get(id)?.externalId ?? '');
    return price === undefined || text === undefined ? [] : [[id, text] as const];
  });
  return planned.length === 0 ? {} : { plannedSales: Object.fromEntries(planned) as PlannedSales };
}

/** [R15] Those that a write has ended, by what the side shows after it, stand in the history: what was planned, and for when. */
export function recordEnded(
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  intent: ProductIntent,
  snapshot: ProductSnapshot,
  at: number,
): void {
  if (intent.type !== 'update') return;
  for (const [id, from] of Object.entries(intent.plannedSales ?? {}) as [VariantId, string][]) {
    const externalId = hub.variantBindings[side].get(id)?.externalId;
    const shown = snapshot.variants.find((variant) => variant.externalId === externalId);
    if (intent.variants[id]?.price === undefined || shown === undefined || shown.plannedSale === from) continue;
    recordChange(tx, {
      ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: id, field: 'plannedSale' },
      ...{ origin: null, target: side, from, to: shown.plannedSale ?? null, cause: 'written', at },
    });
  }
}
