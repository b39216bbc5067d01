// What becomes of the variants that were removed on the other side, told in the history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFault } from '../../connectors/memory/fault-plan.ts';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

for (const [answer, fault] of [
  ['is answered', null],
  ['landed and has no answer', { type: 'timeout', when: 'after' }],
  ['did not land and has no answer', { type: 'timeout', when: 'before' }],
] as const)
  test(`[V4, W6] a removed variant is put away with a write that ${answer}: the history and the activity tell of it, once`, async () => {
    const flow = new EngineFlow();
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    if (fault !== null) faultOnce(flow, fault);
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    const away = flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M');
    assert.equal(away?.isArchived, true);
    const lines = flow.rows(
      'SELECT sku, "from", "to", cause FROM change JOIN variant ON variant.id = variant_id WHERE target = \'woocommerce\'',
    );
    assert.deepEqual(lines, [{ sku: 'M', from: '"active"', to: '"archived"', cause: 'written' }]);
    const told = flow.rows("SELECT 1 FROM event WHERE type = 'product_written' AND payload LIKE '%archived%'");
    assert.equal(told.length, 1);
  });

function faultOnce(flow: EngineFlow, fault: RequestFault): void {
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'write_variants') return calm.request(facts);
      shop.faults = calm;
      return { ...calm.request(facts), fault };
    },
  };
}
