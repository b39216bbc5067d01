import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, isBound } from '../hub.ts';
import { leads } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from './product-subject.ts';
import { storeDecision } from './store-decision.ts';

/**
 * [R9] A source's record joins what only the target had until now: what was typed and sold there before was done to its own, whether anybody was told
 * of it in time or not. Only then the source leads. `before`: as the pass found it; what its source had then, or had deleted, is nobody's own.
 */
export function settleOwn(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  before: HubState,
  hub: HubState,
): HubState {
  const target = SIDES.find((side) => !mayLead(side, view.settings));
  if (target === undefined || subject.snapshots[otherSide(target)] === undefined) return hub;
  const snapshot = subject.snapshots[target];
  if (snapshot === undefined || snapshot.trashed || !isBound(hub, target)) return hub;
  // What is in its bin, or gone, comes back as its source has it.
  if (before.row.state !== 'live' || !isBound(before, target) || !leads(view, before, target, {})) return hub;
  return storeDecision(ctx, tx, view, { ...subject, snapshots: { [target]: snapshot } }, hub).hub;
}
