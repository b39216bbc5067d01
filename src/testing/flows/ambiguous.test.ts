// Records that more than one could be meant by: told, and settled by whoever makes their keys unique.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

/** One mug in WooCommerce, and two with its SKU in Shopify. */
function threeMugs(): EngineFlow {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 5 }]);
  flow.stock(['shopify'], { title: 'Mug one' }, [{ sku: 'MUG', quantity: 5 }]);
  flow.stock(['shopify'], { title: 'Mug two' }, [{ sku: 'MUG', quantity: 5 }]);
  return flow;
}

function rename(flow: EngineFlow, title: string, sku: string): void {
  flow.shop('shopify').outside.renameSku(flow.product('shopify', title).variants[0]?.stockId ?? '', sku);
}

const renameTwo = (flow: EngineFlow) => rename(flow, 'Mug two', 'MUG-2');

test('[M3, P1] what a plan left to a person is told once it is applied; who corrects one of them has the others linked at once', async () => {
  const correct: Record<string, (flow: EngineFlow) => void> = {
    'renamed there': renameTwo,
    'deleted there': (flow) =>
      flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug two').id, 'hard'),
  };
  for (const [how, act] of Object.entries(correct)) {
    const flow = threeMugs();
    await flow.link();
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH'], how);
    act(flow);
    await flow.rest();
    assert.deepEqual(flow.problems(), [], how);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG'), [3, 3], how);
  }
});

for (const when of ['first', 'second'] as const)
  test(`[M3, P1] what was corrected after the ${when} plan was made is not told when it is applied, and linked`, async () => {
    const flow = threeMugs();
    if (when === 'second') await flow.link();
    await flow.plan();
    renameTwo(flow);
    if (when === 'second') await flow.rest();
    await flow.apply();
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG'), [3, 3]);
  });

for (const corrected of ['A', 'B'])
  test(`[M3] of two that are known on one side only and share a SKU with one of the other shop, ${corrected} is corrected: the others are linked`, async () => {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: false } });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    flow.stock(['shopify'], { title: 'A' }, [{ sku: 'X', quantity: 5 }]);
    flow.stock(['shopify'], { title: 'B' }, [{ sku: 'Y', quantity: 5 }]);
    await flow.link();
    await flow.scan();
    rename(flow, 'B', 'X');
    await flow.rest();
    flow.stock(['woocommerce'], { title: 'S' }, [{ sku: 'X', quantity: 5 }]);
    flow.change({ createOn: { woocommerce: true, shopify: true } });
    await flow.scan();
    assert.ok(flow.problems().includes('AMBIGUOUS_MATCH'));
    rename(flow, corrected, 'Z');
    await flow.rest(30);
    assert.deepEqual(flow.problems(), []);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'X'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('X'), [3, 3]);
  });
