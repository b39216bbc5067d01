import type { PairId, ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface KeptBack {
  readonly id: VariantId;
  readonly productId: ProductId;
  readonly quantity: number;
  /** What the side was last known to show; the less where a write of it has no answer yet. */
  readonly shown: number;
}

/** Stock of a pair that both sides have, and of which this one shows less than the hub holds. */
export function listKeptBack(db: Db, pairId: PairId, side: Side): readonly KeptBack[] {
  return keptBackOf(db).all(side, side, pairId);
}

/** Variants of a pair whose stock is not counted at present, and of which it is not said yet what is kept back. */
export function listResting(db: Db, pairId: PairId): readonly { readonly id: VariantId; readonly quantity: number }[] {
  return restingOf(db).all(pairId);
}

const restingOf = rawStatement<[pair: string], { id: VariantId; quantity: number }>(
  `SELECT id, quantity FROM variant
   WHERE pair_id = ? AND stock_state IN ('paused', 'relinking', 'removed') AND kept_back IS NULL`,
);

const SHOWN = 'min(own.base_quantity, coalesce(own.intent_to, own.base_quantity))';
const keptBackOf = rawStatement<[side: string, side: string, pair: string], KeptBack>(
  `SELECT v.id, v.product_id AS productId, v.quantity, ${SHOWN} AS shown
   FROM variant v
   JOIN variant_binding own ON own.variant_id = v.id AND own.side = ?
   JOIN variant_binding other ON other.variant_id = v.id AND other.side <> ?
   WHERE v.pair_id = ? AND v.stock_state IN ('live', 'restored') AND own.base_tracked = 1 AND v.quantity > ${SHOWN}`,
);
