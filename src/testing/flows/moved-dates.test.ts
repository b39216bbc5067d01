import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

// People move the date of a WooCommerce product, and so do we where one is published before its time.

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  for (const i of [1, 2, 3]) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

function moveDate(flow: EngineFlow, title: string): void {
  Object.assign(flow.product('woocommerce', title), { createdAt: flow.world.clock.now() });
}

test('[V6, L5] a product that is left out, and whose date was moved, is counted, and not read for ever', async () => {
  const flow = await linked();
  const plain = flow.connector('woocommerce');
  let reads = 0;
  flow.unsyncable.set('Mug 1', { reason: 'bundle', detail: '' });
  flow.hands.woocommerce.readStock = (...args) => {
    reads += 1;
    return plain.readStock(...args);
  };
  moveDate(flow, 'Mug 1');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-1'), 1);
  await flow.rest(2);
  assert.deepEqual([flow.quantities('MUG-1'), reads < 5], [[9, 9], true]);
});

test('[V6] an address that was changed long ago is none of what makes it another record, though it was carried nowhere', async () => {
  const flow = await linked();
  const { outside } = flow.shop('woocommerce');
  const { id } = flow.product('woocommerce', 'Mug 1');
  outside.editProduct(id, 'handle', 'beaker');
  await flow.scan();
  moveDate(flow, 'Mug 1');
  outside.editProduct(id, 'title', 'Beaker');
  outside.renameSku(flow.item('woocommerce', 'MUG-1'), 'BEAKER');
  await flow.scan();
  assert.equal(flow.product('shopify', 'Beaker').fields.status, 'active');
  assert.equal(flow.count('shopify'), 3);
});
