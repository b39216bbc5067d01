// Many products of one title, as "Gift card" is in some shops: who stands in the way is found among them, and nobody is forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const ONE_WAY_IN = { createOn: { woocommerce: false, shopify: true } };

test('[M1] a plan finds the unlinked one behind all that are matched: it promised what the live path then refused', async () => {
  const flow = new EngineFlow(ONE_WAY_IN);
  for (let i = 0; i < 21; i += 1) flow.stock(SIDES, { title: 'Mug', handle: `mug-${i}` }, [{ sku: `MUG-${i}` }]);
  flow.stock(['shopify'], { title: 'Mug', handle: 'other' }, [{ sku: 'OTHER' }]);
  flow.stock(['woocommerce'], { title: 'Mug', handle: 'own' }, [{ sku: 'OWN' }]);
  const apart = async () =>
    (await flow.plan()).filter(({ action, data }) => action === 'create' || data.reason === 'title');
  assert.deepEqual(
    (await apart()).map(({ action, data }) => [action, data.candidates?.length]),
    [['ambiguous', 1]],
  );
  await flow.apply();
  assert.deepEqual([flow.problems(), flow.count('shopify')], [['SAME_TITLE'], 22]);
  assert.deepEqual(flow.rows("SELECT detail FROM run_item WHERE action = 'ambiguous'"), [
    { detail: 'an unlinked product there has the same title' },
  ]);
  // Among those that are linked by now as well.
  assert.deepEqual(
    (await apart()).map(({ action }) => action),
    ['ambiguous', 'ambiguous'],
  );
});

test('[M1, M3] all that wait for one title are made once it is free, however many they are', async () => {
  const flow = new EngineFlow(ONE_WAY_IN);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['shopify'], { title: 'Mug', handle: 'other' }, [{ sku: 'OTHER' }]);
  for (let i = 0; i < 105; i += 1)
    flow.stock(['woocommerce'], { title: 'Mug', handle: `mug-${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.link();
  assert.equal(flow.count('shopify'), 2);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Mug of another');
  await flow.rest();
  assert.deepEqual([flow.problems(), flow.count('shopify')], [[], 107]);
});

test('[M1, L5] one that can’t be kept the same any more is in nobody’s way, live as in a plan', async () => {
  const flow = new EngineFlow(ONE_WAY_IN);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['shopify'], { title: 'Mug', handle: 'other' }, [{ sku: 'OTHER' }]);
  await flow.link();
  flow.unsyncable.set('Mug', { reason: 'bundle', detail: '' });
  await flow.lookAt('Mug');
  flow.stock(['woocommerce'], { title: 'MUG', handle: 'own' }, [{ sku: 'OWN' }]);
  await flow.rest();
  assert.deepEqual([flow.problems(), flow.count('shopify')], [['UNSYNCABLE_BUNDLE'], 3]);
});
