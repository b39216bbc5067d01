import { transact } from '../db/database.ts';
import { listStores } from '../db/readers/pairs.ts';
import { capStoreFences } from '../db/writers/products.ts';
import type { EngineContext } from './context.ts';
import { fenceOfNewIntent } from './fence.ts';

/**
 * At start: the process that opened these intents is dead and sends nothing more. What it sent last is as good as sent
 * just now, however long its own fences would have lasted.
 */
export function capFences(ctx: EngineContext): void {
  const now = ctx.clock.now();
  transact(ctx.db, (tx) => {
    for (const store of listStores(tx)) {
      if (store.status === 'disconnected') continue;
      capStoreFences(tx, store.id, fenceOfNewIntent(now, ctx.connectors.forStore(store, null).capabilities));
    }
  });
}
