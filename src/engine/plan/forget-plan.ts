import { type Tx, transact } from '../../db/database.ts';
import type { PlanRow } from '../../db/schema/run.ts';
import { pruneObservations } from '../../db/writers/observations.ts';
import { prunePlanItems } from '../../db/writers/runs.ts';
import type { PlanId } from '../../model/ids.ts';

import type { EngineContext } from '../context.ts';

/** Rows dropped in one transaction: two shops of 100,000 products dropped at once let nobody in for seconds. */
const PORTION = 2000;

/**
 * Drops a portion of what is no longer needed of a plan: what was observed for it, and what it holds where nobody will apply it. Returns whether more
 * may be left: `forgetPlan` drops that, or housekeeping.
 */
export function forgetPortion(tx: Tx, id: PlanId, status: PlanRow['status']): boolean {
  let left = PORTION - pruneObservations(tx, id, PORTION);
  if (left > 0 && (status === 'discarded' || status === 'failed')) left -= prunePlanItems(tx, id, left);
  return left === 0;
}

/** All of it; other work runs in between. */
export async function forgetPlan(ctx: EngineContext, id: PlanId, status: PlanRow['status']): Promise<void> {
  while (transact(ctx.db, (tx) => forgetPortion(tx, id, status))) await ctx.clock.sleep(0);
}
