// What a plan says of stock is what the live path does: no number is promised that nothing would write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

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

for (const side of SIDES)
  for (const isSold of [false, true])
    test(`[S1, G9] what is made anew on ${side} is promised what the hub holds${isSold ? ', less what was just sold' : ''}: the buffer is kept back once`, async () => {
      const flow = new EngineFlow({ syncSchedule: 'manual', stockBuffer: 2 });
      for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase(), quantity: 10 }]);
      await flow.link();
      // An edit wins over the delete, and it is not made again yet.
      flow.change({ createOn: { woocommerce: false, shopify: false } });
      const other = otherSide(side);
      untold(flow, side, (outside) => outside.deleteProduct(flow.product(side, 'Mug').id, 'hard'));
      untold(flow, other, (outside) => outside.editProduct(flow.product(other, 'Mug').id, 'tags', ['new']));
      await flow.lookAt('Mug');
      flow.change({ createOn: { woocommerce: true, shopify: true } });
      if (isSold) untold(flow, other, (outside) => outside.sell(flow.item(other, 'MUG'), 1));
      const expected = isSold ? 7 : 8;
      const made = (await flow.plan()).filter(({ action }) => action === 'create');
      assert.deepEqual(
        made.map(({ data }) => data.stock.map(({ result }) => result)),
        [[expected]],
      );
      await flow.apply();
      assert.deepEqual(flow.quantities('MUG'), [expected, expected]);
    });
