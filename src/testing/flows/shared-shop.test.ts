// A shop that is in two pairs: what its two neighbours do at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryConnector } from '../../connectors/memory/connector.ts';
import { PERSONALITIES } from '../../connectors/memory/personality.ts';
import { MemoryPlatform } from '../../connectors/memory/platform.ts';
import { transact } from '../../db/database.ts';
import { findPair, getStore } from '../../db/readers/pairs.ts';
import { insertPair, insertStore } from '../../db/writers/stores.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { present } from '../../lib/assert.ts';
import type { PairId, StoreId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { SeededRandom } from '../simulator/random.ts';
import { PAIR_ID, STORE_IDS } from '../simulator/world.ts';
import { EngineFlow, record } from './engine-flow.ts';

const OUTER = 'str_outer' as StoreId;

/** The shop of `shared` has a second neighbour, which is a pair with it that was linked when all three were empty. */
async function chained(shared: Side): Promise<{ flow: EngineFlow; shops: readonly MemoryPlatform[] }> {
  const flow = await new EngineFlow().link();
  const { world } = flow;
  const side = otherSide(shared);
  const outer = new MemoryPlatform({
    ...{ name: 'outer.test', personality: PERSONALITIES[side === 'shopify' ? 'shopify' : 'woo'], clock: world.clock },
    ...{ random: new SeededRandom('outer'), firstId: side === 'shopify' ? 8_007_199_254_740_993n : 501n },
    deliver: async (delivery) => (await world.process?.receive(OUTER, delivery)) ?? false,
  });
  const { ctx } = world.life();
  const { forStore } = ctx.connectors;
  const connector = new MemoryConnector(outer, { isAlive: () => world.isAlive() });
  Object.assign(ctx.connectors, {
    forStore: (...args: Parameters<typeof forStore>) => (args[0].id === OUTER ? connector : forStore(...args)),
  });
  transact(world.db, (tx) => {
    const own = { id: OUTER, name: 'outer', address: 'outer.test', identity: 'outer.test' };
    insertStore(tx, { ...getStore(tx, STORE_IDS[side]), ...own });
    const pair = present(findPair(tx, PAIR_ID), 'pair');
    insertPair(tx, { ...pair, id: 'pair_outer' as PairId, [`${side}StoreId`]: OUTER });
    enqueueWebhookCheck(tx, OUTER, world.clock.now());
  });
  await flow.rest();
  return { flow, shops: [world.shops[side], world.shops[shared], outer] };
}

for (const shared of SIDES)
  for (const apartMs of [0, 2_000, 20_000])
    test(`[M1] products that are added to both neighbours of the shared ${shared} shop within ${apartMs} ms are made there once`, async () => {
      const { flow, shops } = await chained(shared);
      const skus = Array.from({ length: 8 }, (_, i) => `MUG-${i}`);
      for (const sku of skus) {
        const mug = record({ title: sku }, [{ sku, quantity: 7 }]);
        shops[0]?.outside.addProduct(mug);
        await flow.world.clock.runFor(apartMs);
        shops[2]?.outside.addProduct(mug);
        await flow.rest(30);
      }
      assert.deepEqual(
        shops.map(({ shelf }) => shelf.products.size),
        shops.map(() => skus.length),
      );
      assert.deepEqual(flow.problems(), []);
      const shown = (sku: string) => shops.map(({ shelf }) => shelf.holdersOf(sku)[0]?.variant);
      for (const sku of skus) {
        const [first, , last] = shown(sku);
        shops[0]?.outside.sell(first?.stockId ?? '', 2);
        shops[2]?.outside.sell(last?.stockId ?? '', 1);
      }
      await flow.rest();
      for (const sku of skus)
        assert.deepEqual(
          shown(sku).map((own) => own?.quantity),
          [4, 4, 4],
        );
    });
