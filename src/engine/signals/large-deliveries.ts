import { transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import type { EngineContext } from '../context.ts';
import { enqueuePoll } from '../enqueue.ts';
import { STORE_WORDS } from '../store-words.ts';
import { raiseAboutStore } from '../stores/store-state.ts';

/** So often a store is asked because of such deliveries, and a person is told of them, at most, ms: whose they are can't be known. */
const ASKED_MS = MINUTE_MS;
const TOLD_MS = DAY_MS;

/**
 * A delivery that was too large to be taken in: nothing of it was read, and its signature was not checked. If it was the store's, the store knows what
 * changed, and is asked; it closes in `check-store.ts`. Told and asked are counted in memory, two times a store: a stranger who sends thousands
 * has nothing written, and no call sent, by all but one a minute.
 */
export function watchLargeDeliveries(ctx: EngineContext): (storeId: StoreId) => void {
  const askedAt = new Map<StoreId, number>();
  const toldAt = new Map<StoreId, number>();

  function isDue(times: ReadonlyMap<StoreId, number>, storeId: StoreId, everyMs: number): boolean {
    const now = ctx.clock.now();
    const last = times.get(storeId);
    return last === undefined || last > now || now - last >= everyMs;
  }

  return (storeId) => {
    const store = findStore(ctx.db, storeId);
    if (store === null || store.status !== 'connected') return;
    // Others hear of nothing by webhooks.
    const pairs = listPairsOfStore(ctx.db, storeId).filter(
      ({ linkedAt, settings }) => linkedAt !== null && settings.syncSchedule === 'realtime',
    );
    if (pairs.length === 0 || !isDue(askedAt, storeId, ASKED_MS)) return;
    const isNews = isDue(toldAt, storeId, TOLD_MS);
    transact(ctx.db, (tx) => {
      enqueuePoll(tx, storeId, ctx.clock.now());
      if (!isNews) return;
      const words = STORE_WORDS.webhookTooLarge(store.platform);
      for (const pair of pairs) raiseAboutStore(ctx, tx, store, pair, words);
    });
    // What could not be written is tried again with the next one.
    const at = ctx.clock.now();
    askedAt.set(storeId, at);
    if (isNews) toldAt.set(storeId, at);
  };
}
