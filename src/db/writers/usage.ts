import type { UsageLevel } from '../../model/usage.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { UsageRow } from '../schema/usage.ts';

type Key = Pick<UsageRow, 'workspaceId' | 'kind' | 'since'>;

const add = rawStatement<
  [workspace: string, kind: string, since: number, count: number],
  Pick<UsageRow, 'count' | 'toldLevel'>
>(
  `INSERT INTO usage (workspace_id, kind, since, count) VALUES (?, ?, ?, ?)
   ON CONFLICT (workspace_id, kind, since) DO UPDATE SET count = count + excluded.count
   RETURNING count, told_level AS toldLevel`,
);

/** Adds to what a workspace used in a period. Returns all of it, and up to which level people were told. */
export function addUsage(
  tx: Tx,
  { workspaceId, kind, since }: Key,
  count: number,
): Pick<UsageRow, 'count' | 'toldLevel'> {
  return add(tx).get(workspaceId, kind, since, count) ?? { count, toldLevel: null };
}

const mark = rawStatement<[level: string, workspace: string, kind: string, since: number]>(
  'UPDATE usage SET told_level = ? WHERE workspace_id = ? AND kind = ? AND since = ?',
);

export function markUsageTold(tx: Tx, { workspaceId, kind, since }: Key, level: UsageLevel): void {
  mark(tx).run(level, workspaceId, kind, since);
}

const deleteOld = rawStatement<[before: number, max: number]>(
  'DELETE FROM usage WHERE rowid IN (SELECT rowid FROM usage WHERE since < ? LIMIT ?)',
);

/** Forgets periods that began before `beforeMs`, at most `max` in one go. Returns how many. */
export function pruneUsage(tx: Tx, beforeMs: number, max: number): number {
  return deleteOld(tx).run(beforeMs, max).changes;
}
