import type { PairId, ProductId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { RecordFilter } from './list-records.ts';
import { likeText, limitOf, type Page, placeOf, toPage } from './page.ts';
import { pairsOf, type RecordState, type RecordStateCounts, STATE } from './record-states.ts';
import { findRecordSummary, type RecordSummaryRow } from './record-summary.ts';

/** Records looked at in one go. A search looks at all of a shop, and nobody waits for that but who searches. */
const PORTION = 100;

interface Place {
  readonly at: number;
  readonly id: string;
}
interface Match extends Place {
  readonly state: RecordState;
}

const portionEnd = rawStatement<[Place & { readonly pair: string; readonly skip: number }], Place>(
  `SELECT updated_at AS at, id FROM product WHERE pair_id = :pair AND (updated_at, id) < (:at, :id)
   ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET :skip`,
);
const matches = rawStatement<
  [Place & { readonly pair: string; readonly q: string; readonly endAt: number; readonly endId: string }],
  Match
>(
  `SELECT updated_at AS at, id, ${STATE} AS state FROM product
   WHERE pair_id = :pair AND (updated_at, id) < (:at, :id) AND (updated_at, id) >= (:endAt, :endId)
     AND (title LIKE :q ESCAPE '\\' OR EXISTS (SELECT 1 FROM variant v WHERE v.product_id = product.id
       AND (v.sku LIKE :q ESCAPE '\\' OR v.barcode LIKE :q ESCAPE '\\')))
   ORDER BY updated_at DESC, id DESC`,
);

/**
 * Records whose title, SKU or barcode contains what was typed, newest change first, and how many of them are in each state. Reads a portion at a time;
 * `turn` is awaited in between.
 */
export async function searchRecords(
  db: Db,
  workspaceId: WorkspaceId,
  filter: RecordFilter & { readonly q: string },
  turn: () => Promise<unknown>,
): Promise<Page<RecordSummaryRow> & { readonly stateCounts: RecordStateCounts }> {
  const limit = limitOf(filter);
  const place = placeOf(filter, 2);
  const stateCounts = { level: 0, pending: 0, conflict: 0, failed: 0, unlinked: 0, deleted: 0 };
  const found: Match[] = [];
  for (const pairId of pairsOf(db, workspaceId, filter.pairId)) {
    let left = limit + 1;
    for await (const match of walk(db, pairId, likeText(filter.q), turn)) {
      stateCounts[match.state] += 1;
      const isWanted = filter.state === undefined || filter.state === match.state;
      if (left === 0 || !isWanted || !isBehind(match, place)) continue;
      found.push(match);
      left -= 1;
    }
  }
  found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const page = toPage(found, limit, (match) => [match.at, match.id]);
  const rows = page.rows.flatMap((match) => findRecordSummary(db, match.id as ProductId) ?? []);
  return { rows, nextCursor: page.nextCursor, stateCounts };
}

async function* walk(db: Db, pair: PairId, q: string, turn: () => Promise<unknown>): AsyncGenerator<Match> {
  let from: Place = { at: Number.MAX_SAFE_INTEGER, id: '' };
  for (;;) {
    const end = portionEnd(db).get({ pair, ...from, skip: PORTION - 1 });
    yield* matches(db).all({ pair, q, ...from, endAt: end?.at ?? -1, endId: end?.id ?? '' });
    if (end === undefined) return;
    from = end;
    await turn();
  }
}

function isBehind(match: Place, place: readonly (string | number)[] | null): boolean {
  if (place === null) return true;
  const [at = 0, id = ''] = place;
  return match.at < Number(at) || (match.at === at && match.id < String(id));
}
