import type { Db, Tx } from '../../db/database.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { closeProblem, listOpenProblems } from '../../db/writers/history.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { StockLimit } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { labelText } from './absorb-stock.ts';

/** Ids of the variants that a side does not count and yet does not sell without end, and why. */
export function limitedVariants(snapshot: ProductSnapshot | undefined): ReadonlyMap<string, StockLimit> {
  const limited = (snapshot?.variants ?? []).flatMap(({ externalId, stock }) =>
    stock.tracked || stock.limited === undefined ? [] : [[externalId, stock.limited] as const],
  );
  return new Map(limited);
}

/**
 * [S13] What a reading says of items that are not counted there: a person is told while the shop limits one, since the other shop either counts it
 * alone or sells it without end. (That it is counted closes the problem by itself.)
 */
export function noteLimits(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { snapshots }: Pick<ProductSubject, 'snapshots'>,
  hub: HubState,
): void {
  if (!view.settings.syncInventory) return;
  for (const side of SIDES) {
    const snapshot = snapshots[side];
    if (snapshot === undefined || snapshot.trashed || !hasUncounted(snapshot)) continue;
    const limited = limitedVariants(snapshot);
    const bound = hub.variantBindings[side];
    for (const problem of listOpenProblems(tx, hub.row.id)) {
      if (problem.code !== 'STOCK_LIMITED' || problem.side !== side) continue;
      const externalId = bound.get(problem.subject as VariantId)?.externalId ?? '';
      if (!limited.has(externalId)) closeProblem(tx, problem.id, ctx.clock.now());
    }
    if (limited.size === 0) continue;
    for (const { variantId, externalId } of bound.values()) {
      const limit = limited.get(externalId);
      const row = hub.variants.get(variantId);
      const other = hub.variantBindings[otherSide(side)].get(variantId);
      if (limit === undefined || other === undefined || row === undefined || row.stockState === 'removed') continue;
      tellLimited(ctx, tx, view, hub, side, row, limit, other.baseTracked);
    }
  }
}

function hasUncounted(snapshot: ProductSnapshot): boolean {
  return snapshot.variants.some(({ stock }) => !stock.tracked);
}

/** Whether `noteLimits` has anything to do for a record that is level: most have nothing. */
export function hasLimits(db: Db, hub: HubState, snapshot: ProductSnapshot): boolean {
  if (!hasUncounted(snapshot)) return false;
  return (
    limitedVariants(snapshot).size > 0 || listOpenProblems(db, hub.row.id).some(({ code }) => code === 'STOCK_LIMITED')
  );
}

/** The same of variants that are about to be made on `side`, as counted. */
export function tellOfNew(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  variants: readonly { readonly variantId: VariantId }[],
): void {
  const source = otherSide(side);
  const limited = limitedVariants(subject.snapshots[source]);
  if (limited.size === 0) return;
  for (const { variantId } of variants) {
    const row = hub.variants.get(variantId);
    const limit = limited.get(hub.variantBindings[source].get(variantId)?.externalId ?? '');
    if (row !== undefined && limit !== undefined) tellLimited(ctx, tx, view, hub, source, row, limit, true);
  }
}

/** `isCountedThere`: whether the other side counts the item. */
function tellLimited(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  variant: VariantRow,
  limit: StockLimit,
  isCountedThere: boolean,
): void {
  const label = labelText({ title: hub.row.title, sku: variant.sku });
  const about = { productId: hub.row.id, side, subject: variant.id };
  raise(ctx, tx, view, about, WORDS.stockLimited(side, label, limit, isCountedThere));
}
