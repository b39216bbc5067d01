import type { ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** A side showed one value of a field where the hub held another, and was to be put right, again and again. */
export interface PutRight {
  readonly side: Side;
  readonly field: string;
  readonly variantId: VariantId | null;
  /** JSON. */
  readonly from: string;
  readonly to: string;
}

const putRight = rawStatement<[product: string, since: number, times: number], PutRight>(
  `SELECT origin AS side, field, variant_id AS variantId, "from", "to" FROM change
   WHERE product_id = ? AND at > ? AND target IS NULL AND origin IS NOT NULL
   GROUP BY origin, field, variant_id, "from", "to" HAVING count(*) >= ?`,
);

/** What of a product was put right so many times or more since a moment (ms). */
export function listPutRight(db: Db, productId: ProductId, since: number, times: number): readonly PutRight[] {
  return putRight(db).all(productId, since, times);
}
