import type { VariantId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

const sumSince = rawStatement<
  [ofProduct: string, variant: string, since: number],
  { units: number | null; moves: number }
>(
  `SELECT sum("to" - "from") AS units, count(*) AS moves FROM change
   WHERE product_id = (SELECT product_id FROM variant WHERE id = ?)
     AND variant_id = ? AND field = 'stock' AND origin IS NOT NULL AND target IS NULL AND at > ?`,
);

/** By how many units both stores together moved a variant's stock after a moment (ms), and in how many moves, as far as it was seen. */
export function sumOutsideStockChanges(db: Db, variantId: VariantId, since: number) {
  const row = sumSince(db).get(variantId, variantId, since);
  return { units: row?.units ?? 0, moves: row?.moves ?? 0 };
}

const linkedAnew = rawStatement<[ofProduct: string, variant: string], { at: number | null }>(
  `SELECT max(at) AS at FROM change
   WHERE product_id = (SELECT product_id FROM variant WHERE id = ?)
     AND variant_id = ? AND field = 'stock' AND cause = 'first_link'`,
);

/** When a variant's stock was last linked to another number than it had (ms); null: since its product is known it was not. */
export function stockLinkedAt(db: Db, variantId: VariantId): number | null {
  return linkedAnew(db).get(variantId, variantId)?.at ?? null;
}
