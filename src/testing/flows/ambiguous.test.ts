// Records that more than one could be meant by: told, and settled by whoever makes their keys unique.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES } from '../../model/platform.ts';
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

for (const side of SIDES)
  for (const when of ['before', 'after'] as const)
    test(`[M3, V4] a variant that is a product of its own in ${side} is made so in the other shop, where it was removed ${when} that`, async () => {
      const flow = new EngineFlow();
      flow.stock(SIDES, { optionNames: ['Size'] }, [
        { sku: 'MUG-S', optionValues: ['S'] },
        { sku: 'MUG-M', optionValues: ['M'] },
      ]);
      await flow.link();
      const left = flow.item(otherSide(side), 'MUG-M');
      flow.shop(side).outside.deleteVariant(flow.item(side, 'MUG-M'));
      await flow.rest();
      // What is put away in WooCommerce keeps its SKU there until somebody deletes it.
      const remove = () => flow.shop(otherSide(side)).outside.deleteVariant(left);
      if (when === 'before') remove();
      await flow.rest();
      flow.stock([side], { title: 'Mug M' }, [{ sku: 'MUG-M', quantity: 9 }]);
      await flow.rest();
      if (when === 'after') {
        assert.ok(flow.problems().includes(side === 'woocommerce' ? 'AMBIGUOUS_MATCH' : 'WRITE_REJECTED'));
        remove();
        await flow.rest();
        if (side === 'shopify') await flow.scan();
      }
      assert.deepEqual([flow.problems(), flow.count(otherSide(side))], [[], 2]);
      flow.shop(side).outside.sell(flow.item(side, 'MUG-M'), 2);
      await flow.rest();
      assert.deepEqual(flow.quantities('MUG-M'), [7, 7]);
    });
