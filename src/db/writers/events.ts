import type { PairId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { PRUNED_THROUGH } from '../readers/events.ts';
import { setMeta } from './meta.ts';

export interface NewEvent {
  readonly workspaceId: WorkspaceId;
  readonly pairId: PairId | null;
  readonly type: string;
  readonly payload: unknown;
  /** Milliseconds. */
  readonly at: number;
}

const insert = rawStatement<[workspace: string, pair: string | null, type: string, payload: string, at: number]>(
  'INSERT INTO event (workspace_id, pair_id, type, payload, at) VALUES (?, ?, ?, ?, ?)',
);

/** Appends to the journal, in the transaction that the event tells of. Returns its number. */
export function recordEvent(tx: Tx, event: NewEvent): number {
  const { workspaceId, pairId, type, payload, at } = event;
  return Number(insert(tx).run(workspaceId, pairId, type, JSON.stringify(payload ?? null), at).lastInsertRowid);
}

// Not past `through`: the journal is long, and no index says when an event was.
const firstKept = rawStatement<[through: number, since: number], { readonly seq: number }>(
  'SELECT seq FROM event WHERE seq <= ? AND at >= ? ORDER BY seq LIMIT 1',
);
const lastSeq = rawStatement<[], { readonly seq: number | null }>('SELECT max(seq) AS seq FROM event');
const firstSeq = rawStatement<[], { readonly seq: number | null }>('SELECT min(seq) AS seq FROM event');
const deleteThrough = rawStatement<[seq: number]>('DELETE FROM event WHERE seq <= ?');

/**
 * Drops events from before `beforeMs`, and all but the newest `keepMax`; at most `max` in one go, so that the transaction stays short.
 * Returns how many numbers were dropped.
 */
export function pruneEvents(tx: Tx, limits: { beforeMs: number; keepMax: number; max: number }): number {
  const first = firstSeq(tx).get()?.seq;
  const last = lastSeq(tx).get()?.seq;
  if (first === null || first === undefined || last === null || last === undefined) return 0;
  const end = Math.min(first + limits.max - 1, last);
  const oldThrough = (firstKept(tx).get(end, limits.beforeMs)?.seq ?? end + 1) - 1;
  const through = Math.min(Math.max(oldThrough, last - limits.keepMax), end);
  if (through < first) return 0;
  deleteThrough(tx).run(through);
  setMeta(tx, PRUNED_THROUGH, String(through));
  return through - first + 1;
}
