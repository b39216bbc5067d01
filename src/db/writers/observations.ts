import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
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
      isMatched: false,
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

const page = statement((query) =>
  query
    .select()
    .from(observation)
    .where(
      and(
        eq(observation.scanId, sql.placeholder('scanId')),
        eq(observation.side, sql.placeholder('side')),
        gt(observation.externalId, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(observation.externalId))
    .limit(100)
    .prepare(),
);

/** One keyset page of at most 100, by external id. */
export function pageObservations(
  db: Db,
  scanId: string,
  side: Side,
  after: string,
): readonly { readonly externalId: string; readonly isMatched: boolean; readonly snapshot: ProductSnapshot }[] {
  return page(db)
    .all({ scanId, side, after })
    .map((row) => ({
      externalId: row.externalId,
      isMatched: row.isMatched,
      snapshot: JSON.parse(row.snapshot) as ProductSnapshot,
    }));
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

const markMatched = statement((query) =>
  query
    .update(observation)
    .set({ isMatched: true })
    .where(
      and(
        eq(observation.scanId, sql.placeholder('scanId')),
        eq(observation.side, sql.placeholder('side')),
        eq(observation.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);

export function setMatched(tx: Tx, scanId: string, side: Side, externalId: string): void {
  markMatched(tx).run({ scanId, side, externalId });
}

export function clearMatched(tx: Tx, scanId: string): void {
  tx.query
    .update(observation)
    .set({ isMatched: false })
    .where(and(eq(observation.scanId, scanId), eq(observation.isMatched, true)))
    .run();
}

const portions = ['observation_key', 'observation'].map((table) =>
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
