import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** One (group, task, priority) that has jobs waiting, and when the first of them is due, ms. */
export interface LaneHead {
  readonly groupKey: string;
  readonly task: string;
  readonly priority: number;
  readonly runAt: number;
}

// The time is part of the comparison so that the search lands behind the whole lane instead of walking through it.
const nextHead = rawStatement<[group: string, task: string, priority: number], LaneHead>(
  `SELECT group_key AS groupKey, task, priority, run_at AS runAt FROM job
   WHERE state = 'ready' AND (group_key, task, priority, run_at) > (?, ?, ?, ${Number.MAX_SAFE_INTEGER})
   ORDER BY group_key, task, priority, run_at LIMIT 1`,
);

/** The head of every lane. Walks the index from lane to lane: its cost grows with pairs and kinds of work, not with the backlog. */
export function listLaneHeads(db: Db): readonly LaneHead[] {
  const heads: LaneHead[] = [];
  const next = nextHead(db);
  let head = next.get('', '', Number.MIN_SAFE_INTEGER);
  while (head !== undefined) {
    heads.push(head);
    head = next.get(head.groupKey, head.task, head.priority);
  }
  return heads;
}

export interface OpenJob {
  readonly id: number;
  readonly payload: unknown;
  readonly revision: number;
  /** In work, and not asked for again since. */
  readonly isInWork: boolean;
  /** When it was asked for, ms. */
  readonly dirtySince: number;
}

// What is in work, and was not asked for again meanwhile, has its time out of reach.
const open = rawStatement<
  [group: string, task: string, priority: number, max: number],
  {
    readonly id: number;
    readonly payload: string;
    readonly revision: number;
    readonly isInWork: 0 | 1;
    readonly dirtySince: number;
  }
>(
  `SELECT id, payload, revision, run_at = ${Number.MAX_SAFE_INTEGER} AS isInWork, dirty_since AS dirtySince FROM job
   WHERE state IN ('ready', 'executing') AND group_key = ? AND task = ? AND priority = ? ORDER BY run_at, id LIMIT ?`,
);

/** What was asked for in one lane with one priority and is not done: what waits for its turn or its time, longest first, then what is in work. */
export function listOpenJobs(
  db: Db,
  { groupKey, task, priority }: Pick<LaneHead, 'groupKey' | 'task' | 'priority'>,
  max: number,
): readonly OpenJob[] {
  return open(db)
    .all(groupKey, task, priority, max)
    .map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown, isInWork: row.isInWork === 1 }));
}

export interface JobCount {
  readonly groupKey: string;
  readonly task: string;
  /** Due now. */
  readonly ready: number;
  /** Later: backing off, snoozed or scheduled. */
  readonly waiting: number;
  readonly executing: number;
  /** When the oldest of them was asked for, ms. */
  readonly oldestAt: number;
}

const count = rawStatement<[now: number, now: number], JobCount>(
  `SELECT group_key AS groupKey, task,
     sum(state = 'ready' AND run_at <= ?) AS ready,
     sum(state = 'ready' AND run_at > ?) AS waiting,
     sum(state = 'executing') AS executing,
     min(dirty_since) AS oldestAt
   FROM job GROUP BY group_key, task ORDER BY group_key, task`,
);

/** The queue by group and task. Reads every row, and is asked by tests alone. */
export function countJobs(db: Db, nowMs: number): readonly JobCount[] {
  return count(db).all(nowMs, nowMs);
}

export interface JobState {
  readonly id: number;
  readonly task: string;
  readonly groupKey: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly runAt: number;
  readonly state: 'ready' | 'executing';
  readonly attempts: number;
  readonly lastError: string | null;
}

const byKey = rawStatement<[key: string], JobState & { readonly payload: string }>(
  `SELECT id, task, group_key AS groupKey, payload, priority, run_at AS runAt, state, attempts, last_error AS lastError
   FROM job WHERE key = ?`,
);

/** The open job of that key, or null. */
export function findJob(db: Db, key: string): JobState | null {
  const row = byKey(db).get(key);
  return row === undefined ? null : { ...row, payload: JSON.parse(row.payload) };
}

const anyLate = rawStatement<[group: string, before: number], { one: 1 }>(
  `SELECT 1 AS one FROM job WHERE state IN ('ready', 'executing') AND group_key = ? AND dirty_since < ? LIMIT 1`,
);

/** Whether work of a group was asked for before a moment (ms) and is not done yet. */
export function hasLateJobs(db: Db, groupKey: string, before: number): boolean {
  return anyLate(db).get(groupKey, before) !== undefined;
}
