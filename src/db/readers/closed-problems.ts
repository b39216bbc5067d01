import type { PairId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { ProblemRow } from '../schema/history.ts';

const lastClosed = rawStatement<[pairId: string, subject: string, codes: string], Told & { details: string | null }>(
  `SELECT code, side, level, message, remedy, details FROM problem
   WHERE pair_id = ? AND subject = ? AND state = 'closed' AND code IN (SELECT value FROM json_each(?)) ORDER BY last_at DESC LIMIT 1`,
);

type Told = Pick<ProblemRow, 'code' | 'side' | 'level' | 'message' | 'remedy'>;

/** What a person was last told of these codes about a subject, and is not any more; null: nothing, or it is forgotten. */
export function findLastClosed(
  db: Db,
  pairId: PairId,
  codes: readonly string[],
  subject: string,
): (Told & { readonly details: unknown }) | null {
  const row = lastClosed(db).get(pairId, subject, JSON.stringify(codes));
  return row === undefined ? null : { ...row, details: JSON.parse(row.details ?? 'null') };
}
