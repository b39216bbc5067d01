import { parsePath } from '../core/fields.ts';
import type { IsFutile } from '../core/reconciliation.ts';
import { countPutRight } from '../db/readers/put-right.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { VariantId } from '../model/ids.ts';
import { SIDES } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { type Decision, decide } from './decide.ts';
import type { HubState } from './hub.ts';
import type { PairView } from './pair-view.ts';
import type { ProductSubject } from './product-subject.ts';

/** A target that shows the same value so often within an hour although it was put right each time makes it out of ours by itself. */
const PUT_RIGHT_MAX = 3;

/** [R11] By the history: a plug-in that rounds prices would be written to for ever. */
function futileIn(ctx: EngineContext, hub: HubState, at: number): IsFutile {
  return (side, path, from, to) => {
    const { name, variantId = null } = parsePath(path) ?? { name: path };
    const field = { productId: hub.row.id, variantId, field: name, side };
    return countPutRight(ctx.db, field, from, to, at - HOUR_MS) >= PUT_RIGHT_MAX;
  };
}

/**
 * What follows from a subject's readings. A pass asks twice: to find out which sides have to be read as well, and to store. Where nothing was
 * read and nothing of the record moved in between (`loadHub` gives the very same state then), the first answer holds.
 */
export function decideSubject(ctx: EngineContext, view: PairView, hub: HubState, subject: ProductSubject): Decision {
  const at = ctx.clock.now();
  const { decided } = subject;
  if (
    decided !== null &&
    decided.hub === hub &&
    decided.at === at &&
    SIDES.every((side) => decided.snapshots[side] === subject.snapshots[side])
  )
    return decided.decision;
  const mint = () => ctx.random.id('var_') as VariantId;
  const decision = decide(view, hub, subject.snapshots, mint, at, futileIn(ctx, hub, at));
  subject.decided = { hub, snapshots: { ...subject.snapshots }, at, decision };
  return decision;
}
