import type { VariantId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import { fieldPast } from '../conflicts/field-past.ts';
import type { EngineContext } from '../context.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { type Decision, decide } from './decide.ts';
import type { ProductSubject } from './product-subject.ts';

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
  const decision = decide(view, hub, subject.snapshots, mint, at, fieldPast(ctx.db, hub, at));
  subject.decided = { hub, snapshots: { ...subject.snapshots }, at, decision };
  return decision;
}
