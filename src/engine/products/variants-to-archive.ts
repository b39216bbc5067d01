import { mayFollow } from '../../core/direction.ts';
import type { Db } from '../../db/database.ts';
import { isAwayOwed, listOpenProblems } from '../../db/writers/history.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { baseOf, type HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

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
  const refused = refusedSubject(hub, side);
  return (
    listOpenProblems(db, hub.row.id).some(({ code, side: of, subject }) =>
      code === 'WRITE_REJECTED' ? subject === refused : code === 'VARIANT_REMOVED' && of === side,
    ) || isCutOff(db, view, hub, side)
  );
}

/**
 * [V4] Whether the pass that was to put something away ended before it could: the pair was halted or paused, or the server died. No base tells of
 * that, and the variant is bound to nothing on the other side any more.
 */
export function isCutOff(db: Db, view: PairView, hub: HubState, side: Side): boolean {
  const leaving = variantsToArchive(view, hub, side);
  if (leaving.length === 0) return false;
  const refused = refusedSubject(hub, side);
  if (listOpenProblems(db, hub.row.id).some(({ code, subject }) => code === 'WRITE_REJECTED' && subject === refused))
    return false;
  const ids = { pairId: view.pair.id, productId: hub.row.id };
  return [...hub.variantBindings[side].values()].some(
    ({ externalId, variantId }) => leaving.includes(externalId) && isAwayOwed(db, { ...ids, variantId }),
  );
}

/** [V4][G8] Whether what was left on a side of removed variants is on sale no more, because its whole product went: into the bin there, or put away with a delete. */
export function isAwayWithProduct(view: PairView, hub: HubState, side: Side): boolean {
  const { state, deletedOn, priorStatus } = hub.row;
  if (state !== 'deleted') return false;
  return deletedOn === side || (priorStatus !== null && baseOf(hub, side, view).fields.status !== 'active');
}

const refusedSubject = (hub: HubState, side: Side): string => `${hub.row.id}:${side}`;
