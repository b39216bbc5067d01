import { and, eq, isNotNull, lte } from 'drizzle-orm';
import type { PairId, ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db, Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { product, productBinding } from '../schema/product.ts';

const setSeen = rawStatement<[scan: number, pair: string, side: string, externalIds: string]>(
  `UPDATE product_binding SET seen_in_scan = ?
   WHERE pair_id = ? AND side = ? AND external_id IN (SELECT value FROM json_each(?))`,
);

/** These records of a side were in complete listing number `scanNumber`. */
export function markSeen(tx: Tx, pairId: PairId, side: Side, externalIds: readonly string[], scanNumber: number): void {
  setSeen(tx).run(scanNumber, pairId, side, JSON.stringify(externalIds));
}

const isCutShort = rawStatement<[pair: string, scan: number], { n: number }>(
  'SELECT 1 AS n FROM run WHERE pair_id = ? AND scan_number > ? LIMIT 1',
);
const setBack = rawStatement<[scan: number, pair: string, above: number]>(
  'UPDATE product_binding SET seen_in_scan = ? WHERE pair_id = ? AND seen_in_scan > ?',
);

/**
 * What a listing showed that never came to its end counts as seen in the last complete one, number `scanNumber`: the next listing takes its
 * number, and must not find its marks.
 */
export function setBackMarks(tx: Tx, pairId: PairId, scanNumber: number): void {
  if (isCutShort(tx).get(pairId, scanNumber) !== undefined) setBack(tx).run(scanNumber, pairId, scanNumber);
}

/** Live products whose record on a side was last listed in scan `scanNumber` or before. */
export function listMissing(db: Db, pairId: PairId, side: Side, scanNumber: number): readonly ProductId[] {
  return db.query
    .select({ id: productBinding.productId })
    .from(productBinding)
    .innerJoin(product, eq(product.id, productBinding.productId))
    .where(
      and(
        eq(productBinding.pairId, pairId),
        eq(productBinding.side, side),
        isNotNull(productBinding.externalId),
        lte(productBinding.seenInScan, scanNumber),
        eq(product.state, 'live'),
      ),
    )
    .all()
    .map((row) => row.id);
}
