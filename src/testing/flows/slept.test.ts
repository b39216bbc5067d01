// The machine sleeps between a reading and the write that was decided on it: by its own clock no time has passed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CapabilitySet } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const TITLE = 'Mug';

async function linked(set: CapabilitySet = 'real'): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'newest' }, set);
  flow.stock(SIDES, { title: TITLE }, [{ sku: 'MUG' }]);
  return flow.link();
}

/** The machine sleeps once, right after the next answer to a reading of this kind, while `happens`. Returns how often the reading was asked for. */
function sleepAfter(
  flow: EngineFlow,
  side: Side,
  reading: 'readStock' | 'readProducts' | 'findByMark',
  happens: () => void,
): () => number {
  const connector = flow.connector(side);
  const { ctx } = flow.world.life();
  let brokenAt = 0;
  let asked = 0;
  Object.assign(ctx.clock, { brokenAt: () => brokenAt });
  const read = connector[reading].bind(connector) as (...args: readonly unknown[]) => Promise<unknown>;
  const hand = async (...args: readonly unknown[]) => {
    asked += 1;
    const answer = await read(...args);
    if (asked === 1) {
      brokenAt = ctx.clock.now();
      happens();
    }
    return answer;
  };
  Object.assign(flow.hands[side], { [reading]: hand });
  return () => asked;
}

test('[W1] a sale while the machine sleeps is not written over by stock that was read before', async () => {
  const flow = await linked();
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  const item = flow.item('woocommerce', 'MUG');
  const asked = sleepAfter(flow, 'woocommerce', 'readStock', () => {
    // Its webhook is still on its way when the machine wakes.
    shop.faults = { ...calm, delivery: () => ({ delaysMs: [60_000], isLate: true }) };
    shop.outside.sell(item, 2);
    shop.faults = calm;
  });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest(3);
  assert.ok(asked() >= 2, 'it was not read again');
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
});

test('[W1] a text that was typed while the machine slept is not written over', async () => {
  const flow = await linked();
  const shop = flow.shop('shopify');
  const { id } = flow.product('shopify', TITLE);
  sleepAfter(flow, 'shopify', 'readProducts', () => shop.outside.editProduct(id, 'descriptionHtml', '<p>2</p>'));
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', TITLE).id, 'descriptionHtml', '<p>1</p>');
  await flow.rest(3);
  const known = flow.changes('descriptionHtml').flatMap(({ from, to }) => [from, to]);
  assert.ok(known.includes('<p>2</p>'), 'what was typed is nowhere');
});

test('[G7, W1] what was found in the bin before the machine slept is asked for again before it is believed', async () => {
  const flow = new EngineFlow();
  for (const title of [TITLE, 'Witness']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const { id } = flow.product('woocommerce', TITLE);
  sleepAfter(flow, 'woocommerce', 'readProducts', () => untold(flow, 'woocommerce', (outside) => outside.restore(id)));
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest(5);
  assert.equal(flow.product('shopify', TITLE).fields.status, 'active');
  assert.deepEqual(flow.changes('deleted'), []);
});

test('[G7, W1] so is what was found there by its mark alone, after a create without an answer', async () => {
  const flow = await linked();
  faultOnce(flow.shop('woocommerce'), 'create_product', { type: 'timeout', when: 'after' });
  flow.stock(['shopify'], { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.world.clock.runFor(30_000);
  const { id } = flow.product('woocommerce', 'Bowl');
  const asked = sleepAfter(flow, 'woocommerce', 'findByMark', () =>
    untold(flow, 'woocommerce', (outside) => outside.restore(id)),
  );
  untold(flow, 'woocommerce', (outside) => outside.deleteProduct(id, 'bin'));
  await flow.rest(5);
  assert.ok(asked() >= 2, 'it was not asked for again');
  assert.equal(flow.product('shopify', 'Bowl').fields.status, 'active');
  assert.deepEqual(flow.changes('deleted'), []);
});

test('[S5] a platform that remembers keys is asked again after the machine slept: nobody has to be told of a doubt', async () => {
  const flow = await linked('keyed');
  const { ctx } = flow.world.life();
  faultOnce(flow.shop('shopify'), 'write_stock', { type: 'timeout', when: 'after' });
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
  for (let i = 0; flow.rows('SELECT 1 FROM variant_binding WHERE intent_key IS NOT NULL').length === 0; i += 1) {
    assert.ok(i < 600);
    await flow.world.clock.runFor(100);
  }
  await flow.world.clock.runFor(60_000);
  const brokenAt = ctx.clock.now();
  Object.assign(ctx.clock, { brokenAt: () => brokenAt });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
});
