import type { ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface FieldOfSide {
  readonly productId: ProductId;
  readonly variantId: VariantId | null;
  readonly field: string;
  readonly side: Side;
}

type Asked = [
  product: string,
  since: number,
  side: string,
  field: string,
  variant: string | null,
  from: string,
  to: string,
];

const putRight = rawStatement<Asked, { times: number }>(
  `SELECT count(*) AS times FROM change
   WHERE product_id = ? AND at > ? AND origin = ? AND target IS NULL AND field = ? AND variant_id IS ? AND "from" = ? AND "to" = ?`,
);

/** How often since a moment (ms) a side showed one value of a field where the hub held another, and was to be put right. */
export function countPutRight(db: Db, of: FieldOfSide, from: unknown, to: unknown, since: number): number {
  const values = [JSON.stringify(from), JSON.stringify(to)] as const;
  return putRight(db).get(of.productId, since, of.side, of.field, of.variantId, ...values)?.times ?? 0;
}
