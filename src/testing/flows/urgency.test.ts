// What a shop tells of: how soon its turn comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

test('[W7] an edit is no sale: it waits behind one, also where the shop tells of both alike', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  // What waits stays where it is, to be looked at.
  transact(flow.world.db, (tx) => updatePair(tx, PAIR_ID, { status: 'paused' }));
  const { woocommerce, shopify } = flow.world.shops;
  const holder = (shop: typeof shopify, sku: string) => present(shop.shelf.holdersOf(sku)[0], sku);
  const waiting = () =>
    flow.world.db.connection
      .prepare("SELECT task, priority FROM job WHERE group_key = ? AND state = 'ready' ORDER BY priority, task")
      .all(PAIR_ID) as { task: string; priority: number }[];
  shopify.outside.editProduct(holder(shopify, 'MUG').product.id, 'title', 'Cup');
  await flow.rest(1);
  assert.deepEqual(waiting(), [{ task: 'sync_products', priority: JOB_PRIORITY.product }]);
  woocommerce.outside.editProduct(holder(woocommerce, 'BOWL').product.id, 'title', 'Dish');
  shopify.outside.sell(holder(shopify, 'MUG').variant.stockId, 1);
  await flow.rest(1);
  assert.deepEqual(waiting(), [
    { task: 'look_at_stock', priority: JOB_PRIORITY.stock },
    { task: 'sync_stock', priority: JOB_PRIORITY.stock },
    { task: 'sync_products', priority: JOB_PRIORITY.possibleSale },
    { task: 'sync_products', priority: JOB_PRIORITY.product },
  ]);
});

/** Two linked products; the writes of edits to Shopify take a minute. Counts what is read of WooCommerce's stock alone. */
async function busy() {
  const flow = new EngineFlow();
  for (const sku of ['MUG', 'BOWL', 'POT']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  await flow.link();
  const { clock } = flow.world;
  const shopify = flow.connector('shopify');
  flow.hands.shopify = {
    writeProducts: async (...asked) => {
      await clock.sleep(60_000);
      return shopify.writeProducts(...asked);
    },
  };
  let looks = 0;
  let isMute = false;
  const woocommerce = flow.connector('woocommerce');
  flow.hands.woocommerce = {
    readStock: async (...asked) => {
      looks += 1;
      if (isMute) throw new ConnectorError('unavailable', 'no answer');
      return woocommerce.readStock(...asked);
    },
  };
  return {
    flow,
    looks: () => looks,
    mute: (is: boolean) => {
      isMute = is;
    },
    wait: (ms: number) => clock.runFor(ms),
  };
}

test('[W7] a sale that WooCommerce tells of as an edit arrives at once, although the products of its pair are busy for a minute', async () => {
  const { flow, wait } = await busy();
  const { outside } = flow.shop('woocommerce');
  outside.editProduct(flow.product('woocommerce', 'BOWL').id, 'title', 'Dish');
  await wait(2_000);
  outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await wait(2_000);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  assert.equal(flow.product('shopify', 'BOWL').fields.title, 'BOWL', 'its edit is still on its way');
  // Sold while it is being saved itself.
  outside.sell(flow.item('woocommerce', 'BOWL'), 4);
  await wait(2_000);
  assert.deepEqual(flow.quantities('BOWL'), [6, 6]);
  const rows = flow.rows<{ priority: number }>(
    "SELECT priority FROM job WHERE task = 'sync_products' AND state = 'ready'",
  );
  assert.deepEqual(rows, [{ priority: JOB_PRIORITY.product }], 'what was looked at is an edit like any other');
  await flow.rest(5);
  assert.deepEqual([flow.problems(), flow.quantities('MUG'), flow.quantities('BOWL')], [[], [7, 7], [6, 6]]);
});

test('[W7] where the turn of an edit comes in time nobody looks, and where the shop does not answer it is asked again', async () => {
  const { flow, looks, wait, mute } = await busy();
  const { outside } = flow.shop('woocommerce');
  outside.editProduct(flow.product('woocommerce', 'BOWL').id, 'title', 'Dish');
  await wait(1_000);
  assert.equal(looks(), 0);
  mute(true);
  outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await wait(1_000);
  assert.deepEqual([looks(), flow.quantities('MUG')], [1, [7, 10]]);
  mute(false);
  await wait(3_000);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  await flow.rest(5);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
});

test('[W7] a sale in WooCommerce does not wait for the fence of an edit that Shopify never answered', async () => {
  const { flow, wait } = await busy();
  flow.hands.shopify = {
    writeProducts: async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'no answer') })),
  };
  const { outside } = flow.shop('woocommerce');
  outside.editProduct(flow.product('woocommerce', 'MUG').id, 'title', 'Cup');
  await wait(5_000);
  outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await wait(2_000);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  assert.equal(flow.product('shopify', 'MUG').fields.title, 'MUG');
  flow.hands.shopify = {};
  await flow.rest();
  assert.deepEqual([flow.product('shopify', 'Cup').fields.title, flow.problems()], ['Cup', []]);
});

test('[W7] a sale in WooCommerce waits neither for the others of its batch nor for a fence behind that', async () => {
  for (const isFenced of [true, false]) {
    const { flow, wait } = await busy();
    const shopify = flow.connector('shopify');
    flow.hands.shopify = {
      writeProducts: async (writes, ...more) => {
        const text = JSON.stringify(writes);
        if (text.includes('Cup'))
          return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'no answer') }));
        await flow.world.clock.sleep(text.includes('Dish') ? 60_000 : 200);
        return shopify.writeProducts(writes, ...more);
      },
    };
    const { outside } = flow.shop('woocommerce');
    const edit = (sku: string, title: string) =>
      outside.editProduct(flow.product('woocommerce', sku).id, 'title', title);
    if (isFenced) edit('MUG', 'Cup');
    await wait(5_000);
    // Claimed together with the sale, a moment later.
    edit('POT', 'Kettle');
    await wait(100);
    edit('BOWL', 'Dish');
    outside.sell(flow.item('woocommerce', 'MUG'), 3);
    await wait(5_000);
    assert.deepEqual(flow.quantities('MUG'), [7, 7], isFenced ? 'fenced' : 'not fenced');
    assert.equal(flow.product('shopify', 'BOWL').fields.title, 'BOWL', 'the batch is at work still');
  }
});
