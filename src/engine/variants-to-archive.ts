import { mayFollow } from '../core/direction.ts';
import type { Db } from '../db/database.ts';
import { listOpenProblems } from '../db/writers/history.ts';
import type { VariantId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { HubState } from './hub.ts';
import type { PairView } from './pair-view.ts';

/**
 * [V4] Variants of one side that were removed on the other (or are `leaving` just now) and are to be put away. Told by their bindings, which go
 * once the variant is not shown any more: so a request that failed or was never sent is made again by the next pass.
 */
export function variantsToArchive(
  view: PairView,
  hub: HubState,
  side: Side,
  leaving: readonly VariantId[] = [],
): readonly string[] {
  const { settings, connectors } = view;
  if (!connectors[side].capabilities.canArchiveVariant || settings.deletePolicy !== 'archive') return [];
  if (!settings.syncProducts || !mayFollow(side, settings)) return [];
  return [...hub.variantBindings[side].values()]
    .filter(({ variantId }) => hub.variants.get(variantId)?.stockState === 'removed' || leaving.includes(variantId))
    .map(({ externalId }) => externalId);
}

/**
 * [V4] Whether something stayed on a side only because the settings had it so, or the shop refused, of which a person was told, and is to be put away
 * now. Once: what is shown there again afterwards is what somebody there wants.
 */
export function hasLeftOver(db: Db, view: PairView, hub: HubState, side: Side): boolean {
  if (variantsToArchive(view, hub, side).length === 0) return false;
  const refused = `${hub.row.id}:${side}`;
  return listOpenProblems(db, hub.row.id).some(({ code, side: of, subject }) =>
    code === 'WRITE_REJECTED' ? subject === refused : code === 'VARIANT_REMOVED' && of === side,
  );
}
