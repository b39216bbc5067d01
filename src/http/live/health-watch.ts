import type { ServerMessage } from '../../contracts/live.ts';
import type { StoreHealth } from '../../contracts/stores.ts';
import { listWorkspaceStores } from '../../db/readers/list-stores.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { isoTime } from '../../lib/time.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import type { HttpDeps } from '../deps.ts';
import { connectionStatus } from '../present/store.ts';
import { storeContact } from '../store-contact.ts';

/** As many as a page of the dashboard shows. */
const STORES_MAX = 200;

/**
 * How one client's stores stand, as it was told last. A store that answers again, and a call that had no answer, leave no row in the journal:
 * they are found by looking.
 */
export class HealthWatch {
  readonly #deps: HttpDeps;
  readonly #told = new Map<StoreId, StoreHealth['connectionStatus']>();

  constructor(deps: HttpDeps, workspaceId: WorkspaceId) {
    this.#deps = deps;
    for (const { store } of listWorkspaceStores(deps.db, workspaceId, { limit: STORES_MAX }).rows) this.#add(store);
  }

  /** What goes to the client, by whatever way it was found. */
  note({ type, payload }: ServerMessage): void {
    if (type === 'store_health_changed') this.#told.set(payload.storeId as StoreId, payload.connectionStatus);
    if (type !== 'activity' || payload.type !== 'store_connected') return;
    const { storeId } = payload.payload as { readonly storeId: StoreId };
    const store = findStore(this.#deps.db, storeId);
    if (store !== null && this.#told.size < STORES_MAX) this.#add(store);
  }

  /** Of the stores that stand otherwise than was told. */
  changes(): readonly ServerMessage[] {
    const changed: ServerMessage[] = [];
    for (const [storeId, told] of this.#told) {
      const store = findStore(this.#deps.db, storeId);
      if (store === null) {
        this.#told.delete(storeId);
        continue;
      }
      const message = storeHealthMessage(this.#deps, store, null, isoTime(this.#deps.clock.now()));
      if (message.payload.connectionStatus !== told) changed.push(message);
    }
    return changed;
  }

  #add(store: StoreRow): void {
    this.#told.set(store.id, connectionStatus(store, storeContact(this.#deps, store.id)));
  }
}

type StoreHealthMessage = Extract<ServerMessage, { type: 'store_health_changed' }>;

/** Of the store as it is now, as the lists show it. */
export function storeHealthMessage(
  deps: HttpDeps,
  store: StoreRow,
  reason: string | null,
  timestamp: string,
): StoreHealthMessage {
  return {
    type: 'store_health_changed',
    payload: {
      storeId: store.id,
      platform: store.platform,
      connectionStatus: connectionStatus(store, storeContact(deps, store.id)),
      reason,
    },
    timestamp,
  };
}
