import type { Db } from '../db/database.ts';
import { findWorkspace } from '../db/readers/workspaces.ts';
import type { EngineApi } from '../http/engine-api.ts';
import { Refusal } from '../model/refusal.ts';

/**
 * Connects a store to a workspace that is still there when that is done. A store is looked at for seconds, a slow one for a minute, and in a
 * workspace that was deleted meanwhile nobody could see it, or take it away. Refuses with NOT_FOUND then, and as the engine does.
 */
export async function connectForWorkspace(
  db: Db,
  engine: Pick<EngineApi, 'connectStore' | 'disconnectStore'>,
  command: Parameters<EngineApi['connectStore']>[0],
): ReturnType<EngineApi['connectStore']> {
  const connected = await engine.connectStore(command);
  if (findWorkspace(db, command.workspaceId) !== null) return connected;
  await engine.disconnectStore(connected.store.id);
  throw new Refusal('NOT_FOUND', 'This workspace was deleted while the store was being connected.');
}
