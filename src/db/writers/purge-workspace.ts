import { eq } from 'drizzle-orm';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { alertSettings } from '../schema/alert.ts';
import { endpoint } from '../schema/endpoint.ts';
import { pair } from '../schema/pair.ts';
import { store } from '../schema/store.ts';
import { user } from '../schema/user.ts';
import { membership } from '../schema/workspace.ts';
import { deleteWorkspaceTraces } from './accounts.ts';
import { leaveBehind } from './leftovers.ts';
import { deleteSessionsOf } from './sessions.ts';
import { deleteUser } from './users.ts';
import { deleteWorkspace } from './workspaces.ts';

/**
 * Takes a workspace away with everything it owns, and the demo visitors in it; people with an account of their own stay. Says which stores are
 * gone, so that their connectors can be forgotten. What it held is dropped in portions. Nothing is told to the platforms: that is the engine's business, before.
 */
export function purgeWorkspace(tx: Tx, workspaceId: WorkspaceId, nowMs: number): readonly StoreId[] {
  const { query } = tx;
  const pairs = query.select({ id: pair.id }).from(pair).where(eq(pair.workspaceId, workspaceId)).all();
  const stores = query.select({ id: store.id }).from(store).where(eq(store.workspaceId, workspaceId)).all();
  const endpoints = query.select({ id: endpoint.id }).from(endpoint).where(eq(endpoint.workspaceId, workspaceId)).all();
  const storeIds = stores.map((row) => row.id);
  query.delete(alertSettings).where(eq(alertSettings.workspaceId, workspaceId)).run();
  query.delete(endpoint).where(eq(endpoint.workspaceId, workspaceId)).run();
  query.delete(pair).where(eq(pair.workspaceId, workspaceId)).run();
  query.delete(store).where(eq(store.workspaceId, workspaceId)).run();
  const gone = { pairs: pairs.map((row) => row.id), stores: storeIds, endpoints: endpoints.map((row) => row.id) };
  leaveBehind(tx, { ...gone, workspaceId }, nowMs);
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
  return storeIds;
}
