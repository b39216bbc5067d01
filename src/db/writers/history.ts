import { and, eq, sql } from 'drizzle-orm';
import type { PairId, ProductId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { cachedInsert, cachedUpdate } from '../cached-update.ts';
import { type Db, statement, type Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { keptAnswer } from '../row-cache.ts';
import { type ChangeRow, type ConflictRow, conflict, type ProblemRow, problem } from '../schema/history.ts';

/** The history: every field that moved in the hub or that we wrote, with its cause. */
export function recordChange(tx: Tx, row: Omit<ChangeRow, 'seq'>): void {
  insertChange(tx).run(
    row.pairId,
    row.runId,
    row.productId,
    row.variantId,
    row.field,
    row.origin,
    row.target,
    JSON.stringify(row.from ?? null),
    JSON.stringify(row.to ?? null),
    row.cause,
    row.at,
  );
}

const insertChange = rawStatement<(string | number | null)[]>(
  'INSERT INTO change (pair_id, run_id, product_id, variant_id, field, origin, target, "from", "to", cause, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);

const deletedOn = rawStatement<[productId: string, side: string], { one: 1 }>(
  "SELECT 1 AS one FROM change WHERE product_id = ? AND field = 'deleted' AND variant_id IS NULL AND origin = ? LIMIT 1",
);

/** Whether a product ever lost a record of this side, as far back as the history is kept. */
export function lostRecordOn(db: Db, productId: ProductId, side: Side): boolean {
  return deletedOn(db).get(productId, side) !== undefined;
}

const lastFate = rawStatement<[productId: string, variantId: string], { field: string; at: number }>(
  `SELECT field, at FROM change WHERE product_id = ? AND variant_id = ?
   AND (field = 'deleted' AND cause = 'delete' OR field = 'status' AND "to" = '"archived"') ORDER BY seq DESC LIMIT 1`,
);

const toldRemoved = rawStatement<[pairId: string, subject: string, since: number], { one: 1 }>(
  "SELECT 1 AS one FROM problem WHERE pair_id = ? AND code = 'VARIANT_REMOVED' AND subject = ? AND last_at >= ? AND state = 'open' LIMIT 1",
);

/** Whether a variant was removed on one side since it was last put away on the other, and nobody is told that it stays there. */
export function isAwayOwed(
  db: Db,
  { pairId, productId, variantId }: { pairId: PairId; productId: ProductId; variantId: VariantId },
): boolean {
  const last = lastFate(db).get(productId, variantId);
  return last?.field === 'deleted' && toldRemoved(db).get(pairId, variantId, last.at) === undefined;
}

const guardedSince = rawStatement<[pairId: string, causes: string, since: number, except: string], { n: number }>(
  `SELECT count(DISTINCT product_id) AS n FROM change
   WHERE pair_id = ? AND cause IN (SELECT value FROM json_each(?)) AND at >= ? AND product_id <> ?`,
);

/** How many products of a pair, other than one, took a change of these causes since a moment. */
export function countGuarded(
  db: Db,
  pairId: PairId,
  causes: readonly string[],
  since: number,
  except: ProductId,
): number {
  return guardedSince(db).get(pairId, JSON.stringify(causes), since, except)?.n ?? 0;
}

const openConflictsOf = statement((query) =>
  query
    .select()
    .from(conflict)
    .where(and(eq(conflict.productId, sql.placeholder('productId')), eq(conflict.state, 'open')))
    .prepare(),
);

export function listOpenConflicts(db: Db, productId: ProductId): readonly ConflictRow[] {
  return keptAnswer(db, 'open', productId, 'conflicts', () => openConflictsOf(db).all({ productId }));
}

export function findConflict(db: Db, id: string): ConflictRow | null {
  return (
    db.query
      .select()
      .from(conflict)
      .where(eq(conflict.id, id as ConflictRow['id']))
      .get() ?? null
  );
}

export function insertConflict(tx: Tx, row: ConflictRow): void {
  cachedInsert(tx, conflict, row);
}

export function updateConflict(tx: Tx, id: ConflictRow['id'], set: Partial<ConflictRow>): void {
  cachedUpdate(tx, conflict, set, { id });
}

export type NewProblem = Omit<ProblemRow, 'id' | 'count' | 'state' | 'firstAt' | 'lastAt'>;

/** The same trouble is one row: repeated, it counts up. Returns true when it is new. */
export function raiseProblem(tx: Tx, id: ProblemRow['id'], row: NewProblem, at: number): boolean {
  const existing = findOpen(tx, row.code, row.subject, row.pairId);
  if (existing !== null) {
    const { level, message, remedy, details } = row;
    const said = { count: existing.count + 1, lastAt: at, level, message, remedy, details };
    cachedUpdate(tx, problem, said, { id: existing.id });
    return false;
  }
  cachedInsert(tx, problem, { ...row, id, count: 1, state: 'open', firstAt: at, lastAt: at });
  return true;
}

const openProblem = rawStatement<
  [code: string, subject: string, pair: string | null],
  Pick<ProblemRow, 'id' | 'count' | 'lastAt'>
>(
  "SELECT id, count, last_at AS lastAt FROM problem WHERE state = 'open' AND code = ? AND subject = ? AND pair_id IS ?",
);

function findOpen(
  db: Db,
  code: string,
  subject: string,
  pairId: PairId | null,
): Pick<ProblemRow, 'id' | 'count' | 'lastAt'> | null {
  return keptAnswer(
    db,
    'open',
    subject,
    `problem ${code} ${pairId}`,
    () => openProblem(db).get(code, subject, pairId) ?? null,
  );
}

const detailsOfOpen = rawStatement<[code: string, subject: string, pair: string | null], { details: string | null }>(
  "SELECT details FROM problem WHERE state = 'open' AND code = ? AND subject = ? AND pair_id IS ?",
);

/** What was noted with an open problem; null: there is none, or nothing was noted. */
export function findProblemDetails(db: Db, pairId: PairId, code: string, subject: string): unknown {
  return JSON.parse(detailsOfOpen(db).get(code, subject, pairId)?.details ?? 'null');
}

export function isProblemOpen(db: Db, pairId: PairId, code: string, subject: string): boolean {
  return findOpen(db, code, subject, pairId) !== null;
}

/** Whether a problem is open, and was raised for so long no more, ms. */
export function isProblemQuiet(
  db: Db,
  problem: { readonly pairId: PairId; readonly code: string; readonly subject: string },
  quietMs: number,
  now: number,
): boolean {
  const open = findOpen(db, problem.code, problem.subject, problem.pairId);
  // Of a clock that was ahead nothing is known.
  return open !== null && (open.lastAt <= now - quietMs || open.lastAt > now);
}

export function findProblem(db: Db, id: string): ProblemRow | null {
  return (
    db.query
      .select()
      .from(problem)
      .where(eq(problem.id, id as ProblemRow['id']))
      .get() ?? null
  );
}

const openProblemsOf = rawStatement<[product: string], OpenProblem>(
  "SELECT id, code, side, subject, message FROM problem WHERE product_id = ? AND state = 'open'",
);

export type OpenProblem = Pick<ProblemRow, 'id' | 'code' | 'side' | 'subject' | 'message'>;

/** A product's open problems, all codes. */
export function listOpenProblems(db: Db, productId: ProductId): readonly OpenProblem[] {
  return keptAnswer(db, 'open', productId, 'problems', () => openProblemsOf(db).all(productId));
}

/** A variant's stock is known for sure again. */
export function closeStockDoubts(tx: Tx, productId: ProductId, variantId: VariantId, at: number): void {
  for (const row of listOpenProblems(tx, productId))
    if (row.code === 'STOCK_DOUBT' && row.subject.startsWith(`${variantId}:`)) closeProblem(tx, row.id, at);
}

/** Closes a pair's problems of one code that were last raised before a moment. */
export function closeProblemsBefore(tx: Tx, pairId: PairId, code: string, before: number, at: number): void {
  closeBefore(tx).run(at, pairId, code, before);
}

const closeBefore = rawStatement<[at: number, pair: string, code: string, before: number]>(
  `UPDATE problem SET state = 'closed', last_at = ? WHERE pair_id = ? AND code = ? AND state = 'open' AND last_at < ?`,
);

/**
 * Closes a product's problems of these codes on this side (or all sides): what they were about works again.
 * `subject`: only those about it, or about a part of it (`subject:...`).
 */
export function closeProblems(
  tx: Tx,
  productId: ProductId,
  codes: readonly string[],
  side: Side | null,
  at: number,
  subject: string | null = null,
): void {
  for (const row of listOpenProblems(tx, productId)) {
    if (!codes.includes(row.code) || (side !== null && row.side !== side)) continue;
    if (subject !== null && row.subject !== subject && !row.subject.startsWith(`${subject}:`)) continue;
    closeProblem(tx, row.id, at);
  }
}

export function closeProblem(tx: Tx, id: ProblemRow['id'], at: number): void {
  cachedUpdate(tx, problem, { state: 'closed', lastAt: at }, { id });
}

/** What is noted with an open problem, for whoever deals with it. */
export function noteOnProblem(tx: Tx, id: ProblemRow['id'], details: unknown): void {
  cachedUpdate(tx, problem, { details }, { id });
}

/** Part of what an open problem is about is over: it is said anew, and counts up for nothing. */
export function sayAnew(
  tx: Tx,
  pairId: PairId,
  { code, subject }: Pick<ProblemRow, 'code' | 'subject'>,
  set: Partial<Pick<ProblemRow, 'message' | 'details'>>,
): void {
  const row = findOpen(tx, code, subject, pairId);
  if (row !== null) cachedUpdate(tx, problem, set, { id: row.id });
}

/** Closes by subject, for trouble that is not tied to a hub record. */
export function closeProblemsBySubject(tx: Tx, pairId: PairId | null, code: string, subject: string, at: number): void {
  const row = findOpen(tx, code, subject, pairId);
  if (row !== null) closeProblem(tx, row.id, at);
}

/** The record is there again, or is taken for deleted: a delete that was asked about, or decided and not yet acted on, is no question any more. */
export function forgetDelete(tx: Tx, productId: ProductId, side: Side, at: number): void {
  const rows = keptAnswer(tx, 'open', productId, `delete ${side}`, () => deleteInQuestion(tx).all(productId, side));
  for (const row of rows) {
    if (row.state === 'open') updateConflict(tx, row.id, { state: 'closed', resolution: 'met', closedAt: at });
    else updateConflict(tx, row.id, { resolution: 'lapsed' });
  }
}

const deleteInQuestion = rawStatement<[productId: string, side: string], Pick<ConflictRow, 'id' | 'state'>>(
  `SELECT id, state FROM conflict
   WHERE product_id = ? AND side = ? AND field = 'deleted' AND (state = 'open' OR resolution IN ('hub', 'remote'))`,
);

const deletesInQuestion = rawStatement<[pairId: string], { product_id: ProductId }>(
  `SELECT DISTINCT product_id FROM conflict
   WHERE pair_id = ? AND field = 'deleted' AND (state = 'open' OR resolution IN ('hub', 'remote'))`,
);

/** Products of a pair whose delete is asked about, or decided and not yet acted on. */
export function listDeletesInQuestion(db: Db, pairId: PairId): ReadonlySet<ProductId> {
  return new Set(
    deletesInQuestion(db)
      .all(pairId)
      .map((row) => row.product_id),
  );
}

const deleteDecided = rawStatement<[productId: string, side: string], Pick<ConflictRow, 'id' | 'resolution'>>(
  `SELECT id, resolution FROM conflict
   WHERE product_id = ? AND side = ? AND field = 'deleted' AND state = 'closed' AND resolution IN ('hub', 'remote')`,
);

/** What a person decided about a delete on one side, once: the decision is used up by being taken. */
export function takeDeleteDecision(tx: Tx, productId: ProductId, side: Side): 'keep' | 'delete' | null {
  const row = deleteDecided(tx).get(productId, side);
  if (row === undefined) return null;
  updateConflict(tx, row.id, { resolution: row.resolution === 'hub' ? 'kept' : 'deleted' });
  return row.resolution === 'hub' ? 'keep' : 'delete';
}
