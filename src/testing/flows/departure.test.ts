// A platform is strained and lets a write wait: what it was decided on grows old meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../connectors/memory/fault-plan.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const TITLE = 'Mug';

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  flow.stock(SIDES, { title: TITLE }, [{ sku: 'MUG' }]);
  return flow.link();
}

/** The next `times` requests of this kind are sent away for so long; returns how often that was done. */
function strain(flow: EngineFlow, side: Side, operation: Operation, retryAfterMs: number, times = 1): () => number {
  const shop = flow.shop(side);
  const calm = shop.faults;
  let count = 0;
  shop.faults = {
    request(facts) {
      if (facts.operation !== operation || count >= times) return calm.request(facts);
      count += 1;
      return { ...calm.request(facts), fault: { type: 'rate_limited', retryAfterMs } };
    },
    delivery: calm.delivery,
  };
  return () => count;
}

/** Product writes wait so long for their turn before they leave; returns how often one was asked for. */
function holdWrites(flow: EngineFlow, side: Side, ms: number): () => number {
  const connector = flow.connector(side);
  let asked = 0;
  flow.hands[side].writeProducts = async (writes, signal, cut) => {
    asked += 1;
    await flow.world.clock.sleep(ms, signal).catch(() => undefined);
    return connector.writeProducts(writes, signal, cut);
  };
  return () => asked;
}

test('[W1] stock that is written blindly: a sale while the store lets the write wait is not lost', async () => {
  const flow = await linked();
  const strained = strain(flow, 'woocommerce', 'write_stock', 20_000);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.world.clock.runFor(8_000);
  assert.equal(strained(), 1);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
  await flow.rest(3);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
});

test('[W1] a store that is strained for long is written to all the same, and nothing is counted twice', async () => {
  const flow = await linked();
  strain(flow, 'woocommerce', 'write_stock', 20_000, 12);
  for (let i = 0; i < 4; i += 1) {
    flow
      .shop(i % 2 === 0 ? 'shopify' : 'woocommerce')
      .outside.sell(flow.item(i % 2 === 0 ? 'shopify' : 'woocommerce', 'MUG'), 1);
    await flow.world.clock.runFor(20_000);
  }
  await flow.rest(5);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[6, 6], []]);
});

test('[W1] a text that somebody types while the store lets the write wait is merged and not written over', async () => {
  const flow = await linked();
  strain(flow, 'shopify', 'update_product', 25_000);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', TITLE).id, 'descriptionHtml', '<p>1</p>');
  await flow.world.clock.runFor(15_000);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', TITLE).id, 'descriptionHtml', '<p>2</p>');
  await flow.rest(3);
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, TITLE).fields.descriptionHtml),
    ['<p>2</p>', '<p>2</p>'],
  );
  const known = flow.changes('descriptionHtml').flatMap(({ from, to }) => [from, to]);
  assert.ok(known.includes('<p>1</p>'), 'the history knows what gave way');
});

test('[W1] what a listing shows of a product whose write waits is not written over a moment later', async () => {
  const flow = await linked();
  for (const side of SIDES) strain(flow, side, 'inspect', 1);
  strain(flow, 'shopify', 'update_product', 6_000);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', TITLE).id, 'descriptionHtml', '<p>1</p>');
  await flow.world.clock.runFor(2_000);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', TITLE).id, 'descriptionHtml', '<p>2</p>');
  await flow.scan();
  await flow.rest(3);
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, TITLE).fields.descriptionHtml),
    ['<p>2</p>', '<p>2</p>'],
  );
});

test('[W1] a store that takes eight seconds to be read is written to, though the write has to wait two more for its turn', async () => {
  const flow = await linked();
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = {
    request: (facts) => ({
      ...calm.request(facts),
      ...(facts.operation === 'read_products' ? { latencyMs: 8_500 } : {}),
    }),
    delivery: calm.delivery,
  };
  const asked = holdWrites(flow, 'shopify', 2_000);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', TITLE).id, 'descriptionHtml', '<p>1</p>');
  await flow.rest(2);
  assert.deepEqual([flow.product('shopify', TITLE).fields.descriptionHtml, asked()], ['<p>1</p>', 1]);
});

test('[W1] a store whose every answer takes six seconds is written to, though the write reads for itself before it leaves', async () => {
  const flow = await linked();
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = {
    request: (facts) => ({ ...calm.request(facts), latencyMs: 6_000 }),
    delivery: calm.delivery,
  };
  const connector = flow.connector('woocommerce');
  // What the shop usually takes is known of it by then.
  for (let i = 0; i < 80; i += 1) await flow.world.clock.run(connector.listChanged(null));
  const asked = holdWrites(flow, 'woocommerce', 6_000);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', TITLE).id, 'descriptionHtml', '<p>1</p>');
  await flow.rest(4);
  assert.deepEqual([flow.product('woocommerce', TITLE).fields.descriptionHtml, asked()], ['<p>1</p>', 1]);
});

test('[W1] stock that was read in many requests is as old as its own: a sale while the others were under way is not lost', async () => {
  const flow = await linked();
  const { clock } = flow.world;
  const connector = flow.connector('woocommerce');
  let isFirst = true;
  flow.hands.woocommerce.readStock = async (ids, signal) => {
    const outcomes = await connector.readStock(ids, signal);
    const at = clock.now();
    if (isFirst) await clock.sleep(7_000);
    isFirst = false;
    return outcomes.map((outcome) => (outcome.ok ? { ...outcome, at } : outcome));
  };
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await clock.runFor(5_000);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
  await flow.rest(3);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
});

test('[W1] a store that refuses a write after a while for reasons of its own is asked again with growing distance', async () => {
  const flow = await linked();
  const asked = { products: 0, stock: 0 };
  const refuse = async (): Promise<never> => {
    await flow.world.clock.sleep(12_000);
    throw new ConnectorError('unavailable', 'a page instead of an answer');
  };
  flow.hands.woocommerce.writeProducts = () => {
    asked.products += 1;
    return refuse();
  };
  flow.hands.woocommerce.writeStock = () => {
    asked.stock += 1;
    return refuse();
  };
  flow.shop('shopify').outside.editProduct(flow.product('shopify', TITLE).id, 'descriptionHtml', '<p>1</p>');
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest(30);
  // Ninety times and more, were it taken for a write that has only missed its turn.
  assert.ok(asked.products < 45 && asked.stock < 45, JSON.stringify(asked));
});
