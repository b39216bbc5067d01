// [B12] What a shop hides is not put on sale in the other one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const WHY = 'It is not published to the online store.';

for (const side of SIDES)
  test(`[B12] what ${side} hides is made nowhere else, the plan says why, and it is made once it is shown`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    flow.stock([side], { title: 'Secret' }, [{ sku: 'SECRET' }]);
    flow.withheld.set('Secret', WHY);
    const planned = (await flow.plan()).find(({ title }) => title === 'Secret');
    assert.equal(planned?.action, 'skip');
    assert.match(JSON.stringify(planned), /not published/);
    await flow.apply();
    await flow.scan();
    assert.equal(flow.count(otherSide(side)), 1);
    assert.deepEqual(flow.problems(), []);
    flow.withheld.delete('Secret');
    await flow.scan();
    assert.equal(flow.count(otherSide(side)), 2);
  });

test('[B12] what is added hidden later waits too, by webhook as by scan', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.withheld.set('Secret', WHY);
  flow.stock(['shopify'], { title: 'Secret' }, [{ sku: 'SECRET' }]);
  await flow.rest();
  await flow.scan();
  assert.equal(flow.count('woocommerce'), 1);
});

test('[B12] what is found in both shops is linked though one of them hides it, and its stock is kept the same', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Secret' }, [{ sku: 'SECRET' }]);
  flow.withheld.set('Secret', WHY);
  await flow.link();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'SECRET'), 3);
  await flow.rest();
  assert.deepEqual(flow.quantities('SECRET'), [7, 7]);
});
