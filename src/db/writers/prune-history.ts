import type { PlanId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { pruneObservations } from './observations.ts';
import { prunePlanItems } from './runs.ts';

type Old = [before: number, max: number];

/** Numbers rise with time, so only the oldest rows are looked at. */
const forgetChanges = rawStatement<[max: number, before: number]>(
  'DELETE FROM change WHERE seq IN (SELECT seq FROM (SELECT seq, at FROM change ORDER BY seq LIMIT ?) WHERE at < ?)',
);

const forgetProblems = rawStatement<Old>(
  `DELETE FROM problem WHERE rowid IN (SELECT rowid FROM problem WHERE state = 'closed' AND last_at < ? LIMIT ?)`,
);

/** The newest run of a pair stays, however old: it says when the two shops were last compared. */
const oldRuns = rawStatement<Old, { id: string }>(
  `SELECT id FROM run WHERE started_at < ? AND finished_at IS NOT NULL
   AND EXISTS (SELECT 1 FROM run later WHERE later.pair_id = run.pair_id AND later.started_at > run.started_at) LIMIT ?`,
);
const forgetRunItems = rawStatement<[run: string, max: number]>(
  'DELETE FROM run_item WHERE rowid IN (SELECT rowid FROM run_item WHERE run_id = ? LIMIT ?)',
);
const forgetRun = rawStatement<[id: string]>('DELETE FROM run WHERE id = ?');

/** What a run has applied, or is applying, is as old as that run. */
const oldPlans = rawStatement<Old, { id: string }>(
  `SELECT id FROM plan WHERE status <> 'planning' AND created_at < ?
   AND NOT EXISTS (SELECT 1 FROM run WHERE run.pair_id = plan.pair_id AND run.plan_id = plan.id) LIMIT ?`,
);
const forgetPlanItems = rawStatement<[plan: string, max: number]>(
  'DELETE FROM plan_item WHERE rowid IN (SELECT rowid FROM plan_item WHERE plan_id = ? LIMIT ?)',
);
const forgetPlan = rawStatement<[id: string]>('DELETE FROM plan WHERE id = ?');

/** Forgets what moved in fields before `beforeMs`, at most `max` rows in one go. Returns how many. */
export function pruneChanges(tx: Tx, beforeMs: number, max: number): number {
  return forgetChanges(tx).run(max, beforeMs).changes;
}

/** Forgets problems that were over before `beforeMs`, at most `max` rows in one go. Returns how many. */
export function pruneProblems(tx: Tx, beforeMs: number, max: number): number {
  return forgetProblems(tx).run(beforeMs, max).changes;
}

/** Forgets runs that began before `beforeMs` and have ended, with what they did, at most `max` rows in one go. Returns how many. */
export function pruneRuns(tx: Tx, beforeMs: number, max: number): number {
  return pruneWhole(
    oldRuns(tx).all(beforeMs, max),
    (id, left) => forgetRunItems(tx).run(id, left).changes,
    (id) => forgetRun(tx).run(id),
    max,
  );
}

/** The same for plans that were made before `beforeMs` and that no run has applied, or none that is still known. */
export function prunePlans(tx: Tx, beforeMs: number, max: number): number {
  return pruneWhole(
    oldPlans(tx).all(beforeMs, max),
    (id, left) => forgetPlanItems(tx).run(id, left).changes,
    (id) => forgetPlan(tx).run(id),
    max,
  );
}

const uselessPlans = rawStatement<[], { id: PlanId }>(
  `SELECT id FROM plan WHERE status IN ('discarded', 'failed')
   AND (EXISTS (SELECT 1 FROM plan_item i WHERE i.plan_id = plan.id) OR EXISTS (SELECT 1 FROM observation o WHERE o.scan_id = plan.id))`,
);

/** Forgets what plans hold that nobody will apply any more, at most `max` rows in one go. Returns how many. */
export function pruneUselessPlans(tx: Tx, max: number): number {
  let left = max;
  for (const { id } of uselessPlans(tx).all()) {
    if (left > 0) left -= pruneObservations(tx, id, left);
    if (left > 0) left -= prunePlanItems(tx, id, left);
  }
  return max - left;
}

/** A head goes when none of its rows is left. */
function pruneWhole(
  heads: readonly { readonly id: string }[],
  forgetRows: (id: string, max: number) => number,
  forgetHead: (id: string) => void,
  max: number,
): number {
  let left = max;
  for (const { id } of heads) {
    left -= forgetRows(id, left);
    if (left <= 0) break;
    forgetHead(id);
    left -= 1;
    if (left <= 0) break;
  }
  return max - left;
}
