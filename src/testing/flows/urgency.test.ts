// What a shop tells of: how soon its turn comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { present } from '../../lib/assert.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

test('[W7] an edit is no sale: it waits behind one, also where the shop tells of both alike', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const { capabilities } = flow.connector('woocommerce');
  flow.hands.woocommerce = { capabilities: { ...capabilities, tellsStock: false } };
  // What waits stays where it is, to be looked at.
  transact(flow.world.db, (tx) => updatePair(tx, PAIR_ID, { status: 'paused' }));
  const { woocommerce, shopify } = flow.world.shops;
  const holder = (shop: typeof shopify, sku: string) => present(shop.shelf.holdersOf(sku)[0], sku);
  const waiting = () =>
    flow.world.db.connection
      .prepare("SELECT task, priority FROM job WHERE group_key = ? AND state = 'ready' ORDER BY priority")
      .all(PAIR_ID) as { task: string; priority: number }[];
  shopify.outside.editProduct(holder(shopify, 'MUG').product.id, 'title', 'Cup');
  await flow.rest(1);
  assert.deepEqual(waiting(), [{ task: 'sync_products', priority: JOB_PRIORITY.product }]);
  woocommerce.outside.editProduct(holder(woocommerce, 'BOWL').product.id, 'title', 'Dish');
  shopify.outside.sell(holder(shopify, 'MUG').variant.stockId, 1);
  await flow.rest(1);
  assert.deepEqual(waiting(), [
    { task: 'sync_stock', priority: JOB_PRIORITY.stock },
    { task: 'sync_products', priority: JOB_PRIORITY.possibleSale },
    { task: 'sync_products', priority: JOB_PRIORITY.product },
  ]);
});
