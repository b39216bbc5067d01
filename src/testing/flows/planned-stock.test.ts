// What a plan says of stock is what the live path does: no number is promised that nothing would write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const ONE_WAY = { syncDirection: 'woocommerce_to_shopify', stockTwoWay: false, syncSchedule: 'manual' } as const;

async function planned(flow: EngineFlow): Promise<readonly unknown[]> {
  const rows = (await flow.plan()).filter(({ action }) => action === 'update');
  return rows.flatMap(({ data }) => data.stock.map(({ result, only }) => [result, only]));
}

test('[R9] the source of one-way stock is never promised a number, whatever the buffer', async () => {
  const flow = new EngineFlow({ ...ONE_WAY, stockBuffer: 2 });
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  assert.deepEqual(flow.quantities('MUG'), [10, 8]);
  assert.deepEqual(await planned(flow), []);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  assert.deepEqual(await planned(flow), [[7, 'shopify']]);
});

test('[S11] a target that drifted is not promised its number back, before it was told and after', async () => {
  const flow = new EngineFlow(ONE_WAY);
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  assert.deepEqual(await planned(flow), []);
  await flow.scan();
  assert.deepEqual(flow.quantities('MUG'), [10, 7]);
  assert.deepEqual(await planned(flow), []);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  assert.deepEqual(await planned(flow), [[9, 'shopify']]);
});

for (const source of SIDES) {
  const target = source === 'woocommerce' ? 'shopify' : 'woocommerce';
  const syncDirection = source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
  const oneWay = { ...ONE_WAY, syncDirection } as const;

  test(`[S11] a target that drifted when the source moved as well is written, as the plan says (${target})`, async () => {
    const flow = new EngineFlow(oneWay);
    flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
    await flow.link();
    flow.shop(target).outside.restock(flow.item(target, 'MUG'), 3);
    flow.shop(source).outside.sell(flow.item(source, 'MUG'), 1);
    assert.deepEqual(await planned(flow), [[9, target]]);
    await flow.scan();
    assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[9, 9], []]);
  });

  test(`[S11] the source moves above the cap: the target is to show what it did, and its drift is left alone (${target})`, async () => {
    const flow = new EngineFlow({ ...oneWay, stockCap: 5 });
    flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
    await flow.link();
    const level = flow.quantities('MUG');
    flow.shop(target).outside.sell(flow.item(target, 'MUG'), 3);
    flow.shop(source).outside.sell(flow.item(source, 'MUG'), 1);
    assert.deepEqual(await planned(flow), []);
    await flow.scan();
    const moved = { [source]: -1, [target]: -3 } as Record<string, number>;
    assert.deepEqual(
      flow.quantities('MUG'),
      level.map((quantity, i) => quantity + (moved[SIDES[i] ?? ''] ?? 0)),
    );
    assert.deepEqual(flow.problems(), ['DRIFT']);
  });
}
