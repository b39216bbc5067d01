import type { PairId, ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** Products of a pair about which a problem is open. */
export function listTroubled(db: Db, pairId: PairId): readonly ProductId[] {
  return troubledOf(db)
    .all(pairId)
    .map((row) => row.id);
}

const troubledOf = rawStatement<[pair: string], { id: ProductId }>(
  "SELECT DISTINCT product_id AS id FROM problem WHERE pair_id = ? AND state = 'open' AND product_id IS NOT NULL",
);

/** Products of a pair about which a person is asked to decide. */
export function listInConflict(db: Db, pairId: PairId): readonly ProductId[] {
  return inConflict(db)
    .all(pairId)
    .map((row) => row.id);
}

const inConflict = rawStatement<[pair: string], { id: ProductId }>(
  "SELECT DISTINCT product_id AS id FROM conflict WHERE pair_id = ? AND state = 'open'",
);

/** [S8] Variants of a pair whose stock waits for the consent that zero may be linked. */
export function listZeroAsked(db: Db, pairId: PairId): readonly VariantId[] {
  return zeroAsked(db)
    .all(pairId)
    .map((row) => row.subject);
}

const zeroAsked = rawStatement<[pair: string], { subject: VariantId }>(
  "SELECT DISTINCT subject FROM problem WHERE pair_id = ? AND state = 'open' AND code = 'STOCK_ZERO_CONSENT'",
);

/** Records that no product of a pair is known by, about which a problem is open that was not told again since. `subject`: `side:id`. */
export function listUnknownTroubled(
  db: Db,
  pairId: PairId,
  since: number,
): readonly { readonly side: Side; readonly subject: string }[] {
  return unknownTroubledOf(db).all(pairId, since);
}

const unknownTroubledOf = rawStatement<[pair: string, since: number], { side: Side; subject: string }>(
  `SELECT DISTINCT side, subject FROM problem
   WHERE pair_id = ? AND state = 'open' AND product_id IS NULL AND instr(subject, side || ':') = 1 AND last_at < ?`,
);

export interface RefusedProduct {
  readonly productId: ProductId;
  /** When it was refused last, ms. */
  readonly lastAt: number;
}

/** Products that a side refused because a record of its own stands in the way, by the shop's word; up to 20, found among 500 that are refused. */
export function listRefusedFor(db: Db, pairId: PairId, side: Side, externalId: string): readonly RefusedProduct[] {
  return refusedFor(db).all(pairId, side, `"conflictingId":${JSON.stringify(externalId)}`);
}

// Of thousands that are refused at once, as in an import, nobody gets one out of the way; a flood of signals must not read them all each time.
const refusedFor = rawStatement<[pair: string, side: string, detail: string], RefusedProduct>(
  `SELECT productId, lastAt FROM
     (SELECT product_id AS productId, last_at AS lastAt, side, details FROM problem INDEXED BY problem_open
      WHERE pair_id = ? AND state = 'open' AND code = 'WRITE_REJECTED' AND product_id IS NOT NULL LIMIT 500)
   WHERE side = ? AND instr(details, ?) > 0 LIMIT 20`,
);
