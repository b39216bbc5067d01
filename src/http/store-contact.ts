import { isStoreAway } from '../engine/stores/store-state.ts';
import type { StoreId } from '../model/ids.ts';
import type { HttpDeps } from './deps.ts';
import type { StoreContact } from './present/store.ts';

/** What the engine knows of a store's answering: over time, and of its last calls. */
export function storeContact({ db, engine }: HttpDeps, storeId: StoreId): StoreContact {
  return { isAway: isStoreAway(db, storeId), health: engine.storeHealth(storeId) };
}
