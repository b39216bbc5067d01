import { rawStatement } from '../../db/raw-statement.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { World } from './world.ts';

// What somebody was told of, and has to see to: no invariant can hold there before that.

/** Paths of the fields that a target is known to show differently. */
export function driftOf(world: World, id: ProductId): readonly string[] {
  return driftsOf(world.db)
    .all(id)
    .map(({ subject }) => subject.slice(id.length + 1));
}

const driftsOf = rawStatement<[id: string], { subject: string }>(
  "SELECT subject FROM problem WHERE product_id = ? AND state = 'open' AND code = 'DRIFT'",
);

export function hasProblem(world: World, id: ProductId): boolean {
  return problemOf(world.db).get(id) !== undefined;
}

const problemOf = rawStatement<[id: string], { one: 1 }>(
  "SELECT 1 AS one FROM problem WHERE product_id = ? AND state = 'open' AND code NOT IN ('OVERSOLD', 'STOCK_DOUBT', 'STOCK_TRACKING_CHANGED', 'STOCK_TRACKING_DIFFERS', 'STOCK_ZERO_CONSENT', 'VARIANT_REMOVED', 'DRIFT')",
);

/** A record that was deleted on one side while somebody edited it on the other: nothing of it moves before a person has decided [G9]. */
export function isDeleteOpen(world: World, id: ProductId): boolean {
  return deletesOf(world.db).get(id) !== undefined;
}

const deletesOf = rawStatement<[id: string], { one: 1 }>(
  "SELECT 1 AS one FROM conflict WHERE product_id = ? AND state = 'open' AND field = 'deleted'",
);

/** [S11] A side that only receives stock shows another number by itself. */
export function isStockDrifting(world: World, variantId: VariantId): boolean {
  return stockDriftsOf(world.db).get(`${variantId}%`) !== undefined;
}

const stockDriftsOf = rawStatement<[subject: string], { one: 1 }>(
  "SELECT 1 AS one FROM problem WHERE code = 'DRIFT' AND state = 'open' AND subject LIKE ? LIMIT 1",
);

/** Products one of whose records was linked in the midst of the seed: its two sides met by the link rule, not by the rules for edits. */
export function metLate(world: World): ReadonlySet<string> {
  return new Set(
    lateOf(world.db)
      .all(world.linkedAt, world.linkedAt)
      .map(({ id }) => id),
  );
}

/** The records of those products, as `side id`. */
export function recordsMetLate(world: World): ReadonlySet<string> {
  const late = metLate(world);
  const rows = boundOf(world.db)
    .all()
    .filter(({ productId }) => late.has(productId));
  return new Set(rows.map(({ side, externalId }) => `${side} ${externalId}`));
}

/** [V5] Records of a side whose variants were deleted and added again on the other one, as `side id`: these have the values of who added them. */
export function recordsReAdded(world: World): ReadonlySet<string> {
  return new Set(
    readdedOf(world.db)
      .all()
      .map(({ side, externalId }) => `${side} ${externalId}`),
  );
}

const readdedOf = rawStatement<[], { side: string; externalId: string }>(
  `SELECT b.side, b.external_id AS externalId FROM change c JOIN was_bound b ON b.product_id = c.product_id AND b.side <> c.origin
   WHERE c.cause = 'restore' AND c.field = 'deleted' AND c.variant_id IS NOT NULL`,
);

/**
 * Products whose sides met while an area was switched off: the link rule has its say over that area's fields only when it is on again, and looks
 * like an ordinary edit of the side that it prefers.
 */
export function metBlind(world: World): ReadonlySet<string> {
  const isBlind = (at: number) =>
    world
      .settingsHeld(at)
      .some(({ syncProducts, syncPrices, syncInventory }) => !syncProducts || !syncPrices || !syncInventory);
  const rows = boundOf(world.db).all();
  return new Set(rows.flatMap(({ productId, at }) => (at > world.linkedAt && isBlind(at) ? [productId] : [])));
}

/** The record that a product had on a side at that time; null where it had none yet. */
export function boundAt(world: World, id: ProductId, side: Side, at: number): string | null {
  return lastOf(world.db).get(id, side, at)?.externalId ?? null;
}

/** The item that a variant had on a side at that time, whatever has taken its place since; null where it had none yet. */
export function itemAt(world: World, id: VariantId, side: Side, at: number): string | null {
  return itemsOf(world.db).get(id, side, at)?.stockId ?? null;
}

/** [R9] Whether a product was one side's own at that time: the other had none of it, or deleted it before this one brought it back. */
export function isOwnAt(world: World, id: ProductId, side: Side, at: number): boolean {
  const other = otherSide(side);
  const record = boundAt(world, id, other, at);
  if (record === null) return true;
  const fate = fateOf(world.db).get(id, at);
  if (fate?.cause !== 'restore' || fate.origin !== side) return false;
  const last = world.shops[other].shelf.ledger
    .of(record)
    .findLast((entry) => entry.at <= fate.at && ['delete', 'trash', 'restore'].includes(entry.kind));
  return last?.kind === 'delete' || last?.kind === 'trash';
}

const lateOf = rawStatement<[linkedAt: number, createdAfter: number], { id: string }>(
  'SELECT product_id AS id FROM was_bound WHERE at > ? UNION SELECT id FROM product WHERE created_at > ?',
);
const boundOf = rawStatement<[], { productId: string; side: string; externalId: string; at: number }>(
  'SELECT product_id AS productId, side, external_id AS externalId, at FROM was_bound',
);
const lastOf = rawStatement<[id: string, side: string, at: number], { externalId: string }>(
  'SELECT external_id AS externalId FROM was_bound WHERE product_id = ? AND side = ? AND at <= ? ORDER BY rowid DESC LIMIT 1',
);
const itemsOf = rawStatement<[id: string, side: string, at: number], { stockId: string }>(
  'SELECT stock_id AS stockId FROM was_item WHERE variant_id = ? AND side = ? AND at <= ? ORDER BY rowid DESC LIMIT 1',
);
const fateOf = rawStatement<[id: string, at: number], { cause: string; origin: string; at: number }>(
  "SELECT cause, origin, at FROM change WHERE product_id = ? AND field = 'deleted' AND variant_id IS NULL AND target IS NULL AND at <= ? ORDER BY seq DESC LIMIT 1",
);
