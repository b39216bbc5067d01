// The machine sleeps between a reading and the write that was decided on it: by its own clock no time has passed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const TITLE = 'Mug';

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  flow.stock(SIDES, { title: TITLE }, [{ sku: 'MUG' }]);
  return flow.link();
}

/** The machine sleeps once, right after the next answer to a reading of this kind, while `happens`. Returns how often the reading was asked for. */
function sleepAfter(
  flow: EngineFlow,
  side: Side,
  reading: 'readStock' | 'readProducts',
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
