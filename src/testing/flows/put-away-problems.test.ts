// What was deleted in one shop and put away in the other is sold by nobody: what was told of its stock can wait until it is back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(quantity: number, settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const sku of ['X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity }]);
  return flow.link();
}

async function oversell(flow: EngineFlow): Promise<void> {
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
}

async function stopCounting(flow: EngineFlow, side: Side): Promise<void> {
  flow.shop(side).outside.setTracked(flow.item(side, 'MUG'), false);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['STOCK_TRACKING_CHANGED']);
}

async function putAway(flow: EngineFlow, side: Side, how: 'bin' | 'hard'): Promise<string> {
  const { id } = flow.product(side, 'Mug');
  flow.shop(side).outside.deleteProduct(id, how);
  await flow.rest();
  for (let i = 0; i < 2; i += 1) await flow.scan();
  return id;
}

for (const [side, how] of [...SIDES.map((each) => [each, 'hard'] as const), ['woocommerce', 'bin'] as const]) {
  test(`[P1, S9] oversold, then deleted (${how}) on ${side} and put away on the other: told no more, nobody could put it right`, async () => {
    const flow = await linked(1);
    await oversell(flow);
    await putAway(flow, side, how);
    assert.deepEqual(flow.problems(), []);
  });

  test(`[P1, S6] its tracking was turned, then it is deleted (${how}) on ${side} and put away on the other: nobody is asked any more`, async () => {
    const flow = await linked(10);
    await stopCounting(flow, otherSide(side));
    await putAway(flow, side, how);
    assert.deepEqual(flow.problems(), []);
  });
}

test('[P1, S9] oversold, and taken out of the bin: told again, until it is restocked', async () => {
  const flow = await linked(1);
  await oversell(flow);
  const { message } = flow.words('OVERSOLD');
  const id = await putAway(flow, 'woocommerce', 'bin');
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  assert.equal(flow.words('OVERSOLD').message, message);
  flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG'), 5);
  await flow.rest();
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [4, 4]]);
});

test('[P1, S6] its tracking was turned, and it is taken out of the bin: asked again as before, and linked when a person says so', async () => {
  const flow = await linked(10);
  await stopCounting(flow, 'shopify');
  const asked = flow.words('STOCK_TRACKING_CHANGED');
  const id = await putAway(flow, 'woocommerce', 'bin');
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['STOCK_TRACKING_CHANGED']);
  assert.deepEqual(flow.words('STOCK_TRACKING_CHANGED'), asked);
  flow.shop('shopify').outside.setTracked(flow.item('shopify', 'MUG'), true);
  flow.shop('shopify').outside.recount(flow.item('shopify', 'MUG'), 7);
  await flow.rest();
  for (const { id: problem } of flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'"))
    retryProblem(flow.world.life().ctx, problem);
  await flow.rest(60);
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [7, 7]]);
});

test('[P1, S6] ... also where the history has forgotten what was asked', async () => {
  const flow = await linked(10);
  await stopCounting(flow, 'shopify');
  const id = await putAway(flow, 'woocommerce', 'bin');
  flow.world.db.connection.prepare("DELETE FROM problem WHERE state = 'closed'").run();
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['STOCK_TRACKING_CHANGED']);
  assert.match(flow.words('STOCK_TRACKING_CHANGED').message, /stock of "Mug" \(MUG\) is not linked any more/);
});

test('[P1, S8] zero against stock, and put away meanwhile: asked again with the numbers when it is back, and never summed', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'sum' });
  for (const sku of ['X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 0 }]);
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 9 }]);
  await flow.link();
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  const id = await putAway(flow, 'woocommerce', 'bin');
  assert.deepEqual(flow.problems(), []);
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  assert.match(flow.words('STOCK_ZERO_CONSENT').message, /0 in WooCommerce and 9 in Shopify/);
});

test('[P1, S9] deleted while the policy keeps its counterpart on sale: an oversell stays told, and ends with a restock there', async () => {
  const flow = await linked(1, { deletePolicy: 'keep' });
  await oversell(flow);
  await putAway(flow, 'woocommerce', 'bin');
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG'), 5);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), []);
});
