import type { Db } from '../db/database.ts';
import { listPairs, listStores } from '../db/readers/pairs.ts';
import type { EngineApi } from '../http/engine-api.ts';
import type { WorkspaceId } from '../model/ids.ts';

/** Takes a workspace's pairs apart and disconnects its stores, as a person would one by one: webhooks at the platforms go too. */
export async function clearWorkspace(db: Db, engine: EngineApi, workspaceId: WorkspaceId): Promise<void> {
  for (const pair of listPairs(db).filter((one) => one.workspaceId === workspaceId)) await engine.deletePair(pair.id);
  for (const store of listStores(db).filter((one) => one.workspaceId === workspaceId)) {
    await engine.disconnectStore(store.id);
  }
}
