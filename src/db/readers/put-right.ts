import type { ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** A side showed one value of a field where the hub held another: `from` became `to`, in the hub or (`enforced`) on that side. */
export interface PutRight {
  readonly side: Side;
  readonly field: string;
  readonly variantId: VariantId | null;
  /** JSON. */
  readonly from: string;
  readonly to: string;
  readonly times: number;
  /** How often of these the side was written over. */
  readonly enforced: number;
}

/** A field that one side has moved after the other again and again, and the last of these moves, ms. */
export interface Restless {
  readonly field: string;
  readonly variantId: VariantId | null;
  readonly last: Side;
  readonly lastAt: number;
}

/** From the newest row back to the first that is older: the history of a product can be long. */
const putRight = rawStatement<[product: string, since: number, same: string, until: number, times: number], PutRight>(
  `SELECT origin AS side, field, variant_id AS variantId, "from", "to", count(*) AS times, sum(cause = 'enforced') AS enforced FROM change
   WHERE product_id = ? AND at > ? AND target IS NULL AND origin IS NOT NULL
     AND seq > coalesce((SELECT seq FROM change WHERE product_id = ? AND at <= ? ORDER BY seq DESC LIMIT 1), 0)
   GROUP BY origin, field, variant_id, "from", "to" HAVING count(*) >= ? OR enforced > 0`,
);

const restless = rawStatement<
  [product: string, since: number, same: string, until: number, turns: number],
  Restless & { readonly seq: number }
>(
  `SELECT field, variant_id AS variantId, origin AS last, at AS lastAt, max(seq) AS seq FROM (
     SELECT field, variant_id, origin, at, seq, lag(origin) OVER (PARTITION BY field, variant_id ORDER BY seq) AS before FROM change
     WHERE product_id = ? AND at > ? AND target IS NULL AND origin IS NOT NULL AND cause NOT IN ('kept_hub', 'enforced')
       AND seq > coalesce((SELECT seq FROM change WHERE product_id = ? AND at <= ? ORDER BY seq DESC LIMIT 1), 0)
   ) GROUP BY field, variant_id HAVING sum(origin <> before) >= ?`,
);

const numberPutRight = rawStatement<
  [product: string, variant: string, side: string, from: string, to: string, since: number],
  { n: number }
>(
  `SELECT count(*) AS n FROM change WHERE product_id = ? AND variant_id = ? AND field = 'stock' AND cause = 'enforced'
   AND origin = ? AND "from" = ? AND "to" = ? AND at > ?`,
);

/** How often since a moment (ms) a side made one stock number out of another, and was to be put right. */
export function countNumberPutRight(
  db: Db,
  { productId, id }: { readonly productId: ProductId; readonly id: VariantId },
  side: Side,
  { from, to }: { readonly from: number; readonly to: number },
  since: number,
): number {
  return numberPutRight(db).get(productId, id, side, JSON.stringify(from), JSON.stringify(to), since)?.n ?? 0;
}

/** What became what of a product's fields since a moment (ms), so many times or more, and what of it was put right at all. */
export function listPutRight(db: Db, productId: ProductId, since: number, times: number): readonly PutRight[] {
  return putRight(db).all(productId, since, productId, since, times);
}

/** Fields of a product that have been moved by one side after the other so many times or more since a moment (ms). */
export function listRestless(db: Db, productId: ProductId, since: number, turns: number) {
  return restless(db).all(productId, since, productId, since, turns);
}
