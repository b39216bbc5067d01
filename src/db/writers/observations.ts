import { and, count, eq, sql } from 'drizzle-orm';
import type { MatchKey } from '../../model/match.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { cachedInsert } from '../cached-update.ts';
import { type Db, statement, type Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { observation, observationKey, scanProgress } from '../schema/run.ts';

const insertObservation = statement((query) =>
  query
    .insert(observation)
    .values({
      scanId: sql.placeholder('scanId'),
      side: sql.placeholder('side'),
      externalId: sql.placeholder('externalId'),
      snapshot: sql.placeholder('snapshot'),
    })
    .onConflictDoUpdate({
      target: [observation.scanId, observation.side, observation.externalId],
      set: { snapshot: sql`excluded.snapshot` },
    })
    .prepare(),
);
const insertKey = statement((query) =>
  query
    .insert(observationKey)
    .values({
      scanId: sql.placeholder('scanId'),
      side: sql.placeholder('side'),
      type: sql.placeholder('type'),
      value: sql.placeholder('value'),
      externalId: sql.placeholder('externalId'),
    })
    .prepare(),
);
const deleteKeys = statement((query) =>
  query
    .delete(observationKey)
    .where(
      and(
        eq(observationKey.scanId, sql.placeholder('scanId')),
        eq(observationKey.side, sql.placeholder('side')),
        eq(observationKey.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);

/** Stores one record as a scan saw it, with what it can be matched by; a page that is read again after a crash replaces itself. */
export function storeObservation(
  tx: Tx,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  keys: readonly { readonly type: MatchKey; readonly value: string }[],
): void {
  insertObservation(tx).run({ scanId, side, externalId: snapshot.externalId, snapshot: JSON.stringify(snapshot) });
  deleteKeys(tx).run({ scanId, side, externalId: snapshot.externalId });
  for (const key of keys) insertKey(tx).run({ scanId, side, externalId: snapshot.externalId, ...key });
}

const byId = statement((query) =>
  query
    .select({ snapshot: observation.snapshot })
    .from(observation)
    .where(
      and(
        eq(observation.scanId, sql.placeholder('scanId')),
        eq(observation.side, sql.placeholder('side')),
        eq(observation.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);

export function findObservation(db: Db, scanId: string, side: Side, externalId: string): ProductSnapshot | null {
  const row = byId(db).get({ scanId, side, externalId });
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

const holders = statement((query) =>
  query
    .select({ externalId: observationKey.externalId })
    .from(observationKey)
    .where(
      and(
        eq(observationKey.scanId, sql.placeholder('scanId')),
        eq(observationKey.type, sql.placeholder('type')),
        eq(observationKey.value, sql.placeholder('value')),
        eq(observationKey.side, sql.placeholder('side')),
      ),
    )
    .limit(20)
    .prepare(),
);

/** Records of one side that carry a key; at most 20: more than one is ambiguous anyway. */
export function listKeyHolders(db: Db, scanId: string, side: Side, type: MatchKey, value: string): readonly string[] {
  return holders(db)
    .all({ scanId, side, type, value })
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
  cachedInsert(tx, scanProgress, { scanId, side, ...state }, ['scanId', 'side']);
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
