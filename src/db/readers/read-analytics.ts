import type { WorkspaceId } from '../../model/ids.ts';
import type { RunStatus } from '../../model/run.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** What happened within one stretch of time. */
export interface AnalyticsBucket {
  /** Its beginning, ms. */
  readonly at: number;
  syncs: number;
  failedSyncs: number;
  /** Fields that were written on a side, live syncing included. */
  changes: number;
  conflicts: number;
  problems: number;
}

export interface AnalyticsRange {
  readonly workspaceId: WorkspaceId;
  /** '': all pairs. */
  readonly pairId: string;
  /** A multiple of `bucketMs`. */
  readonly since: number;
  readonly until: number;
  readonly bucketMs: number;
}

interface Counted {
  readonly bucket: number;
  readonly kind: string;
  readonly n: number;
}

const OF_PAIRS = 'pair_id IN (SELECT id FROM pair WHERE workspace_id = @workspaceId)';

/** Whole numbers are divided without a rest. */
function counting(table: string, at: string, where: string, kind = "''") {
  return rawStatement<[AnalyticsRange], Counted>(
    `SELECT ${at} / CAST(@bucketMs AS INTEGER) AS bucket, ${kind} AS kind, count(*) AS n FROM ${table}
     WHERE ${where} AND (@pairId = '' OR pair_id = @pairId) AND ${at} >= @since AND ${at} < @until GROUP BY 1, 2`,
  );
}

const runs = counting('run', 'started_at', 'workspace_id = @workspaceId', 'status');
const changes = counting('change', 'at', `target IS NOT NULL AND cause <> 'unanswered' AND ${OF_PAIRS}`);
const conflicts = counting('conflict', 'opened_at', OF_PAIRS);
const problems = counting('problem', 'first_at', 'workspace_id = @workspaceId');

/** A bucket for each stretch from `since` to `until`, oldest first, those in which nothing happened too. */
export function readAnalytics(db: Db, range: AnalyticsRange): readonly AnalyticsBucket[] {
  const { since, until, bucketMs } = range;
  const buckets = new Map<number, AnalyticsBucket>();
  for (let at = since; at < until; at += bucketMs) {
    buckets.set(at / bucketMs, { at, syncs: 0, failedSyncs: 0, changes: 0, conflicts: 0, problems: 0 });
  }
  const each = (rows: readonly Counted[], add: (bucket: AnalyticsBucket, row: Counted) => void): void => {
    for (const row of rows) {
      const bucket = buckets.get(row.bucket);
      if (bucket !== undefined) add(bucket, row);
    }
  };
  const failed: RunStatus = 'failed';
  each(runs(db).all(range), (bucket, { kind, n }) => {
    bucket.syncs += n;
    if (kind === failed) bucket.failedSyncs += n;
  });
  each(changes(db).all(range), (bucket, { n }) => {
    bucket.changes += n;
  });
  each(conflicts(db).all(range), (bucket, { n }) => {
    bucket.conflicts += n;
  });
  each(problems(db).all(range), (bucket, { n }) => {
    bucket.problems += n;
  });
  return [...buckets.values()];
}
