// [B12] What a plan says of what a platform is known to refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

test('[B12] a plan asks once whether a create would be refused', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['woocommerce'], { title: 'Jug' }, [{ sku: 'JUG' }]);
  const { refusalOf } = flow.connector('shopify');
  const asked: string[] = [];
  flow.hands.shopify = {
    refusalOf: (create, bin) => {
      asked.push(create.fields.title);
      return refusalOf(create, bin);
    },
  };
  await flow.plan();
  assert.deepEqual(asked, ['Jug']);
});
