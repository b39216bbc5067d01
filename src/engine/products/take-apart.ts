import { pairUp, readUnder } from '../../core/variants.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { HubState } from '../hub.ts';
import { leads } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import { givenNow } from './given-variants.ts';
import { type Replaced, replacedVariants, withoutReplaced } from './replaced-variants.ts';

export function boundIds(hub: HubState, side: Side): ReadonlyMap<string, VariantId> {
  return new Map([...hub.variantBindings[side].values()].map((binding) => [binding.externalId, binding.variantId]));
}

/** [V5] The hub without what was removed and added again since the last look, or was given to another variant, and what comes back to it. */
export function takeApart(view: PairView, before: HubState, snapshots: Partial<PerSide<ProductSnapshot>>) {
  const given = givenNow(view, before, snapshots).map(
    ({ side, from }): Replaced => ({ side, id: from, isGiven: true }),
  );
  const hub = withoutReplaced(before, given);
  const found = replacedVariants(hub, snapshots);
  const parted = withoutReplaced(hub, found);
  const revived = revivedIn(view, parted, before, snapshots, found);
  const isBack = ({ id }: Replaced) =>
    revived.has(id) || SIDES.every((side) => found.some((own) => own.side === side && own.id === id));
  if (found.every(isBack)) return { hub: parted, replaced: [...given, ...found], revived };
  // Another one that was removed before bears the key as well: nobody can tell whose it is.
  return { hub, replaced: given, revived: revivedIn(view, hub, before, snapshots, []) };
}

/**
 * [V5] Removed on a side, still there on the other, and shown under the same key by the first again: it is the same variant, not a new one, which the
 * other side would refuse for as long as the old one is there. On a target only what it replaced itself: what its source removed does not come back.
 */
function revivedIn(
  view: PairView,
  hub: HubState,
  before: HubState,
  snapshots: Partial<PerSide<ProductSnapshot>>,
  replaced: readonly Replaced[],
): ReadonlySet<VariantId> {
  const revived = new Set<VariantId>();
  for (const side of SIDES) {
    const snapshot = snapshots[side];
    if (snapshot === undefined) continue;
    // What is given to another one in this very pass comes back as nobody else.
    const bound = boundIds(before, side);
    const isReplaced = (id: VariantId) => replaced.some((own) => own.side === side && own.id === id);
    const isLeft = (id: VariantId) => isThere(hub, otherSide(side), id, snapshots) || isReplaced(id);
    const mayComeBack = (id: VariantId) => leads(view, hub, side, snapshots) || isReplaced(id);
    const gone = [...hub.variants.values()].filter(
      ({ id, stockState }) =>
        stockState === 'removed' && !hub.variantBindings[side].has(id) && isLeft(id) && mayComeBack(id),
    );
    if (gone.length === 0) continue;
    const loose = snapshot.variants.filter(({ externalId }) => !bound.has(externalId));
    const known = gone.flatMap(({ id }) => {
      const fields = hub.row.data.variants[id];
      return fields === undefined ? [] : [{ item: id, fields }];
    });
    for (const id of pairUp(readUnder(hub.row.data.fields.optionNames, snapshot, loose), known).values())
      revived.add(id);
  }
  return revived;
}

/** Whether a side has a variant still: not where this reading does not show it any more, though nobody was told. */
function isThere(hub: HubState, side: Side, id: VariantId, snapshots: Partial<PerSide<ProductSnapshot>>): boolean {
  const bound = hub.variantBindings[side].get(id)?.externalId;
  const shown = snapshots[side];
  if (bound === undefined || shown === undefined || shown.trashed) return bound !== undefined;
  return shown.variants.some(({ externalId }) => externalId === bound);
}
