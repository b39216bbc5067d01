import type { PairId, ProductId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** Products of a pair that were deleted and whose counterpart was last known to show something else than the hub holds, as one that is still to be put away does. */
export function listPutAwayOwed(db: Db, pairId: PairId): readonly ProductId[] {
  return putAwayOwed(db)
    .all(pairId)
    .map((row) => row.id);
}

const putAwayOwed = rawStatement<[pair: string], { id: ProductId }>(
  `SELECT product.id FROM product JOIN product_binding ON product_binding.product_id = product.id
   WHERE product.pair_id = ? AND product.state = 'deleted' AND product.prior_status IS NOT NULL
   AND product_binding.side <> product.deleted_on AND product_binding.base IS NOT NULL AND product_binding.intent IS NULL`,
);
