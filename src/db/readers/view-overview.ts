import { and, count, eq, gte } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { conflict, problem } from '../schema/history.ts';
import { pair } from '../schema/pair.ts';
import { run } from '../schema/run.ts';

export interface OverviewCounts {
  readonly openConflicts: number;
  readonly openProblems: number;
  readonly syncsSince: number;
}

/** The figures of the dashboard that are sums over a workspace. */
export function readOverviewCounts(db: Db, workspaceId: WorkspaceId, since: number): OverviewCounts {
  const one = (row: { n: number } | undefined) => row?.n ?? 0;
  return {
    openConflicts: one(
      db.query
        .select({ n: count() })
        .from(conflict)
        .innerJoin(pair, eq(pair.id, conflict.pairId))
        .where(and(eq(pair.workspaceId, workspaceId), eq(conflict.state, 'open')))
        .get(),
    ),
    openProblems: one(
      db.query
        .select({ n: count() })
        .from(problem)
        .where(and(eq(problem.workspaceId, workspaceId), eq(problem.state, 'open')))
        .get(),
    ),
    syncsSince: one(
      db.query
        .select({ n: count() })
        .from(run)
        .where(and(eq(run.workspaceId, workspaceId), gte(run.startedAt, since)))
        .get(),
    ),
  };
}
