import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { pair } from '../schema/pair.ts';

export type RecordState = 'level' | 'pending' | 'conflict' | 'failed' | 'unlinked' | 'deleted';
export type RecordStateCounts = Readonly<Record<RecordState, number>>;

export const STATE = `CASE
  WHEN product.state = 'deleted' THEN 'deleted'
  WHEN EXISTS (SELECT 1 FROM conflict c WHERE c.product_id = product.id AND c.state = 'open') THEN 'conflict'
  WHEN EXISTS (SELECT 1 FROM problem p WHERE p.product_id = product.id AND p.state = 'open' AND p.level = 'error') THEN 'failed'
  WHEN EXISTS (SELECT 1 FROM product_binding b WHERE b.product_id = product.id AND b.intent IS NOT NULL)
    OR EXISTS (SELECT 1 FROM variant_binding v WHERE v.product_id = product.id AND v.intent_key IS NOT NULL) THEN 'pending'
  WHEN (SELECT count(*) FROM product_binding b WHERE b.product_id = product.id AND b.external_id IS NOT NULL) < 2 THEN 'unlinked'
  ELSE 'level' END`;

/** The worst that can be said of a record, in the order in which a person should care. Costs several look-ups for each row that it is asked of. */
export const recordState = sql<RecordState>`${sql.raw(STATE)}`;

/** Records of a pair with something to be said of them: seldom many, and found by small indexes. */
const SPECIAL = `SELECT product_id FROM conflict WHERE pair_id = :pair AND state = 'open'
  UNION SELECT product_id FROM problem WHERE pair_id = :pair AND state = 'open' AND level = 'error' AND product_id IS NOT NULL
  UNION SELECT product_id FROM product_binding WHERE pair_id = :pair AND intent IS NOT NULL
  UNION SELECT product_id FROM variant_binding WHERE pair_id = :pair AND intent_key IS NOT NULL
  UNION SELECT id FROM product WHERE pair_id = :pair AND state = 'deleted'`;

const LINKED = `SELECT product_id FROM product_binding WHERE pair_id = :pair AND external_id IS NOT NULL
  GROUP BY product_id HAVING count(*) = 2`;

/** The records of a pair among which those of a state are to be looked for; null: among all. */
export function candidatesOf(state: RecordState | undefined, pairId: PairId): SQL | null {
  if (state === undefined || state === 'level') return null;
  const ids = state === 'unlinked' ? `SELECT id FROM product WHERE pair_id = :pair EXCEPT ${LINKED}` : SPECIAL;
  const parts = ids.split(':pair').map((part) => sql.raw(part));
  return sql.join(parts, sql`${pairId}`);
}

const total = rawStatement<[{ readonly pair: string }], { readonly n: number }>(
  'SELECT count(*) AS n FROM product WHERE pair_id = :pair',
);
const linked = rawStatement<[{ readonly pair: string }], { readonly n: number }>(
  `SELECT count(*) AS n FROM (${LINKED})`,
);
const special = rawStatement<
  [{ readonly pair: string }],
  { readonly state: RecordState; readonly n: number; readonly linked: number }
>(
  `SELECT ${STATE} AS state, count(*) AS n,
     sum((SELECT count(*) FROM product_binding b WHERE b.product_id = product.id AND b.external_id IS NOT NULL) = 2) AS linked
   FROM (${SPECIAL}) found JOIN product ON product.id = found.product_id WHERE product.pair_id = :pair GROUP BY 1`,
);

/** How many records of a workspace, or of one of its pairs, are in each state: without looking at every one of them. */
export function countStates(db: Db, workspaceId: WorkspaceId, pairId: string | undefined): RecordStateCounts {
  const counts = { level: 0, pending: 0, conflict: 0, failed: 0, unlinked: 0, deleted: 0 };
  for (const id of pairsOf(db, workspaceId, pairId)) {
    let rest = total(db).get({ pair: id })?.n ?? 0;
    let level = linked(db).get({ pair: id })?.n ?? 0;
    for (const row of special(db).all({ pair: id })) {
      counts[row.state] += row.n;
      rest -= row.n;
      level -= row.linked;
    }
    counts.level += level;
    counts.unlinked += rest - level;
  }
  return counts;
}

export function pairsOf(db: Db, workspaceId: WorkspaceId, pairId: string | undefined): readonly PairId[] {
  const one = pairId === undefined ? undefined : eq(pair.id, pairId as PairId);
  const rows = db.query
    .select({ id: pair.id })
    .from(pair)
    .where(and(eq(pair.workspaceId, workspaceId), one))
    .all();
  return rows.map(({ id }) => id);
}
