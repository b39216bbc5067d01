import { keepOptions, learnOptions } from '../../core/hide.ts';
import { type PerSide, SIDES } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { type HubState, isBound } from '../hub.ts';
import type { PairView } from '../pair-view.ts';

/**
 * [R17] At a first link options of a single variant are the hub's only where both sides can show them: those of a side that can't be rid of them, unless
 * the other can be given none. With more variants than one there have to be some.
 */
export function linkOptions(
  view: PairView,
  hub: HubState,
  data: CanonicalProduct,
  remotes: Partial<PerSide<CanonicalProduct>>,
  isLone: boolean,
): CanonicalProduct {
  let next = data;
  for (const side of SIDES) {
    const remote = remotes[side];
    const { loneOptions } = view.connectors[side].capabilities;
    if (remote === undefined || loneOptions === 'free') continue;
    const hasNone = remote.fields.optionNames.length === 0;
    if (isLone ? !isBound(hub, side) && loneOptions === 'kept' : !hasNone)
      next = hasNone ? keepOptions(next, remote) : learnOptions(next, remote);
  }
  return next;
}
