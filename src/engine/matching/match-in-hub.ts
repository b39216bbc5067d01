import { mayLead } from '../../core/direction.ts';
import { type KeyHolders, type MatchResult, matchRecord, type RecordKey } from '../../core/match.ts';
import { findProduct, listBindings, listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import { listVariantsByGtin, listVariantsBySku } from '../../db/readers/products.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { keysOf } from './keys-of.ts';

/**
 * Hub records stand for both sides: those bound on the record's own side, unless that record is gone, are its rivals, the others its candidates.
 * `itself`: the one that it is known as.
 */
export function matchInHub(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  snapshot: ProductSnapshot,
  gone: ReadonlySet<ProductId> = new Set(),
  itself: ProductId | null = null,
): MatchResult {
  const isOwn = (id: ProductId) => isBoundOn(ctx, id, side) && !gone.has(id);
  const found = keysOf(ctx, view, side, snapshot).map((key) => ({
    key,
    ids: [...new Set(holdersOf(ctx, view, key))].filter((id) => id !== itself),
  }));
  const others = found.flatMap(({ key, ids }) => (key.type === 'mark' ? [] : ids.filter((id) => !isOwn(id))));
  const bearers = new Set(withoutGone(ctx, view, side, [...new Set(others)], gone));
  const holders: KeyHolders[] = found.map(({ key, ids }) => ({
    key,
    own: [snapshot.externalId, ...ids.filter(isOwn)],
    other: ids.filter((id) => !isOwn(id) && (key.type === 'mark' || bearers.has(id))),
  }));
  return matchRecord(snapshot.externalId, holders);
}

/** A create of ours that was not answered yet has no record there: what bears its mark is that record. */
function isBoundOn(ctx: EngineContext, id: ProductId, side: Side): boolean {
  return listBindings(ctx.db, id).some((binding) => binding.side === side && binding.externalId !== null);
}

export function rivalsOf(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  snapshot: ProductSnapshot,
): readonly ProductId[] {
  const ids = keysOf(ctx, view, side, snapshot).flatMap((key) => holdersOf(ctx, view, key));
  return [...new Set(ids)].filter((id) => isBoundOn(ctx, id, side));
}

/**
 * [R9] What was deleted at the source does not come back because its target has something alike. [M3] What is in no shop any more leaves its keys to
 * what is; it comes back where it alone bore them, and where several did nobody could say which of them it is.
 */
function withoutGone(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  ids: readonly ProductId[],
  gone: ReadonlySet<ProductId>,
): readonly ProductId[] {
  const isLive = (id: ProductId) => findProduct(ctx.db, id)?.state === 'live';
  // [G8] What was deleted here, by a target or before this side was one, and lives on at its source, is made again here.
  const isMissedHere = (id: ProductId) =>
    findProduct(ctx.db, id)?.deletedOn === side && isBoundOn(ctx, id, otherSide(side));
  if (!mayLead(side, view.settings)) return ids.filter((id) => isLive(id) || isMissedHere(id));
  const isSomewhere = (id: ProductId) =>
    listBindings(ctx.db, id).some((binding) => binding.externalId !== null && !(binding.side === side && gone.has(id)));
  const there = ids.filter((id) => isLive(id) || isSomewhere(id));
  return there.length > 0 || ids.length > 1 ? there : ids;
}

function holdersOf(ctx: EngineContext, view: PairView, key: RecordKey): readonly ProductId[] {
  switch (key.type) {
    case 'mark': {
      const marked = findProduct(ctx.db, key.value as ProductId);
      return marked !== null && marked.pairId === view.pair.id ? [marked.id] : [];
    }
    case 'sku':
      return bearersAmong(ctx, listVariantsBySku(ctx.db, view.pair.id, key.value));
    case 'barcode':
      return bearersAmong(ctx, listVariantsByGtin(ctx.db, view.pair.id, key.value));
    case 'handle':
      return [];
  }
}

/** [M3] What a removed variant was known by is nobody's key once no shop shows it: one that was split off bears it alone. */
function bearersAmong(ctx: EngineContext, variants: readonly VariantRow[]): readonly ProductId[] {
  return variants.flatMap(({ id, productId, stockState }) =>
    stockState === 'removed' && listBindingsOfVariant(ctx.db, id).length === 0 ? [] : [productId],
  );
}
