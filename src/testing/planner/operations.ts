import type { SideWrite } from '../../core/reconciliation.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import { type Look, type Scene, send } from './model.ts';

/** One request of a round: the product's own fields, one variant's, a variant put away, or those that are new. */
export interface Operation {
  readonly isCreate: boolean;
  /** The scene once the store has it and that is noted. */
  readonly run: (scene: Scene) => Scene;
}

/** What one look asks of the sides that were read, in the order in which it is sent: side by side, removals first, new variants last. */
export function operationsOf(seen: Look, read: readonly Side[]): readonly Operation[] {
  return read.flatMap((side) => operationsOn(side, seen));
}

function operationsOn(side: Side, seen: Look): readonly Operation[] {
  const { fields = {}, variants = {}, newVariants = [] } = seen.reconciliation.sides[side]?.write ?? {};
  const change = (write: Partial<SideWrite>, archive: readonly string[] = []): Operation => ({
    isCreate: write.newVariants !== undefined,
    run: (scene) => send(scene, side, { fields: {}, variants: {}, newVariants: [], ...write }, archive),
  });
  const changed = Object.entries(variants) as [VariantId, Partial<VariantFields>][];
  return [
    ...(seen.archive[side] ?? []).map((externalId) => change({}, [externalId])),
    ...(Object.keys(fields).length > 0 ? [change({ fields })] : []),
    ...changed.map(([id, own]) => change({ variants: { [id]: own } })),
    // Among themselves they keep their order: it is the one in which a shop shows them.
    ...(newVariants.length > 0 ? [change({ newVariants })] : []),
  ];
}

/** The same operations in another order, which `seed` decides (Fisher and Yates, by a linear congruential generator). */
export function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const mixed = [...list];
  let state = seed;
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}
