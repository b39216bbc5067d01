import type { PairId, StoreId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { latestEventSeq } from '../readers/events.ts';
import { listSandboxGone, SANDBOX_GONE } from '../readers/sandbox.ts';
import { setMeta } from './meta.ts';

/** Years of trying things out between two starts. */
const GONE_MAX = 1_000;

/** A job under way may note something of these later: nobody outside is told of that either. */
export function markSandboxGone(tx: Tx, ids: readonly (PairId | StoreId)[]): void {
  const after = latestEventSeq(tx);
  const gone = [...listSandboxGone(tx), ...ids.map((id) => ({ id, after }))];
  setMeta(tx, SANDBOX_GONE, JSON.stringify(gone.slice(-GONE_MAX)));
}

// That a person disconnected a store stays told in the workspace.
const dropEvents = rawStatement<[after: number, ids: string, ids: string, ids: string]>(
  `DELETE FROM event WHERE seq > ? AND type <> 'store_disconnected'
   AND (pair_id IN (SELECT value FROM json_each(?))
     OR json_extract(payload, '$.storeId') IN (SELECT value FROM json_each(?))
     OR json_extract(payload, '$.subject') IN (SELECT value FROM json_each(?)))`,
);

/** No job that knew of them is at work any more: what was noted of them since they went is dropped, and they are forgotten. */
export function forgetSandboxGone(tx: Tx): void {
  const gone = listSandboxGone(tx);
  if (gone.length === 0) return;
  const ids = JSON.stringify(gone.map(({ id }) => id));
  dropEvents(tx).run(Math.min(...gone.map(({ after }) => after)), ids, ids, ids);
  setMeta(tx, SANDBOX_GONE, null);
}
