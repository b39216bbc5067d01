import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { EventRow } from '../schema/machinery.ts';
import { findMeta } from './meta.ts';

/** Where the number of the last pruned event is kept: whoever asks for what came before it has to start anew. */
export const PRUNED_THROUGH = 'events.pruned_through';

type Raw = EventRow & { readonly payload: string };

const COLUMNS = 'seq, workspace_id AS workspaceId, pair_id AS pairId, type, payload, at';

const afterInWorkspace = rawStatement<[workspace: string, after: number, limit: number], Raw>(
  `SELECT ${COLUMNS} FROM event WHERE workspace_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
);
const beforeInWorkspace = rawStatement<[workspace: string, before: number, limit: number], Raw>(
  `SELECT ${COLUMNS} FROM event WHERE workspace_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
);
const after = rawStatement<[after: number, limit: number], Raw>(
  `SELECT ${COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`,
);
const latest = rawStatement<[], { readonly seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'event'`);

/** Events of a workspace numbered above `afterSeq`, oldest first. */
export function listEventsAfter(
  db: Db,
  workspaceId: WorkspaceId,
  afterSeq: number,
  limit: number,
): readonly EventRow[] {
  return afterInWorkspace(db).all(workspaceId, afterSeq, limit).map(parsed);
}

/** Events of a workspace numbered below `beforeSeq` (null: from the newest), newest first: the activity list. */
export function listRecentEvents(
  db: Db,
  workspaceId: WorkspaceId,
  limit: number,
  beforeSeq: number | null = null,
): readonly EventRow[] {
  return beforeInWorkspace(db)
    .all(workspaceId, beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
    .map(parsed);
}

/** Events of all workspaces numbered above `afterSeq`, oldest first: what the journal hands out. */
export function listAllEventsAfter(db: Db, afterSeq: number, limit: number): readonly EventRow[] {
  return after(db).all(afterSeq, limit).map(parsed);
}

/** The highest number ever given; 0 before the first event. */
export function latestEventSeq(db: Db): number {
  return latest(db).get()?.seq ?? 0;
}

/** Number of the last event that was pruned; 0: none was. */
export function prunedThroughSeq(db: Db): number {
  return Number(findMeta(db, PRUNED_THROUGH) ?? 0);
}

function parsed(row: Raw): EventRow {
  return { ...row, payload: JSON.parse(row.payload) };
}
