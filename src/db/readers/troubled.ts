import type { PairId, ProductId } from '../../model/ids.ts';
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
