import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { EventRow } from '../schema/machinery.ts';
import { limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export type ActivityKind = 'all' | 'orders' | 'products' | 'errors';

export interface ActivityFilter extends PageRequest {
  readonly filter?: ActivityKind | undefined;
  readonly pairId?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

const PRODUCT = /^(?:stock|product|field|conflict)/;
const ALWAYS_ERRORS = new Set(['problem', 'pair_halted', 'run_failed', 'plan_failed']);
const STORE_HEALTH = 'store_health_changed';
/** Progress is for progress bars, not for the history. */
const NEVER_SHOWN = new Set(['run_progress', 'plan_progress']);

/** Whether a filter lets events of a type through, all of them or some. */
function isOf(kind: ActivityKind, type: string): boolean {
  if (NEVER_SHOWN.has(type)) return false;
  if (kind === 'orders') return type.startsWith('order');
  if (kind === 'products') return PRODUCT.test(type);
  return kind === 'all' || ALWAYS_ERRORS.has(type) || type === STORE_HEALTH;
}

const isLostStore = "json_extract(payload, '$.status') = 'error'";

interface Range {
  readonly workspace: string;
  readonly above: number;
  readonly below: number;
  readonly max: number;
}

const COLUMNS = 'seq, workspace_id AS workspaceId, pair_id AS pairId, type, payload, at';
const PROGRESS = [...NEVER_SHOWN].map((type) => `'${type}'`).join(', ');
const inOrder = (order: 'ASC' | 'DESC') =>
  rawStatement<[Range], EventRow & { readonly payload: string }>(
    `SELECT ${COLUMNS} FROM event WHERE workspace_id = @workspace AND seq > @above AND seq < @below
       AND type NOT IN (${PROGRESS}) ORDER BY seq ${order} LIMIT @max`,
  );
const oldestFirst = inOrder('ASC');
const newestFirst = inOrder('DESC');
const bySeqs = rawStatement<[seqs: string], EventRow & { readonly payload: string }>(
  `SELECT ${COLUMNS} FROM event WHERE seq IN (SELECT value FROM json_each(?))`,
);

/**
 * Events of one type and one pair (or none) stand in the order of their numbers in the index. A list of several types, or of all pairs, takes the
 * first of each: nothing else of the journal, which is long, is looked at.
 */
const lane = (order: 'ASC' | 'DESC', where: string) =>
  rawStatement<[Range & { readonly type: string; readonly pair: string | null }], { readonly seq: number }>(
    `SELECT seq FROM event WHERE workspace_id = @workspace AND type = @type AND pair_id IS @pair
       AND seq > @above AND seq < @below ${where} ORDER BY seq ${order} LIMIT @max`,
  );
const lanes = { ASC: lane('ASC', ''), DESC: lane('DESC', '') };
const lostStores = { ASC: lane('ASC', `AND ${isLostStore}`), DESC: lane('DESC', `AND ${isLostStore}`) };

const nextType = rawStatement<[workspace: string, after: string], { readonly type: string | null }>(
  'SELECT min(type) AS type FROM event WHERE workspace_id = ? AND type > ?',
);
const nextPair = rawStatement<[workspace: string, type: string, after: string], { readonly pair: string | null }>(
  'SELECT min(pair_id) AS pair FROM event WHERE workspace_id = ? AND type = ? AND pair_id > ?',
);

/** The types of event that a workspace has, each by one look into the index. */
function* typesOf(db: Db, workspaceId: WorkspaceId): Generator<string> {
  for (let last = ''; ; ) {
    const type = nextType(db).get(workspaceId, last)?.type ?? null;
    if (type === null) return;
    yield type;
    last = type;
  }
}

/** The pairs that events of a type are about, also those that are gone, and null for those that are about none. */
function* pairsOf(db: Db, workspaceId: WorkspaceId, type: string): Generator<string | null> {
  yield null;
  for (let last = ''; ; ) {
    const pair = nextPair(db).get(workspaceId, type, last)?.pair ?? null;
    if (pair === null) return;
    yield pair;
    last = pair;
  }
}

/** Newest first; with `after`, oldest first from there. */
export function listActivity(db: Db, workspaceId: WorkspaceId, filter: ActivityFilter): Page<EventRow> {
  const limit = limitOf(filter);
  const order = filter.after === undefined ? 'DESC' : 'ASC';
  const place = placeOf(filter, 1)?.[0];
  const at = place === undefined ? [] : [Number(place)];
  const range: Range = {
    workspace: workspaceId,
    above: Math.max(filter.after ?? 0, ...(order === 'ASC' ? at : [])),
    below: Math.min(filter.before ?? Number.MAX_SAFE_INTEGER, ...(order === 'DESC' ? at : [])),
    max: limit + 1,
  };
  const kind = filter.filter ?? 'all';
  const isWhole = kind === 'all' && filter.pairId === undefined;
  const rows = isWhole
    ? (order === 'ASC' ? oldestFirst : newestFirst)(db).all(range)
    : bySeqs(db).all(JSON.stringify(findSeqs(db, workspaceId, kind, filter.pairId, order, range)));
  const sign = order === 'ASC' ? 1 : -1;
  const events = rows
    .map((row): EventRow => ({ ...row, payload: JSON.parse(row.payload) }))
    .sort((a, b) => sign * (a.seq - b.seq));
  return toPage(events, limit, (row) => [row.seq]);
}

/** The first numbers of a range that a filter lets through. */
function findSeqs(
  db: Db,
  workspaceId: WorkspaceId,
  kind: ActivityKind,
  pairId: string | undefined,
  order: 'ASC' | 'DESC',
  range: Range,
): readonly number[] {
  let found: number[] = [];
  let { above, below } = range;
  for (const type of typesOf(db, workspaceId)) {
    if (!isOf(kind, type)) continue;
    const statement = kind === 'errors' && type === STORE_HEALTH ? lostStores[order] : lanes[order];
    for (const pair of pairId === undefined ? pairsOf(db, workspaceId, type) : [pairId]) {
      const seqs = statement(db).all({ ...range, above, below, type, pair });
      if (seqs.length === 0) continue;
      found = [...found, ...seqs.map(({ seq }) => seq)].sort((a, b) => (order === 'ASC' ? a - b : b - a));
      if (found.length < range.max) continue;
      // What comes after these is on no page yet, whatever type it is of.
      found.length = range.max;
      const last = found[range.max - 1] ?? 0;
      if (order === 'ASC') below = last;
      else above = last;
    }
  }
  return found;
}

type Counted = [{ readonly workspace: string; readonly type: string; readonly pair: string | null }];
const counting = (where: string) =>
  rawStatement<Counted, { readonly n: number }>(
    `SELECT count(*) AS n FROM event WHERE workspace_id = @workspace AND type = @type ${where}`,
  );
const countOf = { pair: counting('AND pair_id = @pair'), workspace: counting('') };
const countLost = {
  pair: counting(`AND pair_id = @pair AND ${isLostStore}`),
  workspace: counting(`AND ${isLostStore}`),
};

/** How many events each filter lets through. Counted type by type, in an index alone: there are few types. */
export function countActivity(
  db: Db,
  workspaceId: WorkspaceId,
  { pairId }: Pick<ActivityFilter, 'pairId'>,
): Record<ActivityKind, number> {
  const scope = pairId === undefined ? 'workspace' : 'pair';
  const counts = { all: 0, orders: 0, products: 0, errors: 0 };
  for (const type of typesOf(db, workspaceId)) {
    if (NEVER_SHOWN.has(type)) continue;
    const of = { workspace: workspaceId, type, pair: pairId ?? null };
    const n = countOf[scope](db).get(of)?.n ?? 0;
    for (const kind of ['all', 'orders', 'products'] as const) if (isOf(kind, type)) counts[kind] += n;
    if (isOf('errors', type)) counts.errors += type === STORE_HEALTH ? (countLost[scope](db).get(of)?.n ?? 0) : n;
  }
  return counts;
}
