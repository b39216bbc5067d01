import type { ClaimedJob } from '../../model/job.ts';
import type { Db, Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface JobRequest {
  /** One job per key: a second request joins the first. */
  readonly key: string;
  readonly task: string;
  readonly groupKey: string;
  readonly payload: unknown;
  /** Lower goes first (`JOB_PRIORITY`). */
  readonly priority: number;
  /** Not before, ms. */
  readonly runAt: number;
}

/** A claimed row with what settling needs. */
export interface Claim extends ClaimedJob {
  readonly revision: number;
  readonly faults: number;
}

/** How one claimed row goes on. `forget`: it is done, unless it was asked for again meanwhile. */
export type Settlement =
  | { readonly type: 'forget'; readonly id: number; readonly revision: number }
  | {
      readonly type: 'again';
      readonly id: number;
      readonly runAt: number;
      readonly attempts: number;
      readonly faults: number;
      readonly error: string | null;
    };

/** Where work was asked for: in one lane, or (null) in whichever has some waiting. */
export type AskedFor = Pick<JobRequest, 'groupKey' | 'task'> | null;

const NOWHERE: readonly AskedFor[] = [];
/** By database, since the runner last looked: it wakes after the commit. */
const askedFor = new WeakMap<Db, AskedFor[]>();

function ask(tx: Tx, where: AskedFor): void {
  const known = askedFor.get(tx);
  if (known === undefined) askedFor.set(tx, [where]);
  else known.push(where);
}

/** Where work was asked for since the last call. What was rolled back is in it: a wake-up for nothing does no harm. */
export function takeAskedFor(db: Db): readonly AskedFor[] {
  const known = askedFor.get(db);
  if (known === undefined) return NOWHERE;
  askedFor.delete(db);
  return known;
}

const upsert = rawStatement<
  [key: string, task: string, group: string, payload: string, priority: number, runAt: number, dirtySince: number]
>(
  `INSERT INTO job (key, task, group_key, payload, priority, run_at, state, revision, attempts, faults, dirty_since)
   VALUES (?, ?, ?, ?, ?, ?, 'ready', 1, 0, 0, ?)
   ON CONFLICT (key) DO UPDATE SET
     payload = excluded.payload,
     revision = revision + 1,
     priority = min(priority, excluded.priority),
     run_at = CASE WHEN state = 'ready' AND attempts + faults > 0 THEN run_at ELSE min(run_at, excluded.run_at) END`,
);
const findPayload = rawStatement<[key: string], { payload: string }>('SELECT payload FROM job WHERE key = ?');

/**
 * Asks for work, in the transaction that caused it. One row per key: when it is there already, the payload is merged (or replaced, without
 * `merge`), the more urgent priority and the earlier time hold; a job that backs off after failures keeps its time.
 * A job that is being worked on right now runs once more after, not before `runAt`: so a task may ask for its own next turn.
 */
export function enqueueJob(tx: Tx, request: JobRequest, merge?: (old: unknown, next: unknown) => unknown): void {
  let { payload } = request;
  if (merge !== undefined) {
    const existing = findPayload(tx).get(request.key);
    if (existing !== undefined) payload = merge(JSON.parse(existing.payload), payload);
  }
  upsert(tx).run(
    request.key,
    request.task,
    request.groupKey,
    JSON.stringify(payload ?? null),
    request.priority,
    request.runAt,
    request.runAt,
  );
  ask(tx, request);
}

interface ClaimRow {
  readonly id: number;
  readonly key: string;
  readonly payload: string;
  readonly revision: number;
  readonly attempts: number;
  readonly faults: number;
}

const findDue = rawStatement<[group: string, task: string, priority: number, now: number, max: number], ClaimRow>(
  `SELECT id, key, payload, revision, attempts, faults FROM job
   WHERE state = 'ready' AND group_key = ? AND task = ? AND priority = ? AND run_at <= ? ORDER BY run_at, id LIMIT ?`,
);
// The time is put out of reach, so that the earliest time asked for while it is in work can be told from the one that was claimed.
const markExecuting = rawStatement<[id: number]>(
  `UPDATE job SET state = 'executing', run_at = ${Number.MAX_SAFE_INTEGER} WHERE id = ?`,
);

/** Takes up to `max` due jobs of one (group, task), the given priorities in order, and marks them as executing. */
export function claimJobs(
  tx: Tx,
  lane: { readonly groupKey: string; readonly task: string; readonly priorities: readonly number[] },
  nowMs: number,
  max: number,
): readonly Claim[] {
  const claims: Claim[] = [];
  for (const priority of lane.priorities) {
    const rows = findDue(tx).all(lane.groupKey, lane.task, priority, nowMs, max - claims.length);
    for (const row of rows) {
      markExecuting(tx).run(row.id);
      claims.push({ ...row, payload: JSON.parse(row.payload) });
    }
    if (claims.length >= max) break;
  }
  return claims;
}

const forget = rawStatement<[id: number, revision: number]>('DELETE FROM job WHERE id = ? AND revision = ?');
const renew = rawStatement<[id: number]>(
  `UPDATE job SET state = 'ready', dirty_since = run_at, attempts = 0, faults = 0, last_error = NULL WHERE id = ?`,
);
/** A row that was asked for again while in work knows for when. Who only waits (no error) gives way to that; who failed keeps its distance. */
const again = rawStatement<
  [
    error: string | null,
    runAt: number,
    sameRunAt: number,
    attempts: number,
    faults: number,
    sameError: string | null,
    id: number,
  ]
>(
  `UPDATE job SET state = 'ready', run_at = CASE WHEN ? IS NULL THEN min(run_at, ?) ELSE ? END,
     attempts = ?, faults = ?, last_error = ? WHERE id = ?`,
);

/** Ends a batch. What was asked for again while it was in work is ready at the time then asked for, with a clean record. */
export function settleJobs(tx: Tx, settlements: readonly Settlement[]): void {
  for (const settlement of settlements) {
    if (settlement.type === 'again') {
      const { runAt, attempts, faults, error, id } = settlement;
      again(tx).run(error, runAt, runAt, attempts, faults, error, id);
    } else if (forget(tx).run(settlement.id, settlement.revision).changes === 0) {
      renew(tx).run(settlement.id);
    }
  }
}

const release = rawStatement<[now: number]>(`UPDATE job SET state = 'ready', run_at = ? WHERE state = 'executing'`);

/** At start: whatever was executing when the process ended goes back at once. Returns how many. */
export function releaseOrphans(tx: Tx, nowMs: number): number {
  return release(tx).run(nowMs).changes;
}

const pull = rawStatement<[now: number, by: number, now: number]>(
  `UPDATE job SET run_at = max(?, run_at - ?) WHERE state = 'ready' AND run_at > ?`,
);

/** The clock was set back by `byMs`: what was to run by the old one is due so much sooner. */
export function pullJobs(tx: Tx, nowMs: number, byMs: number): number {
  ask(tx, null);
  return pull(tx).run(nowMs, byMs, nowMs).changes;
}

const deleteGroup = rawStatement<[group: string, max: number]>(
  `DELETE FROM job WHERE id IN (SELECT id FROM job WHERE state IN ('ready', 'executing') AND group_key = ? LIMIT ?)`,
);

/** Forgets the work of a group, at most `max` in one go: its pair is gone. A batch in flight ends without effect on the table. Returns how many. */
export function deleteJobs(tx: Tx, groupKey: string, max: number): number {
  return deleteGroup(tx).run(groupKey, max).changes;
}

const wake = rawStatement<[now: number, group: string]>(
  `UPDATE job SET run_at = min(run_at, ?) WHERE group_key = ? AND state IN ('ready', 'executing')`,
);

/** What waits in a group may start at once: its pair goes on. What is in work, and ends by waiting, does not wait either. */
export function wakeGroup(tx: Tx, groupKey: string, nowMs: number): void {
  wake(tx).run(nowMs, groupKey);
  ask(tx, null);
}

const calm = rawStatement<[priority: number, id: number, revision: number]>(
  `UPDATE job SET priority = ? WHERE id = ? AND revision = ?`,
);

/** These are less urgent than they were asked for, save where they were asked for again since they were listed. */
export function calmJobs(
  tx: Tx,
  jobs: readonly { readonly id: number; readonly revision: number }[],
  priority: number,
): void {
  for (const { id, revision } of jobs) calm(tx).run(priority, id, revision);
}

const wakeOne = rawStatement<[now: number, key: string]>(
  `UPDATE job SET run_at = min(run_at, ?) WHERE key = ? AND state IN ('ready', 'executing')`,
);

/** These jobs may start at once: what they waited for is free. One whose batch is still in work starts when that ends. */
export function wakeJobs(tx: Tx, keys: readonly string[], nowMs: number): void {
  for (const key of keys) wakeOne(tx).run(nowMs, key);
  ask(tx, null);
}
