// What travels only when a record is made: as it is then, not as it was when the record was first met.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { representHandle } from '../../connectors/woocommerce/represent.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  return flow.link();
}

for (const side of SIDES) {
  const other = otherSide(side);
  const madeWith = (flow: EngineFlow) => {
    const [variant] = flow.product(other, 'Voucher').variants;
    return [variant?.fields.taxable, variant?.fields.requiresShipping];
  };
  const unbox = (flow: EngineFlow) => {
    const item = flow.item(side, 'VOUCHER');
    flow.shop(side).outside.editVariant(item, 'taxable', false);
    flow.shop(side).outside.editVariant(item, 'requiresShipping', false);
  };

  test(`[R16] what ${side} changes before it is made on the other side is made so`, async () => {
    const flow = await linked();
    flow.stock([side], { title: 'Voucher' }, [{ sku: 'VOUCHER' }]);
    await flow.world.clock.runFor(5_000);
    unbox(flow);
    await flow.rest();
    assert.deepEqual(madeWith(flow), [false, false]);
    flow.shop(side).outside.editVariant(flow.item(side, 'VOUCHER'), 'taxable', true);
    await flow.rest();
    await flow.scan();
    assert.deepEqual(madeWith(flow), [false, false], 'and never afterwards');
  });

  test(`[R16] ... also where ${other} refused it at first`, async () => {
    const flow = await linked();
    flow.hands[other].writeProducts = async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'No more products in this plan') }));
    flow.stock([side], { title: 'Voucher' }, [{ sku: 'VOUCHER' }]);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
    delete flow.hands[other].writeProducts;
    unbox(flow);
    await flow.rest();
    await flow.scan();
    assert.deepEqual(madeWith(flow), [false, false]);
  });
}

test('[R16] an address that its own shop would write otherwise moves nothing at each look', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: true, shopify: false } });
  const plain = flow.connector('woocommerce');
  flow.hands.woocommerce.represent = (product) => {
    const shown = plain.represent(product);
    return { ...shown, fields: { ...shown.fields, handle: representHandle(shown.fields.handle) } };
  };
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(['woocommerce'], { title: 'Tea', handle: 'чайник' }, [{ sku: 'TEA' }]);
  await flow.link();
  for (let look = 0; look < 3; look += 1) await flow.scan();
  assert.deepEqual(flow.changes('handle'), []);
});
