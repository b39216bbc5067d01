import type { Db } from '../db/database.ts';
import { listPairs, listStores } from '../db/readers/pairs.ts';
import type { EngineApi } from '../http/engine-api.ts';
import type { WorkspaceId } from '../model/ids.ts';

/** Takes a workspace's pairs apart and disconnects its stores, as a person would one by one: webhooks at the platforms go too. */
export async function clearWorkspace(
  db: Db,
  engine: Pick<EngineApi, 'deletePair' | 'disconnectStore'>,
  workspaceId: WorkspaceId,
): Promise<void> {
  const isOwn = (one: { readonly workspaceId: WorkspaceId }): boolean => one.workspaceId === workspaceId;
  // Looked at again: while a slow shop is asked to forget its webhooks, somebody else may connect another one.
  for (let store = listStores(db).find(isOwn); store !== undefined; store = listStores(db).find(isOwn)) {
    for (const pair of listPairs(db).filter(isOwn)) await engine.deletePair(pair.id);
    await engine.disconnectStore(store.id);
  }
}
