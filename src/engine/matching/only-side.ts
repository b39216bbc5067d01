import type { Db } from '../../db/database.ts';
import { listOpenConflicts, lostRecordOn } from '../../db/writers/history.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type HubState, isBound } from '../hub.ts';

/**
 * The side that alone has this product and always had, where nothing of ours is under way to the other and no person is asked about it; null: there is
 * none. What lost its counterpart, or was made again, may bear keys that we wrote there ourselves.
 */
export function onlySideOf(db: Db, hub: HubState): Side | null {
  const side = SIDES.find((each) => isBound(hub, each) && hub.bindings[otherSide(each)] === undefined);
  if (side === undefined || hub.row.state !== 'live' || hub.bindings[side]?.intent) return null;
  return listOpenConflicts(db, hub.row.id).length === 0 && !lostRecordOn(db, hub.row.id, otherSide(side)) ? side : null;
}
