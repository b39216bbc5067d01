// What lies in WooCommerce's bin keeps its SKUs from new products.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../lib/time.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES } from '../../model/platform.ts';
import { Story } from './depth/story.ts';
import { EngineFlow } from './engine-flow.ts';

test('[B12] a SKU that lies in WooCommerce’s bin: the plan leaves the product out and says why, and links the two once it is taken out of the bin', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    story.woo.addProduct({ title: 'Old C', sku: 'C', regularPrice: '5.00', stock: 3 });
    story.shop.addProduct({ title: 'C now', sku: 'C', price: '6.00', stock: 3 });
    story.shop.addProduct({ title: 'D', sku: 'D', price: '6.00', stock: 3 });
    story.woo.trashProduct('C');
    const { plan } = await story.link();
    const planned = new Map(story.planItems(plan).map((item) => [item.title, item]));
    assert.deepEqual([planned.get('D')?.action, planned.get('C now')?.action], ['create', 'skip']);
    assert.equal(
      planned.get('C now')?.data.reason,
      'WooCommerce would refuse it: its SKU C belongs to “Old C”, which lies in the bin. Take that out of the bin, or delete it there for good.',
    );
    await story.rest(MINUTE_MS);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED'], 'once it was applied');
    story.woo.restoreProduct('C');
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    story.shop.placeOrder([{ variant: 'C', quantity: 1 }]);
    await story.rest(MINUTE_MS);
    assert.deepEqual(
      [story.stock('C'), story.stock('D')],
      [
        [2, 2],
        [3, 3],
      ],
    );
  }));

test('[B12] a bin is listed once a plan, only where something is to be made, and a shop that does not show it is planned all the same', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Cup' }, [{ sku: 'CUP' }]);
  let listed = 0;
  const { listBin } = flow.connector('woocommerce');
  flow.hands.woocommerce.listBin = async (signal) => {
    listed += 1;
    return listBin(signal);
  };
  await flow.plan();
  assert.equal(listed, 0);
  for (const title of ['Bowl', 'Jug']) flow.stock(['shopify'], { title }, [{ sku: title.toUpperCase() }]);
  await flow.plan();
  assert.equal(listed, 1);
  flow.hands.woocommerce.listBin = async () => {
    throw new ConnectorError('rejected', 'a plug-in says no');
  };
  await flow.plan();
  const made = flow.rows(
    "SELECT 1 FROM plan_item JOIN plan ON plan.id = plan_id WHERE action = 'create' AND status = 'ready'",
  );
  assert.equal(made.length, 2);
});
