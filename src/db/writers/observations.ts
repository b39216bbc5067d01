import { and, count, eq } from 'drizzle-orm';
import type { MatchKey } from '../../model/match.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { cachedInsert } from '../cached-update.ts';
import type { Db, Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { observation, scanProgress } from '../schema/run.ts';

const insertObservation = rawStatement<[scanId: string, side: string, externalId: string, snapshot: string]>(
  `INSERT INTO observation (scan_id, side, external_id, snapshot) VALUES (?, ?, ?, ?)
   ON CONFLICT (scan_id, side, external_id) DO UPDATE SET snapshot = excluded.snapshot`,
);
const insertKey = rawStatement<[scanId: string, side: string, type: string, value: string, externalId: string]>(
  'INSERT INTO observation_key (scan_id, side, type, value, external_id) VALUES (?, ?, ?, ?, ?)',
);
const deleteKeys = rawStatement<[scanId: string, side: string, externalId: string]>(
  'DELETE FROM observation_key WHERE scan_id = ? AND side = ? AND external_id = ?',
);

/** Stores one record as a scan saw it, with what it can be matched by; a page that is read again after a crash replaces itself. */
export function storeObservation(
  tx: Tx,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  keys: readonly { readonly type: MatchKey | 'title'; readonly value: string }[],
): void {
  const { externalId } = snapshot;
  insertObservation(tx).run(scanId, side, externalId, JSON.stringify(snapshot));
  deleteKeys(tx).run(scanId, side, externalId);
  for (const { type, value } of keys) insertKey(tx).run(scanId, side, type, value, externalId);
}

const byId = rawStatement<[scanId: string, side: string, externalId: string], { snapshot: string }>(
  'SELECT snapshot FROM observation WHERE scan_id = ? AND side = ? AND external_id = ?',
);

export function findObservation(db: Db, scanId: string, side: Side, externalId: string): ProductSnapshot | null {
  const row = byId(db).get(scanId, side, externalId);
  return row === undefined ? null : (JSON.parse(row.snapshot) as ProductSnapshot);
}

const page = rawStatement<
  [scanId: string, side: string, after: string, max: number],
  { readonly externalId: string; readonly snapshot: string; readonly isMatched: number }
>(
  `SELECT external_id AS externalId, snapshot,
     EXISTS (SELECT 1 FROM observation_match m WHERE m.scan_id = o.scan_id AND m.side = o.side AND m.external_id = o.external_id) AS isMatched
   FROM observation o WHERE scan_id = ? AND side = ? AND external_id > ? ORDER BY external_id LIMIT ?`,
);
const PAGE_RECORDS_MAX = 100;
/** Of stored snapshots: a page is planned in one go, and takes as long as it has variants. */
const PAGE_CHARS_MAX = 250_000;

/** One keyset page by external id: at most 100 records, and fewer where they are large; at least one. */
export function pageObservations(
  db: Db,
  scanId: string,
  side: Side,
  after: string,
): readonly { readonly externalId: string; readonly isMatched: boolean; readonly snapshot: ProductSnapshot }[] {
  const rows: { externalId: string; isMatched: boolean; snapshot: ProductSnapshot }[] = [];
  let chars = 0;
  for (const { externalId, isMatched, snapshot } of page(db).iterate(scanId, side, after, PAGE_RECORDS_MAX)) {
    chars += snapshot.length;
    if (rows.length > 0 && chars > PAGE_CHARS_MAX) break;
    rows.push({ externalId, isMatched: isMatched === 1, snapshot: JSON.parse(snapshot) as ProductSnapshot });
  }
  return rows;
}

const holders = rawStatement<[scanId: string, type: string, value: string, side: string], { externalId: string }>(
  `SELECT external_id AS externalId FROM observation_key
   WHERE scan_id = ? AND type = ? AND value = ? AND side = ? LIMIT 20`,
);

/** Records of one side that carry a key; at most 20: more than one is ambiguous anyway. */
export function listKeyHolders(db: Db, scanId: string, side: Side, type: MatchKey, value: string): readonly string[] {
  return holders(db)
    .all(scanId, type, value, side)
    .map((row) => row.externalId);
}

const markMatched = rawStatement<[scanId: string, side: string, externalId: string]>(
  'INSERT OR IGNORE INTO observation_match (scan_id, side, external_id) VALUES (?, ?, ?)',
);

export function setMatched(tx: Tx, scanId: string, side: Side, externalId: string): void {
  markMatched(tx).run(scanId, side, externalId);
}

const forgetMatched = rawStatement<[scanId: string, max: number]>(
  'DELETE FROM observation_match WHERE rowid IN (SELECT rowid FROM observation_match WHERE scan_id = ? LIMIT ?)',
);

/** Takes matches of a scan back, at most `max` in one go. Returns how many. */
export function clearMatched(tx: Tx, scanId: string, max: number): number {
  return forgetMatched(tx).run(scanId, max).changes;
}

const portions = ['observation_match', 'observation_key', 'observation'].map((table) =>
  rawStatement<[scanId: string, max: number]>(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE scan_id = ? LIMIT ?)`,
  ),
);
const forgetProgress = rawStatement<[scanId: string]>('DELETE FROM scan_progress WHERE scan_id = ?');

/** Forgets what a scan observed, at most `max` rows in one go: all of a large shop stops everything for seconds. Returns how many. */
export function pruneObservations(tx: Tx, scanId: string, max: number): number {
  deleteScanState(tx, scanId);
  let left = max;
  for (const remove of portions) if (left > 0) left -= remove(tx).run(scanId, left).changes;
  return max - left;
}

export function deleteScanState(tx: Tx, scanId: string): void {
  forgetProgress(tx).run(scanId);
}

export interface ScanState {
  readonly resume: string | null;
  readonly count: number;
  readonly isComplete: boolean;
}

const scanState = rawStatement<[scanId: string, side: string], Omit<ScanState, 'isComplete'> & { isComplete: number }>(
  'SELECT resume, count, is_complete AS isComplete FROM scan_progress WHERE scan_id = ? AND side = ?',
);

export function findScanState(db: Db, scanId: string, side: Side): ScanState {
  const row = scanState(db).get(scanId, side);
  return row === undefined
    ? { resume: null, count: 0, isComplete: false }
    : { ...row, isComplete: row.isComplete === 1 };
}

export function setScanState(tx: Tx, scanId: string, side: Side, state: ScanState): void {
  const expected = expectedCount(tx).get(scanId, side)?.expected ?? null;
  cachedInsert(tx, scanProgress, { scanId, side, ...state, expected }, ['scanId', 'side']);
}

const expectedCount = rawStatement<[scanId: string, side: string], { expected: number | null }>(
  'SELECT expected FROM scan_progress WHERE scan_id = ? AND side = ?',
);

/**
 * How many records a listing has to show: what was `known` when it began, and not what was made since. A run that goes on after a crash would miss what
 * it made itself.
 */
export function expectListed(tx: Tx, scanId: string, side: Side, known: () => number): number {
  const before = expectedCount(tx).get(scanId, side)?.expected ?? null;
  if (before !== null) return before;
  const expected = known();
  cachedInsert(tx, scanProgress, { scanId, side, ...findScanState(tx, scanId, side), expected }, ['scanId', 'side']);
  return expected;
}

export function countObservations(db: Db, scanId: string, side: Side): number {
  return (
    db.query
      .select({ n: count() })
      .from(observation)
      .where(and(eq(observation.scanId, scanId), eq(observation.side, side)))
      .get()?.n ?? 0
  );
}
