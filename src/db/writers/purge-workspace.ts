import { eq, inArray } from 'drizzle-orm';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { alert, alertSettings } from '../schema/alert.ts';
import { endpoint, endpointMessage } from '../schema/endpoint.ts';
import { change, conflict, problem } from '../schema/history.ts';
import { delivery, event, job } from '../schema/machinery.ts';
import { pair } from '../schema/pair.ts';
import { product, productBinding, variant, variantBinding } from '../schema/product.ts';
import { observation, observationKey, plan, planItem, run, runItem, scanProgress } from '../schema/run.ts';
import { store } from '../schema/store.ts';
import { usage } from '../schema/usage.ts';
import { user } from '../schema/user.ts';
import { membership } from '../schema/workspace.ts';
import { deleteWorkspaceTraces } from './accounts.ts';
import { deleteSessionsOf } from './sessions.ts';
import { deleteUser } from './users.ts';
import { deleteWorkspace } from './workspaces.ts';

/**
 * Takes a workspace away with everything it owns, and the demo visitors in it; people with an account of their own stay. Says which stores are
 * gone, so that their connectors can be forgotten. Nothing is told to the platforms: that is the engine's business, before.
 */
export function purgeWorkspace(tx: Tx, workspaceId: WorkspaceId): readonly StoreId[] {
  const { query } = tx;
  const pairIds = query.select({ id: pair.id }).from(pair).where(eq(pair.workspaceId, workspaceId)).all();
  const storeIds = query.select({ id: store.id }).from(store).where(eq(store.workspaceId, workspaceId)).all();
  const planIds = query.select({ id: plan.id }).from(plan).where(eq(plan.workspaceId, workspaceId)).all();
  const runIds = query.select({ id: run.id }).from(run).where(eq(run.workspaceId, workspaceId)).all();
  const pairs = pairIds.map((row) => row.id);
  const stores = storeIds.map((row) => row.id);
  const plans = planIds.map((row) => row.id);
  const runs = runIds.map((row) => row.id);
  const scans: string[] = [...plans, ...runs, ...pairs];

  query
    .delete(job)
    .where(inArray(job.groupKey, [workspaceId, ...pairs, ...stores] as string[]))
    .run();
  query.delete(delivery).where(inArray(delivery.storeId, stores)).run();
  query.delete(planItem).where(inArray(planItem.planId, plans)).run();
  query.delete(runItem).where(inArray(runItem.runId, runs)).run();
  query.delete(observation).where(inArray(observation.scanId, scans)).run();
  query.delete(observationKey).where(inArray(observationKey.scanId, scans)).run();
  query.delete(scanProgress).where(inArray(scanProgress.scanId, scans)).run();
  query.delete(variantBinding).where(inArray(variantBinding.pairId, pairs)).run();
  query.delete(productBinding).where(inArray(productBinding.pairId, pairs)).run();
  query.delete(variant).where(inArray(variant.pairId, pairs)).run();
  query.delete(product).where(inArray(product.pairId, pairs)).run();
  query.delete(change).where(inArray(change.pairId, pairs)).run();
  query.delete(conflict).where(inArray(conflict.pairId, pairs)).run();
  query.delete(problem).where(eq(problem.workspaceId, workspaceId)).run();
  query.delete(alert).where(eq(alert.workspaceId, workspaceId)).run();
  query.delete(alertSettings).where(eq(alertSettings.workspaceId, workspaceId)).run();
  query.delete(endpointMessage).where(eq(endpointMessage.workspaceId, workspaceId)).run();
  query.delete(endpoint).where(eq(endpoint.workspaceId, workspaceId)).run();
  query.delete(usage).where(eq(usage.workspaceId, workspaceId)).run();
  query.delete(event).where(eq(event.workspaceId, workspaceId)).run();
  query.delete(plan).where(eq(plan.workspaceId, workspaceId)).run();
  query.delete(run).where(eq(run.workspaceId, workspaceId)).run();
  query.delete(pair).where(eq(pair.workspaceId, workspaceId)).run();
  query.delete(store).where(eq(store.workspaceId, workspaceId)).run();
  const visitors = query
    .select({ id: user.id })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.workspaceId, workspaceId))
    .all()
    .map((row) => row.id);
  for (const id of visitors) {
    const row = query.select({ isDemo: user.isDemo }).from(user).where(eq(user.id, id)).get();
    if (row?.isDemo !== true) continue;
    deleteSessionsOf(tx, id);
    deleteUser(tx, id);
  }
  deleteWorkspaceTraces(tx, workspaceId);
  deleteWorkspace(tx, workspaceId);
  return stores;
}
