import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transport } from '../connectors/shared/transport.ts';
import { transact } from '../db/database.ts';
import { findRequestsPerMinute } from '../db/readers/pairs.ts';
import { deletePairRow, insertPair, insertStore, updatePair } from '../db/writers/stores.ts';
import { insertWorkspace } from '../db/writers/workspaces.ts';
import type { PairId, StoreId } from '../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS, type PairSettings } from '../model/pair.ts';
import { shopOf } from '../model/shop.ts';
import { VirtualClock } from '../testing/simulator/virtual-clock.ts';
import { openDirectory, shopifyStore } from '../testing/support/directory.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';

const ITEM = 'gid://shopify/InventoryItem/1';

/** A shop that answers each reading of an item, and says after it how full its bucket of points is. */
function answering(throttleStatus: object, onCall: () => void): Transport {
  return async () => {
    onCall();
    const item = { __typename: 'InventoryItem', id: ITEM, tracked: true, inventoryLevel: null };
    const body = {
      data: { location: { isActive: true }, nodes: [item] },
      extensions: { cost: { requestedQueryCost: 4, actualQueryCost: 4, throttleStatus } },
    };
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
  };
}

test('two mapped locations of one Shopify shop share its bucket of points: what one has used up, the other waits for', async () => {
  const clock = makeTestClock();
  const startedAt = clock.now();
  const sentAt: number[] = [];
  // As good as empty after each call, and filled by 10 points a second.
  const bucket = { maximumAvailable: 1_000, currentlyAvailable: 1, restoreRate: 10 };
  const directory = openDirectory(
    answering(bucket, () => sentAt.push(clock.now() - startedAt)),
    { clock, publicUrl: null },
  );
  const store = shopifyStore();
  const [first, second] = [directory.forStore(store, '1'), directory.forStore(store, '2')];
  assert.notEqual(first, second);
  await first.readStock([ITEM]);
  await second.readStock([ITEM]);
  const [, waitedMs = 0] = sentAt;
  assert.ok(waitedMs >= 300, `the second call left after ${waitedMs} ms, when the shop had no points for it`);
  await directory.close();
});

/** A shop without bounds of its own, in two pairs, and how many requests it has got. */
function pairedShop() {
  const clock = new VirtualClock();
  const db = openMemoryDatabase();
  const store = shopifyStore();
  const settings = (change: Partial<PairSettings>): PairSettings => ({ ...DEFAULT_PAIR_SETTINGS, ...change });
  transact(db, (tx) => {
    insertWorkspace(tx, { id: store.workspaceId, name: '', isDemo: false, createdAt: 0 });
    insertStore(tx, store);
    for (const [id, rateLimit] of [
      ['pair_1', 300],
      ['pair_2', 200],
    ] as const) {
      const woo = { ...store, id: `str_${id}` as StoreId, platform: 'woocommerce' as const };
      insertStore(tx, { ...woo, address: woo.id, identity: woo.id });
      insertPair(tx, {
        ...{ id: id as PairId, workspaceId: store.workspaceId },
        ...{ woocommerceStoreId: woo.id, shopifyStoreId: store.id, settings: settings({ rateLimit }) },
        ...{ status: 'active', halt: null, guardSince: 0, guardWaivedUntil: null, guardWaivedReason: null },
        ...{ linkedAt: null, scanNumber: 0, lastSyncAt: null, accuracy: null, createdAt: 0 },
      });
    }
  });
  let sent = 0;
  const bucket = { maximumAvailable: 1_000_000, currentlyAvailable: 1_000_000, restoreRate: 100_000 };
  const directory = openDirectory(
    answering(bucket, () => {
      sent += 1;
    }),
    { clock, publicUrl: null, requestsPerMinute: (shop) => findRequestsPerMinute(db, shop) },
  );
  return {
    ...{ clock, db, store, directory, settings },
    /** Asks as often as it may for a second, over whichever connector the store has by now; how many requests left. */
    async ask(): Promise<number> {
      const before = sent;
      const connector = directory.forStore(store, '1');
      for (let n = 0; n < 500; n += 1) connector.readStock([ITEM]).catch(() => undefined);
      await clock.runFor(1_000);
      return sent - before;
    },
  };
}

test('[A5] a store in two pairs is asked no more often in a minute than the lower of their limits says, whatever connectors it is asked over', async () => {
  const { clock, directory, store, ask } = pairedShop();
  assert.equal(await ask(), 200);
  directory.forget(store.id);
  assert.equal(await ask(), 0, 'what has left counts on when the connectors are made anew');
  await clock.runFor(60_000);
  assert.equal(await ask(), 200);
});

test('[A5] a pair that somebody paused, or never finished, slows none that is at work', async () => {
  const { db, store, ask } = pairedShop();
  for (const status of ['paused', 'halted', 'setup'] as const) {
    transact(db, (tx) => updatePair(tx, 'pair_2' as PairId, { status }));
    assert.equal(findRequestsPerMinute(db, shopOf(store)), 300, status);
  }
  const halt = { reason: 'mass_draft', side: 'shopify', count: 11, limit: 10, at: 0 } as const;
  transact(db, (tx) => updatePair(tx, 'pair_2' as PairId, { status: 'halted', halt, linkedAt: 1 }));
  assert.equal(findRequestsPerMinute(db, shopOf(store)), 200, 'one that goes on with its stock is at work [G1]');
  transact(db, (tx) => updatePair(tx, 'pair_2' as PairId, { status: 'paused', halt: null, linkedAt: null }));
  transact(db, (tx) => updatePair(tx, 'pair_1' as PairId, { status: 'paused' }));
  assert.equal(await ask(), 200, 'of those that all rest the strictest counts');
});

test('[A5] a limit that is changed, or goes with its pair, holds for the next request', async () => {
  const { db, ask, settings } = pairedShop();
  assert.equal(await ask(), 200);
  transact(db, (tx) => updatePair(tx, 'pair_2' as PairId, { settings: settings({ rateLimit: 250 }) }));
  assert.equal(await ask(), 50);
  transact(db, (tx) => deletePairRow(tx, 'pair_2' as PairId));
  assert.equal(await ask(), 50, 'the other pair has 300');
  transact(db, (tx) => updatePair(tx, 'pair_1' as PairId, { settings: settings({ rateLimit: 100 }) }));
  assert.equal(await ask(), 0);
});
