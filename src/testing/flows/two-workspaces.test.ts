// One real shop that two workspaces have connected, each with a shop of its own on the other side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryConnector } from '../../connectors/memory/connector.ts';
import { calmPlan } from '../../connectors/memory/fault-plan.ts';
import { PERSONALITIES } from '../../connectors/memory/personality.ts';
import { MemoryPlatform } from '../../connectors/memory/platform.ts';
import { transact } from '../../db/database.ts';
import { findPair, getStore } from '../../db/readers/pairs.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { insertPair, insertStore, updateStore } from '../../db/writers/stores.ts';
import { haltPair, pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan } from '../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Connector, StockWrite } from '../../ports/connector.ts';
import { SeededRandom } from '../simulator/random.ts';
import { PAIR_ID, STORE_IDS } from '../simulator/world.ts';
import { EngineFlow, type FlowVariant, record } from './engine-flow.ts';

const OTHER = 'ws_other' as WorkspaceId;
const OTHER_PAIR = 'pair_other' as PairId;
/** The shared WooCommerce shop as the other workspace has it, and that one's own Shopify shop. */
const SAME = 'str_same' as StoreId;
const OUTER = 'str_outer' as StoreId;

interface Shared {
  readonly flow: EngineFlow;
  /** WooCommerce, the Shopify shop of the first workspace, that of the other. */
  readonly shops: readonly MemoryPlatform[];
  /** Writes of one item or record of the shared shop that were under way at once. */
  readonly overlaps: readonly string[];
  /** Takes the place of the first workspace's stock writes. */
  readonly hands: {
    writeStock: ((writes: readonly StockWrite[], send: () => Promise<unknown>) => Promise<never>) | null;
  };
  quantities(sku: string): readonly (number | undefined)[];
}

/** Both pairs linked, with one product in all three shops. */
async function sharedBy(variants: readonly FlowVariant[]): Promise<Shared> {
  const flow = new EngineFlow();
  const { world } = flow;
  const outer = new MemoryPlatform({
    ...{ name: 'outer.test', personality: PERSONALITIES.shopify, clock: world.clock },
    ...{ random: new SeededRandom('outer'), firstId: 8_007_199_254_740_993n },
    deliver: async (delivery) => (await world.process?.receive(OUTER, delivery)) ?? false,
  });
  const shops = [world.shops.woocommerce, world.shops.shopify, outer];
  if (variants.length > 0) for (const shop of shops) shop.outside.addProduct(record({ title: 'Mug' }, variants));

  const life = world.life();
  const { receive } = life;
  const overlaps: string[] = [];
  const hands: Shared['hands'] = { writeStock: null };
  const underWay = new Set<string>();
  const isAlive = () => world.isAlive();
  const connector = (shop: MemoryPlatform) => new MemoryConnector(shop, { isAlive });
  const connectors: Partial<Record<StoreId, Connector>> = {
    [STORE_IDS.woocommerce]: watched(connector(world.shops.woocommerce), underWay, overlaps, hands),
    [SAME]: watched(connector(world.shops.woocommerce), underWay, overlaps, { writeStock: null }),
    [OUTER]: connector(outer),
  };
  const { forStore } = life.ctx.connectors;
  Object.assign(life.ctx.connectors, {
    forStore: (...args: Parameters<typeof forStore>) => connectors[args[0].id] ?? forStore(...args),
  });
  // What the shared shop tells, it tells both.
  Object.assign(life, {
    receive: async (...[id, delivery]: Parameters<typeof receive>) => {
      if (id === STORE_IDS.woocommerce) await receive(SAME, delivery);
      return receive(id, delivery);
    },
  });
  transact(world.db, (tx) => {
    const other = { workspaceId: OTHER };
    insertStore(tx, { ...getStore(tx, STORE_IDS.woocommerce), ...other, id: SAME, name: 'same' });
    const at = { address: 'outer.test', identity: 'outer.test' };
    insertStore(tx, { ...getStore(tx, STORE_IDS.shopify), ...other, ...at, id: OUTER, name: 'outer' });
    const pair = present(findPair(tx, PAIR_ID), 'pair');
    insertPair(tx, { ...pair, ...other, id: OTHER_PAIR, woocommerceStoreId: SAME, shopifyStoreId: OUTER });
    for (const id of [SAME, OUTER]) enqueueWebhookCheck(tx, id, world.clock.now());
  });
  await flow.link();
  const plan = requestPlan(life.ctx, OTHER_PAIR);
  await flow.rest(5);
  applyPlan(life.ctx, plan.id, findPlan(world.db, plan.id)?.hash ?? '');
  await flow.rest();
  const quantities = (sku: string) => shops.map(({ shelf }) => shelf.holdersOf(sku)[0]?.variant.quantity);
  return { flow, shops, overlaps, hands, quantities };
}

function watched(connector: Connector, underWay: Set<string>, overlaps: string[], hands: Shared['hands']): Connector {
  const alone = async <T>(keys: readonly string[], work: () => Promise<T>): Promise<T> => {
    overlaps.push(...keys.filter((key) => underWay.has(key)));
    for (const key of keys) underWay.add(key);
    try {
      return await work();
    } finally {
      for (const key of keys) underWay.delete(key);
    }
  };
  const own: Partial<Connector> = {
    writeStock: (writes, ...rest) => {
      const send = () => connector.writeStock(writes, ...rest);
      if (hands.writeStock !== null) return hands.writeStock(writes, send);
      return alone(
        writes.map(({ stockId }) => stockId),
        send,
      );
    },
    writeProducts: (writes, ...rest) =>
      alone(
        writes.map((write) =>
          write.type === 'create' ? `new ${write.variants[0]?.fields.sku}` : `record ${write.externalId}`,
        ),
        () => connector.writeProducts(writes, ...rest),
      ),
  };
  return new Proxy(connector, {
    get: (target, name: keyof Connector) => {
      const value = own[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const sell = (shop: MemoryPlatform | undefined, sku: string) =>
  shop?.outside.sell(shop.shelf.holdersOf(sku)[0]?.variant.stockId ?? '', 1);

test('[S4] two workspaces that have one shop lose no sale of both their other shops, and never write an item at once', async () => {
  const skus = Array.from({ length: 6 }, (_, i) => `MUG-${i}`);
  const { flow, shops, overlaps, quantities } = await sharedBy(skus.map((sku) => ({ sku, size: sku })));
  for (const sku of skus) assert.deepEqual(quantities(sku), [10, 10, 10]);
  flow.shop('woocommerce').faults = calmPlan(800);
  for (const apartMs of [0, 0, 300, 900]) {
    for (const sku of skus) {
      sell(shops[1], sku);
      await flow.world.clock.runFor(apartMs);
      sell(shops[2], sku);
    }
    await flow.rest();
  }
  for (const sku of skus) assert.deepEqual(quantities(sku), [2, 2, 2]);
  assert.deepEqual(overlaps, []);
  assert.deepEqual(flow.problems(), []);
});

test('[W3] edits that both workspaces carry to one record of their shop go one after the other, and both arrive', async () => {
  const { flow, shops, overlaps } = await sharedBy([{ sku: 'MUG' }]);
  flow.shop('woocommerce').faults = calmPlan(800);
  const [, first, second] = shops;
  const idIn = (shop: MemoryPlatform | undefined) => shop?.shelf.holdersOf('MUG')[0]?.product.id ?? '';
  first?.outside.editProduct(idIn(first), 'title', 'Red mug');
  second?.outside.editProduct(idIn(second), 'descriptionHtml', '<p>Large</p>');
  await flow.rest();
  for (const shop of shops) {
    const fields = shop.shelf.products.get(idIn(shop))?.fields;
    assert.deepEqual([fields?.title, fields?.descriptionHtml], ['Red mug', '<p>Large</p>']);
  }
  assert.deepEqual(overlaps, []);
});

for (const apartMs of [0, 2_000])
  test(`[M1] what both workspaces' other shops are given within ${apartMs} ms is made once in the shop that they share`, async () => {
    const { flow, shops, overlaps, quantities } = await sharedBy([]);
    flow.shop('woocommerce').faults = calmPlan(3_000);
    const skus = Array.from({ length: 4 }, (_, i) => `CUP-${i}`);
    for (const sku of skus) {
      shops[1]?.outside.addProduct(record({ title: sku }, [{ sku, quantity: 7 }]));
      await flow.world.clock.runFor(apartMs);
      shops[2]?.outside.addProduct(record({ title: sku }, [{ sku, quantity: 7 }]));
      await flow.rest(30);
    }
    assert.deepEqual(
      shops.map(({ shelf }) => shelf.products.size),
      shops.map(() => skus.length),
    );
    for (const sku of skus) assert.deepEqual(quantities(sku), [7, 7, 7]);
    assert.deepEqual(overlaps, []);
    assert.deepEqual(flow.problems(), []);
  });

/** A write that lands, and is never answered. */
const unanswered: NonNullable<Shared['hands']['writeStock']> = async (_writes, send) => {
  await send();
  throw new ConnectorError('unknown_outcome', 'the answer was lost');
};

test('[S4] what one workspace has on its way to an item holds up the other until it is settled, and nothing is counted twice', async () => {
  const { flow, shops, hands, quantities } = await sharedBy([{ sku: 'MUG' }]);
  hands.writeStock = unanswered;
  sell(shops[1], 'MUG');
  await flow.world.clock.runFor(3_000);
  hands.writeStock = null;
  assert.equal(quantities('MUG')[0], 9, 'it has landed');
  sell(shops[2], 'MUG');
  await flow.world.clock.runFor(20_000);
  assert.equal(quantities('MUG')[0], 9, 'the other one waits for the fence');
  await flow.rest();
  assert.deepEqual(quantities('MUG'), [8, 8, 8]);
  assert.deepEqual(flow.problems(), []);
});

test('[S4] [S5] a pair that its people have paused holds up another workspace until the fence; what became of its own write is then in doubt, and told', async () => {
  const { flow, shops, hands, quantities } = await sharedBy([{ sku: 'MUG' }]);
  const { ctx } = flow.world.life();
  hands.writeStock = unanswered;
  sell(shops[1], 'MUG');
  await flow.world.clock.runFor(3_000);
  hands.writeStock = null;
  pausePair(ctx, PAIR_ID);
  sell(shops[2], 'MUG');
  await flow.rest(30);
  assert.deepEqual([quantities('MUG')[0], quantities('MUG')[2]], [8, 8]);
  resumePair(ctx, PAIR_ID);
  await flow.rest();
  const [units] = quantities('MUG');
  assert.deepEqual(quantities('MUG'), [units, units, units]);
  assert.equal(units, 7, 'the lower of the two that may be true');
  assert.deepEqual(flow.problems(), ['STOCK_DOUBT']);
  const [told] = flow.rows<{ pairId: string }>('SELECT pair_id AS pairId FROM problem');
  assert.equal(told?.pairId, PAIR_ID);
});

test('[S4, G1] a pair that was halted and goes on with its stock settles what it has on its way, and another workspace waits for that', async () => {
  const { flow, shops, hands, quantities } = await sharedBy([{ sku: 'MUG' }]);
  const { ctx } = flow.world.life();
  hands.writeStock = unanswered;
  sell(shops[1], 'MUG');
  await flow.world.clock.runFor(3_000);
  hands.writeStock = null;
  haltPair(ctx, PAIR_ID, { reason: 'mass_price_cut', side: 'shopify', count: 11, limit: 10, at: ctx.clock.now() });
  // Its own turn comes later than the fence ends.
  flow.world.db.connection.exec(
    `UPDATE job SET run_at = run_at + 300000 WHERE group_key = '${PAIR_ID}' AND task = 'sync_stock'`,
  );
  sell(shops[2], 'MUG');
  await flow.rest(30);
  assert.deepEqual(quantities('MUG'), [8, 8, 8]);
  assert.deepEqual(flow.problems(), []);
});

test('[A6] nothing of one workspace stands in what the other one is shown', async () => {
  const { flow, shops } = await sharedBy([{ sku: 'MUG' }]);
  sell(shops[1], 'MUG');
  sell(shops[2], 'MUG');
  await flow.rest();
  const shown = flow.rows<{ text: string }>(
    `SELECT type || ' ' || payload AS text FROM event WHERE workspace_id = ?
     UNION ALL SELECT field || ' ' || coalesce(origin, '') || ' ' || coalesce(target, '') || ' ' || cause FROM change WHERE pair_id = ?`,
    ...[OTHER, OTHER_PAIR],
  );
  assert.ok(shown.length > 0);
  for (const { text } of shown) assert.doesNotMatch(text, /pair_sim|ws_sim|"str_[ws]"/);
});

test('[A6] a pass that is under way when its store moves counts and writes nothing: its locks are those of the old address', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce', 'shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  let readings = 0;
  let readingsBeforeWrite: number | null = null;
  const shop = flow.connector('woocommerce');
  flow.hands.woocommerce.readStock = (...asked) => {
    readings += 1;
    if (readings === 1)
      transact(flow.world.db, (tx) => updateStore(tx, STORE_IDS.woocommerce, { address: 'moved.test' }));
    return shop.readStock(...asked);
  };
  flow.hands.woocommerce.writeStock = (...asked) => {
    readingsBeforeWrite ??= readings;
    return shop.writeStock(...asked);
  };
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
  assert.ok((readingsBeforeWrite ?? 0) > 1, `written after ${readingsBeforeWrite} readings`);
});
