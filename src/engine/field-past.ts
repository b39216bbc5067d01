import { parsePath } from '../core/fields.ts';
import type { FieldPast } from '../core/reconciliation.ts';
import type { Db } from '../db/database.ts';
import { countPutRight } from '../db/readers/put-right.ts';
import { listOpenConflicts } from '../db/writers/history.ts';
import { stableJson } from '../lib/stable-json.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { HubState } from './hub.ts';

/** A target that shows the same value so often within an hour although it was put right each time makes it out of ours by itself. */
const PUT_RIGHT_MAX = 3;

/** What the history and the open conflicts of a record say about its fields. `at`: now, ms. */
export function fieldPast(db: Db, hub: HubState, at: number): FieldPast {
  const productId = hub.row.id;
  return {
    // A plug-in that rounds prices would be written to for ever.
    isFutile(side, path, from, to) {
      const { name, variantId = null } = parsePath(path) ?? { name: path };
      return countPutRight(db, { productId, variantId, field: name, side }, from, to, at - HOUR_MS) >= PUT_RIGHT_MAX;
    },
    heldSince(side, path, remote) {
      const held = listOpenConflicts(db, productId).find((row) => row.side === side && row.field === path);
      return held !== undefined && stableJson(held.remote) === stableJson(remote) ? held.remoteSeenAt : null;
    },
  };
}
