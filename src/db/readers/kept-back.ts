import type { PairId, ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface KeptBack {
  readonly id: VariantId;
  readonly productId: ProductId;
  /** What it goes by on this side. */
  readonly externalId: string;
  readonly quantity: number;
  /** What the side was last known to show; the less where a write of it has no answer yet. As much as `quantity` where nothing is kept back. */
  readonly shown: number;
}

/** A page of what a side has of a pair, in order of `externalId`, and how much of the stock that both sides have it shows less than the hub holds. */
export function pageKeptBack(db: Db, pairId: PairId, side: Side, after: string, limit: number): readonly KeptBack[] {
  return keptBackOf(db).all(pairId, side, after, limit);
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
const keptBackOf = rawStatement<[pair: string, side: string, after: string, limit: number], KeptBack>(
  `SELECT v.id, v.product_id AS productId, own.external_id AS externalId, v.quantity,
     CASE WHEN v.stock_state IN ('live', 'restored') AND own.base_tracked = 1
       AND EXISTS (SELECT 1 FROM variant_binding other WHERE other.variant_id = v.id AND other.side <> own.side)
     THEN min(v.quantity, ${SHOWN}) ELSE v.quantity END AS shown
   FROM (SELECT * FROM variant_binding WHERE pair_id = ? AND side = ? AND external_id > ? ORDER BY external_id LIMIT ?) own
   JOIN variant v ON v.id = own.variant_id ORDER BY own.external_id`,
);
