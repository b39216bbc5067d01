import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type HubState, isBound } from '../hub.ts';
import type { Decision } from '../products/decide.ts';

/**
 * [S7] Sides whose variants are joined, by this decision, by variants that somebody made on the other side. Their stock is counted before the two
 * numbers are linked. What we made there ourselves bears the number that we sent.
 */
export function joinedSides(hub: HubState, decision: Decision): readonly Side[] {
  return SIDES.filter((side) => {
    const other = otherSide(side);
    if (!isBound(hub, side) || !isBound(hub, other)) return false;
    const sent = hub.bindings[other]?.intent?.stock ?? {};
    return [...(decision.matches[other]?.known.keys() ?? [])].some(
      (id) =>
        hub.variantBindings[side].has(id) &&
        !hub.variantBindings[other].has(id) &&
        hub.variants.get(id)?.stockState !== 'removed' &&
        sent[id] === undefined,
    );
  });
}
