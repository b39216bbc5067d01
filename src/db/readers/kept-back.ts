import type { PairId, ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface KeptBack {
  readonly id: VariantId;
  readonly productId: ProductId;
  readonly quantity: number;
  /** What the side was last known to show. */
  readonly shown: number;
}

/** Stock of a pair that both sides have, and of which this one shows less than the hub holds. */
export function listKeptBack(db: Db, pairId: PairId, side: Side): readonly KeptBack[] {
  return keptBackOf(db).all(side, side, pairId);
}

const keptBackOf = rawStatement<[side: string, side: string, pair: string], KeptBack>(
  `SELECT v.id, v.product_id AS productId, v.quantity, own.base_quantity AS shown
   FROM variant v
   JOIN variant_binding own ON own.variant_id = v.id AND own.side = ?
   JOIN variant_binding other ON other.variant_id = v.id AND other.side <> ?
   WHERE v.pair_id = ? AND v.stock_state IN ('live', 'restored') AND own.base_tracked = 1 AND v.quantity > own.base_quantity`,
);
