import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
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

for (const { title, settings } of [
  { title: 'details are switched off', settings: { syncProducts: false } },
  { title: 'it is a target that drifts', settings: { syncDirection: 'shopify_to_woocommerce' } },
] as const)
  test(`[V6, R10, R11] nor is what was edited long ago and is not taken in, because ${title}`, async () => {
    const flow = await linked();
    flow.change(settings);
    const { outside } = flow.shop('woocommerce');
    const { id } = flow.product('woocommerce', 'Mug 1');
    outside.editProduct(id, 'title', 'Beaker');
    outside.renameSku(flow.item('woocommerce', 'MUG-1'), 'BEAKER');
    await flow.scan();
    moveDate(flow, 'Beaker');
    outside.editProduct(id, 'handle', 'beaker');
    await flow.scan();
    outside.sell(flow.item('woocommerce', 'BEAKER'), 1);
    await flow.scan();
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
    assert.deepEqual([flow.quantity('woocommerce', 'BEAKER'), flow.quantity('shopify', 'MUG-1')], [9, 9]);
    assert.equal(flow.count('woocommerce'), 3);
  });

for (const isLost of [true, false])
  test(`[V6, S5] what became of a write without an answer is not read from ${isLost ? 'another product under the id' : 'a product of a moved date before that is read'}`, async () => {
    const flow = await linked();
    flow.stock(['woocommerce'], { title: 'Lost' }, [{ sku: 'LOST', quantity: 8 }]);
    await flow.rest();
    const shop = flow.shop('woocommerce');
    const { id } = flow.product('woocommerce', 'Lost');
    // Its webhooks come late.
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
    flow.hands.woocommerce.writeStock = async (writes, signal) => {
      flow.hands.woocommerce = {};
      if (isLost) {
        shop.outside.putBack(id);
        flow.stock(['woocommerce'], { title: 'Teapot' }, [{ sku: 'TEA', quantity: 1 }]);
      } else {
        await flow.connector('woocommerce').writeStock(writes, signal);
        moveDate(flow, 'Lost');
      }
      return writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unknown_outcome', 'no answer') }));
    };
    flow.shop('shopify').outside.sell(flow.item('shopify', 'LOST'), 2);
    await flow.rest(60);
    assert.deepEqual([flow.quantity('shopify', 'LOST'), flow.hubQuantity('LOST'), flow.problems()], [6, 6, []]);
    assert.equal(flow.product('shopify', 'Lost').fields.status, isLost ? 'archived' : 'active');
  });
