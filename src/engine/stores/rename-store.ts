import { transact } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { updateStore } from '../../db/writers/stores.ts';
import type { StoreId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';

/** What a person calls a store; the platform's own name of it stays in its info. */
export function renameStore(ctx: EngineContext, storeId: StoreId, name: string): void {
  transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null) throw new Refusal('NOT_FOUND', 'There is no such store.');
    if (store.name === name) return;
    updateStore(tx, storeId, { name });
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_renamed',
      payload: { storeId, name },
      at: ctx.clock.now(),
    });
  });
}
