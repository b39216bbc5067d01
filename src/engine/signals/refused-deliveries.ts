import { transact } from '../../db/database.ts';
import { listPairsOfStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { closeProblemsBySubject } from '../../db/writers/history.ts';
import type { StoreId } from '../../model/ids.ts';
import type { EngineContext } from '../context.ts';
import { STORE_WORDS } from '../store-words.ts';
import { raiseAboutStore } from '../stores/store-state.ts';

/** So many refused in a row, and none that was signed rightly between them, are no stranger's try. */
const REFUSED_IN_A_ROW = 5;

export interface RefusedDeliveries {
  refused(store: StoreRow): void;
  accepted(store: StoreRow): void;
}

/**
 * A secret that was mistyped shows nowhere else: every webhook is refused, the shop stops sending them, and changes come minutes late. A person is
 * told, until one is signed rightly. Counted in memory, one small number a store; the disk is touched when it begins and when it is over.
 */
export function watchRefused(ctx: EngineContext): RefusedDeliveries {
  /** In a row; absent: none came since the start. */
  const counts = new Map<StoreId, number>();
  const hasHeld = new Set<StoreId>();
  return {
    refused(store) {
      const count = (counts.get(store.id) ?? 0) + 1;
      counts.set(store.id, count);
      if (count !== REFUSED_IN_A_ROW) return;
      transact(ctx.db, (tx) => {
        const words = STORE_WORDS.webhooksRefused(store.platform);
        for (const pair of listPairsOfStore(tx, store.id)) raiseAboutStore(ctx, tx, store, pair, words);
      });
    },
    accepted(store) {
      const count = counts.get(store.id);
      if (count === 0) return;
      counts.set(store.id, 0);
      // The first one since the start ends what was told before it, too; after that only what was told since.
      if (hasHeld.has(store.id) && (count ?? 0) < REFUSED_IN_A_ROW) return;
      hasHeld.add(store.id);
      transact(ctx.db, (tx) => {
        for (const pair of listPairsOfStore(tx, store.id))
          closeProblemsBySubject(tx, pair.id, 'WEBHOOKS_REFUSED', store.id, ctx.clock.now());
      });
    },
  };
}
