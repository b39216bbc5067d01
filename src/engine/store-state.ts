import { transact } from '../db/database.ts';
import { findStore } from '../db/readers/pairs.ts';
import { recordEvent } from '../db/writers/events.ts';
import { setStoreStatus } from '../db/writers/stores.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { StoreId } from '../model/ids.ts';
import type { EngineContext } from './context.ts';

/** Credentials that stopped working put the store into `error`: its work waits, and a person is told once. */
export function noteStoreError(ctx: EngineContext, storeId: StoreId, error: ConnectorError): void {
  ctx.log.warn({ storeId, kind: error.kind }, `store call failed: ${error.message}`);
  if (error.kind !== 'unauthorized') return;
  transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null || store.status === 'error') return;
    setStoreStatus(tx, storeId, 'error', error.message);
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_health_changed',
      payload: { storeId, status: 'error', reason: error.message },
      at: ctx.clock.now(),
    });
  });
}

/** A call that works again ends the error. */
export function noteStoreWorks(ctx: EngineContext, storeId: StoreId): void {
  const store = findStore(ctx.db, storeId);
  if (store === null || store.status !== 'error') return;
  transact(ctx.db, (tx) => {
    setStoreStatus(tx, storeId, 'connected', null);
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_health_changed',
      payload: { storeId, status: 'connected', reason: null },
      at: ctx.clock.now(),
    });
  });
}
