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

const setLooked = rawStatement<[scan: number, side: string, productIds: string]>(
  'UPDATE product_binding SET seen_in_scan = ? WHERE side = ? AND product_id IN (SELECT value FROM json_each(?))',
);

/** These deleted products were asked for by their record's id in scan `scanNumber`: the next turn is that of others. */
export function markLookedFor(tx: Tx, side: Side, productIds: readonly ProductId[], scanNumber: number): void {
  setLooked(tx).run(scanNumber, side, JSON.stringify(productIds));
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

// From the few that are deleted, whose index says all of a product that is asked here.
const missingDeleted = rawStatement<[side: string, pair: string, scan: number, max: number], { id: ProductId }>(
  `SELECT b.product_id AS id FROM product p JOIN product_binding b ON b.product_id = p.id AND b.side = ?
   WHERE p.pair_id = ? AND p.state = 'deleted' AND b.external_id IS NOT NULL AND NOT EXISTS
     (SELECT 1 FROM product_binding o WHERE o.product_id = p.id AND o.external_id IS NOT NULL AND o.seen_in_scan > ?)
   ORDER BY b.seen_in_scan, b.product_id LIMIT ?`,
);

/**
 * Up to `max` deleted products with a record on a side, no record of which on any side was listed, or looked for, since scan `scanNumber`: the longest
 * ago first.
 */
export function listMissingDeleted(
  db: Db,
  pairId: PairId,
  side: Side,
  scanNumber: number,
  max: number,
): readonly ProductId[] {
  return missingDeleted(db)
    .all(side, pairId, scanNumber, max)
    .map((row) => row.id);
}
