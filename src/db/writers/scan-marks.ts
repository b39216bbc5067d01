import type { PairId, ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db, Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

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

const missing = rawStatement<[pair: string, side: string, scan: number], { id: ProductId }>(
  `SELECT b.product_id AS id FROM product_binding b JOIN product p ON p.id = b.product_id
   WHERE b.pair_id = ? AND b.side = ? AND b.external_id IS NOT NULL AND b.seen_in_scan <= ? AND p.state = 'live'`,
);

/** Live products whose record on a side was last listed in scan `scanNumber` or before. */
export function listMissing(db: Db, pairId: PairId, side: Side, scanNumber: number): readonly ProductId[] {
  return missing(db)
    .all(pairId, side, scanNumber)
    .map((row) => row.id);
}
