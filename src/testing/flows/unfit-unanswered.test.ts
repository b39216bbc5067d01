// What stops fitting while a write of it has no answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';

const UNFIT = { reason: 'bundle', detail: '' } as const;
const openIntents = (flow: EngineFlow) => flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL');

for (const when of ['before', 'after'] as const)
  test(`[L5, W4, W6] what stops fitting while a write of it has no answer (it ${when === 'after' ? 'landed' : 'did not land'}): the write is settled all the same`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
    await flow.link();
    faultOnce(flow.shop('shopify'), 'update_product', { type: 'timeout', when });
    flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'tags', ['cup']);
    await flow.world.clock.runFor(5_000);
    flow.unsyncable.set('Mug', UNFIT);
    await flow.rest();
    assert.deepEqual(openIntents(flow), []);
    const lines = flow.changes('tags').filter(({ target }) => target === 'shopify');
    assert.deepEqual(
      lines.map(({ to, cause }) => [to, cause]),
      when === 'after' ? [[['cup'], 'written']] : [],
    );
    flow.unsyncable.clear();
    await flow.scan();
    for (const side of SIDES) assert.deepEqual(flow.product(side, 'Mug').fields.tags, ['cup']);
    assert.deepEqual(flow.problems(), []);
  });

test('[L5, W4, S2] what stops fitting while its create has no answer: what is sold in either shop is counted', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const landed = faultOnce(flow.shop('shopify'), 'create_product', { type: 'timeout', when: 'after' });
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  for (let i = 0; !landed(); i += 1) {
    assert.ok(i < 60);
    await flow.world.clock.runFor(1_000);
  }
  await flow.world.clock.runFor(5_000);
  flow.unsyncable.set('Mug', UNFIT);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'tags', ['cup']);
  await flow.rest();
  assert.deepEqual(openIntents(flow), []);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 2);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [7, 7, 7]);
  flow.unsyncable.clear();
  await flow.scan();
  assert.equal(flow.count('shopify'), 2);
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [7, 7, 7]);
  for (const side of SIDES) assert.deepEqual(flow.product(side, 'Mug').fields.tags, ['cup']);
});

test('[P1, L5] what did not fit for a while, and fits again without a word and as it was: the full look finds it', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  flow.unsyncable.set('Mug', UNFIT);
  await flow.lookAt('Mug');
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE']);
  flow.unsyncable.clear();
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

test("[P1, L5, W5] a record that is told of as nobody's while its create has no answer, and does not fit for a while: no problem stays", async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const landed = faultOnce(flow.shop('woocommerce'), 'create_product', { type: 'timeout', when: 'after' });
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  for (let i = 0; !landed(); i += 1) {
    assert.ok(i < 60);
    await flow.world.clock.runFor(1_000);
  }
  flow.unsyncable.set('Mug', UNFIT);
  await flow.rest();
  assert.ok(flow.problems().includes('UNSYNCABLE_BUNDLE'));
  flow.unsyncable.clear();
  await flow.scan();
  assert.deepEqual([flow.problems(), flow.count('woocommerce')], [[], 2]);
});
