import { parsePath } from '../../core/fields.ts';
import type { FieldPast } from '../../core/reconciliation.ts';
import type { Db } from '../../db/database.ts';
import { listPutRight } from '../../db/readers/put-right.ts';
import { listOpenConflicts } from '../../db/writers/history.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { HubState } from '../hub.ts';

/** A target that shows the same value so often within an hour although it was put right each time makes it out of ours by itself. */
export const PUT_RIGHT_MAX = 3;

/** What the history and the open conflicts of a record say about its fields. `at`: now, ms. */
export function fieldPast(db: Db, hub: HubState, at: number): FieldPast {
  const productId = hub.row.id;
  // Read once for all fields, and only where one drifts.
  let futile: ReadonlySet<string> | null = null;
  const readFutile = () => {
    const rows = listPutRight(db, productId, at - HOUR_MS, PUT_RIGHT_MAX);
    return new Set(rows.map((row) => keyOf(row.side, row.variantId, row.field, row.from, row.to)));
  };
  const heldOf = (side: Side, path: string) =>
    listOpenConflicts(db, productId).find((row) => row.side === side && row.field === path);
  return {
    // A plug-in that rounds prices would be written to for ever.
    isFutile(side, path, from, to) {
      const { name, variantId = null } = parsePath(path) ?? { name: path };
      futile ??= readFutile();
      return futile.has(keyOf(side, variantId, name, JSON.stringify(from), JSON.stringify(to)));
    },
    heldSince(side, path, remote) {
      const held = heldOf(side, path);
      return held !== undefined && stableJson(held.remote) === stableJson(remote) ? held.remoteSeenAt : null;
    },
    isHeldAsElse(side, path, remote) {
      const held = heldOf(side, path);
      return held !== undefined && stableJson(held.remote) !== stableJson(remote);
    },
  };
}

function keyOf(side: Side, variantId: VariantId | null, field: string, from: string, to: string): string {
  return JSON.stringify([side, variantId, field, from, to]);
}
