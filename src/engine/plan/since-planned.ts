import { findProductByExternal } from '../../db/readers/products.ts';
import { listKeyHolders } from '../../db/writers/observations.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { loadHub } from '../hub.ts';
import { keysOf } from '../matching/keys-of.ts';
import type { PairView } from '../pair-view.ts';
import { listNamesakes } from './plan-record.ts';

// What became of the records of a plan's item since the plan was made.

/** [M1] Whether the fresh listing shows a record that this one would have to be linked with instead. */
export function hasCounterpart(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): boolean {
  const side = sidesOf(snapshots)[0];
  const snapshot = side === undefined ? undefined : snapshots[side];
  if (side === undefined || snapshot === undefined) return false;
  return keysOf(ctx, view, side, snapshot).some(
    (key) => listKeyHolders(ctx.db, scanId, otherSide(side), key.type, key.value).length > 0,
  );
}

/** [M1] Whether the fresh listing shows an unlinked product with its title, where it would be made. */
export function hasNamesakes(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  title: string,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): boolean {
  const side = sidesOf(snapshots)[0];
  return side !== undefined && listNamesakes(ctx, view, scanId, side, title).length > 0;
}

/** [M5] Whether the records of an item stand for different products by now: linking them would tear another pair of records apart. */
export function isTaken(ctx: EngineContext, view: PairView, snapshots: Partial<PerSide<ProductSnapshot>>): boolean {
  const bound = sidesOf(snapshots).flatMap((side) => {
    const externalId = snapshots[side]?.externalId ?? '';
    return findProductByExternal(ctx.db, view.pair.id, side, externalId) ?? [];
  });
  return bound.some((id) =>
    sidesOf(snapshots).some((side) => {
      const own = loadHub(ctx.db, id)?.bindings[side]?.externalId;
      return typeof own === 'string' && own !== snapshots[side]?.externalId;
    }),
  );
}

/** [M1] Of two records that are to be one, and one of which is known at least, the one that joins the other; null: both are new, or one already. */
export function halfThatJoins(
  ctx: EngineContext,
  view: PairView,
  snapshots: Partial<PerSide<ProductSnapshot>>,
): { readonly side: Side; readonly externalId: string } | null {
  const { woocommerce, shopify } = snapshots;
  if (woocommerce === undefined || shopify === undefined) return null;
  const ids = { woocommerce: woocommerce.externalId, shopify: shopify.externalId };
  const [first, second] = SIDES.map((side) => findProductByExternal(ctx.db, view.pair.id, side, ids[side]));
  if (first === second) return null;
  const side = first === null ? 'woocommerce' : 'shopify';
  return { side, externalId: ids[side] };
}

/** The sides that it was read on. */
export function sidesOf(snapshots: Partial<PerSide<ProductSnapshot>>): readonly Side[] {
  return SIDES.filter((side) => snapshots[side] !== undefined);
}
