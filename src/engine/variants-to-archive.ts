import { mayFollow } from '../core/direction.ts';
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
