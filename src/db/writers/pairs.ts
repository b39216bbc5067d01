import { eq, inArray } from 'drizzle-orm';
import type { PairId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { change, conflict, problem } from '../schema/history.ts';
import { pair } from '../schema/pair.ts';
import { product, productBinding, variant, variantBinding } from '../schema/product.ts';
import { observation, observationKey, plan, planItem, run, runItem, scanProgress } from '../schema/run.ts';

/** Removes a pair with everything that belongs to it alone. */
export function deletePairRows(tx: Tx, pairId: PairId): void {
  const { query } = tx;
  const plans = query.select({ id: plan.id }).from(plan).where(eq(plan.pairId, pairId));
  const runs = query.select({ id: run.id }).from(run).where(eq(run.pairId, pairId));
  query.delete(planItem).where(inArray(planItem.planId, plans)).run();
  query.delete(runItem).where(inArray(runItem.runId, runs)).run();
  for (const scans of [plans, runs]) {
    query.delete(observation).where(inArray(observation.scanId, scans)).run();
    query.delete(observationKey).where(inArray(observationKey.scanId, scans)).run();
    query.delete(scanProgress).where(inArray(scanProgress.scanId, scans)).run();
  }
  query.delete(plan).where(eq(plan.pairId, pairId)).run();
  query.delete(run).where(eq(run.pairId, pairId)).run();
  for (const table of [change, conflict, problem, variantBinding, variant, productBinding, product])
    query.delete(table).where(eq(table.pairId, pairId)).run();
  query.delete(pair).where(eq(pair.id, pairId)).run();
}
