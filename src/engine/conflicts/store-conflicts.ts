import { mayFollow, mayLead } from '../../core/direction.ts';
import { isFieldOn } from '../../core/is-field-on.ts';
import type { OpenConflict, Reconciliation } from '../../core/reconciliation.ts';
import { getField } from '../../core/resolve.ts';
import type { Tx } from '../../db/database.ts';
import type { ConflictRow } from '../../db/schema/history.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { insertConflict, listOpenConflicts, updateConflict } from '../../db/writers/history.ts';
import { stableJson } from '../../lib/stable-json.ts';
import type { ConflictId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, isBound } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { DELETED_FIELD } from '../products/handle-gone.ts';

/**
 * [R7] One open conflict per field and side: a new version when a value moved, closed by itself when the values meet, or when that side has no record
 * any more.
 */
export function storeConflicts(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  reconciliation: Reconciliation,
  at: number,
): void {
  const open = listOpenConflicts(tx, hub.row.id);
  for (const side of SIDES) {
    const result = reconciliation.sides[side];
    if (result === undefined) {
      if (!isBound(hub, side)) closeConflicts(tx, open, side, new Set(), 'lapsed', at);
      continue;
    }
    for (const found of result.wasRead ? result.conflicts : waiting(open, side, reconciliation.hub)) {
      const existing = open.find((row) => row.side === side && row.field === found.path);
      if (existing === undefined) {
        insertConflict(tx, {
          id: ctx.random.id('cfl_') as ConflictId,
          pairId: view.pair.id,
          productId: hub.row.id,
          field: found.path,
          side,
          base: found.base,
          hub: found.hub,
          remote: found.remote,
          version: 1,
          state: 'open',
          resolution: null,
          openedAt: at,
          remoteSeenAt: at,
          closedAt: null,
        });
        recordEvent(tx, {
          workspaceId: view.pair.workspaceId,
          pairId: view.pair.id,
          type: 'conflict_opened',
          payload: { productId: hub.row.id, title: hub.row.title, field: found.path, side },
          at,
        });
      } else if (stableJson([existing.hub, existing.remote]) !== stableJson([found.hub, found.remote])) {
        const hasMoved = stableJson(existing.remote) !== stableJson(found.remote);
        updateConflict(tx, existing.id, {
          ...{ hub: found.hub, remote: found.remote, version: existing.version + 1 },
          ...(hasMoved && { remoteSeenAt: at }),
        });
      }
    }
    if (!result.wasRead) continue;
    // [R10] Of a field that is switched off nothing was compared: what a person was asked waits with its base.
    const off = open.filter(({ field }) => isHeldOff(view, result.base, side, field)).map(({ field }) => field);
    closeConflicts(tx, open, side, new Set([...off, ...result.conflicts.map(({ path }) => path)]), 'met', at);
  }
}

/** What a side that was not read conflicts with: the hub may have moved all the same, and a choice that was made before would be written over what nobody saw. */
function waiting(open: readonly ConflictRow[], side: Side, hub: CanonicalProduct): readonly OpenConflict[] {
  return open.flatMap((row) => {
    const { field: path, base, remote } = row;
    const own = row.side === side ? getField(hub, path) : undefined;
    return own === undefined ? [] : [{ path, base, hub: own, remote }];
  });
}

/** Whether a field of a side is in an area that is switched off, where both still lead. */
function isHeldOff({ settings }: PairView, base: CanonicalProduct, side: Side, path: string): boolean {
  if (!mayLead(side, settings) || !mayFollow(side, settings)) return false;
  return !isFieldOn(path, settings) && getField(base, path) !== undefined;
}

/** Closes a side's conflicts over fields, save those that still hold. */
function closeConflicts(
  tx: Tx,
  open: readonly ConflictRow[],
  side: Side,
  still: ReadonlySet<string>,
  resolution: 'met' | 'lapsed',
  at: number,
): void {
  for (const row of open)
    if (row.side === side && row.field !== DELETED_FIELD && !still.has(row.field))
      updateConflict(tx, row.id, { state: 'closed', resolution, closedAt: at });
}
