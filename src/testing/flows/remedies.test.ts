// A person does what the problem on screen asks for: then it is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const TO = { woocommerce: 'shopify_to_woocommerce', shopify: 'woocommerce_to_shopify' } as const;

type Settings = ConstructorParameters<typeof EngineFlow>[0];

async function linked(settings: Settings = {}, quantity = 10): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (let i = 1; i < 8; i += 1) flow.stock(SIDES, { title: `Bowl ${i}` }, [{ sku: `BOWL-${i}` }]);
  flow.stock(SIDES, { title: 'Sofa' }, [{ sku: 'SOFA', quantity }]);
  return flow.link();
}
function mute(flow: EngineFlow, side: Side): () => void {
  const shop = flow.shop(side);
  const usual = shop.faults;
  shop.faults = { ...usual, delivery: () => ({ delaysMs: [], isLate: false }) };
  return () => {
    shop.faults = usual;
  };
}
async function retryAll(flow: EngineFlow): Promise<void> {
  for (const { id } of flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'"))
    retryProblem(flow.world.life().ctx, id);
  await flow.rest(60);
}

for (const side of SIDES)
  test(`[P1, R11] what drifted on ${side} is put back by hand: the drift is over`, async () => {
    const flow = await linked({ syncDirection: TO[side] });
    const { id } = flow.product(side, 'Sofa');
    flow.shop(side).outside.editProduct(id, 'title', 'Couch');
    await flow.rest();
    assert.deepEqual(flow.problems(), ['DRIFT']);
    flow.shop(side).outside.editProduct(id, 'title', 'Sofa');
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
  });

for (const side of SIDES)
  test(`[G8, P1] what was deleted for good on the target ${side} and made there again by hand is linked again`, async () => {
    const flow = await linked({ syncDirection: TO[side] });
    flow.shop(side).outside.deleteProduct(flow.product(side, 'Sofa').id, 'hard');
    await flow.rest();
    for (let i = 0; i < 2; i += 1) await flow.scan();
    assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
    flow.stock([side], { title: 'Sofa' }, [{ sku: 'SOFA' }]);
    await flow.rest(60);
    await flow.scan();
    assert.deepEqual(flow.problems(), []);
    flow.shop(otherSide(side)).outside.sell(flow.item(otherSide(side), 'SOFA'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('SOFA'), [9, 9]);
  });

for (const side of SIDES)
  test(`[M1, G8] deleted for good on ${side} while nobody tells, and made again under the same SKU: the same one within minutes`, async () => {
    const flow = await linked();
    const unmute = mute(flow, side);
    flow.shop(side).outside.deleteProduct(flow.product(side, 'Sofa').id, 'hard');
    unmute();
    flow.stock([side], { title: 'Sofa' }, [{ sku: 'SOFA', quantity: 7 }]);
    await flow.rest(10);
    assert.deepEqual(flow.problems(), []);
    flow.shop(otherSide(side)).outside.sell(flow.item(otherSide(side), 'SOFA'), 2);
    await flow.rest(60);
    assert.deepEqual(flow.quantities('SOFA'), [5, 5]);
    for (const each of SIDES) assert.equal(flow.product(each, 'Sofa').fields.status, 'active');
  });

test('[P1] oversold, and then deleted for good in both shops: nobody can restock it any more', async () => {
  const flow = await linked({}, 1);
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'SOFA'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  for (const side of SIDES) {
    flow.shop(side).outside.deleteProduct(flow.product(side, 'Sofa').id, 'hard');
    await flow.rest(60);
    for (let i = 0; i < 2; i += 1) await flow.scan();
  }
  assert.deepEqual(flow.problems(), []);
});

for (const isAlone of [true, false])
  test(`[S9, P1] oversold, and then put into the bin of the ${isAlone ? 'only shop that ever had it' : 'shop that had it last'}: nobody can answer that, and it is told once it is back`, async () => {
    const flow = await linked(isAlone ? { createOn: { woocommerce: false, shopify: false } } : {}, 1);
    const { outside } = flow.shop('woocommerce');
    let title = 'Sofa';
    if (isAlone) {
      title = 'Chair';
      flow.stock(['woocommerce'], { title }, [{ sku: 'CHAIR', quantity: 1 }]);
      await flow.rest();
      outside.recount(flow.item('woocommerce', 'CHAIR'), -1);
    } else for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'SOFA'), 1);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['OVERSOLD']);
    const { id } = flow.product('woocommerce', title);
    outside.deleteProduct(id, 'bin');
    await flow.rest();
    if (!isAlone) {
      assert.deepEqual(flow.problems(), ['OVERSOLD'], 'the other shop has it still');
      flow.shop('shopify').outside.deleteProduct(flow.product('shopify', title).id, 'hard');
    }
    await flow.rest(60);
    const told = () => flow.rows("SELECT 1 FROM event WHERE type = 'problem'").length;
    const before = told();
    for (let i = 0; i < 2; i += 1) await flow.scan();
    assert.deepEqual([flow.problems(), told()], [[], before]);

    outside.restore(id);
    await flow.rest(60);
    assert.deepEqual(flow.problems(), ['OVERSOLD']);
    outside.recount(flow.item('woocommerce', isAlone ? 'CHAIR' : 'SOFA'), 5);
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
  });

test('[S6, P1] no longer counted in either shop: there is nothing to decide, or a person who links anew has decided', async () => {
  const flow = await linked();
  for (const side of SIDES) flow.shop(side).outside.setTracked(flow.item(side, 'SOFA'), false);
  await flow.rest(60);
  await retryAll(flow);
  assert.deepEqual(flow.problems(), []);
});

test('[S8, P1] zero against stock: the right number set on both sides, as the remedy says', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Sofa' }, [{ sku: 'SOFA', quantity: 0 }]);
  flow.stock(['shopify'], { title: 'Sofa' }, [{ sku: 'SOFA', quantity: 9 }]);
  await flow.link();
  assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
  for (const side of SIDES) flow.shop(side).outside.recount(flow.item(side, 'SOFA'), 6);
  await flow.rest(60);
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'SOFA'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('SOFA'), [5, 5]);
});

test('[S8] trying again is no consent: zero against stock stays a question, with the numbers as they are', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Sofa' }, [{ sku: 'SOFA', quantity: 0 }]);
  flow.stock(['shopify'], { title: 'Sofa' }, [{ sku: 'SOFA', quantity: 9 }]);
  await flow.link();
  await retryAll(flow);
  assert.deepEqual([flow.quantities('SOFA'), flow.problems()], [[0, 9], ['STOCK_ZERO_CONSENT']]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'SOFA'), 2);
  await flow.rest();
  assert.match(flow.words('STOCK_ZERO_CONSENT').message, /0 in WooCommerce and 7 in Shopify/);
  flow.change({ allowZeroStockLink: true });
  await retryAll(flow);
  assert.deepEqual([flow.quantities('SOFA'), flow.problems()], [[0, 0], []], 'the smaller, as the pair has it');
});

test('[S6, S8] ... nor is it where tracking that was switched on again begins with 0', async () => {
  const flow = await linked();
  const { outside } = flow.shop('shopify');
  outside.setTracked(flow.item('shopify', 'SOFA'), false);
  await flow.rest();
  outside.setTracked(flow.item('shopify', 'SOFA'), true);
  outside.recount(flow.item('shopify', 'SOFA'), 0);
  await flow.rest();
  await retryAll(flow);
  assert.deepEqual([flow.quantities('SOFA'), flow.problems()], [[10, 0], ['STOCK_ZERO_CONSENT']]);
  outside.recount(flow.item('shopify', 'SOFA'), 10);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  for (const count of [1, 3, 30])
    test(`[M1, G6, G7] a catalogue of ${count} is deleted and imported anew on ${side} under its SKUs: it goes on as it was`, async () => {
      const flow = new EngineFlow();
      const titles = Array.from({ length: count }, (_, i) => `Bowl ${i}`);
      for (const title of titles) flow.stock(SIDES, { title }, [{ sku: title }]);
      await flow.link();
      const unmute = mute(flow, side);
      for (const title of titles) flow.shop(side).outside.deleteProduct(flow.product(side, title).id, 'hard');
      unmute();
      for (const title of titles) flow.stock([side], { title }, [{ sku: title, quantity: 8 }]);
      await flow.rest();
      await flow.scan();
      assert.deepEqual([flow.status(), flow.problems()], ['active', []]);
      for (const title of titles) {
        assert.deepEqual(flow.quantities(title), [8, 8]);
        for (const each of SIDES) assert.equal(flow.product(each, title).fields.status, 'active');
      }
      assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [count, count]);
    });

test('[R13] a choice that no shop could hold is refused with what would do, and the conflict stays open for another', async () => {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'title', 'Cup');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Beaker');
  await flow.rest();
  const [{ id, version } = { id: '', version: 0 }] = flow.rows<{ id: string; version: number }>(
    "SELECT id, version FROM conflict WHERE state = 'open'",
  );
  const choose = (value: unknown) =>
    resolveConflict(flow.world.life().ctx, { conflictId: id, expectedVersion: version, choice: 'value', value });
  assert.throws(() => choose(' '), /value: a title is a text of 1 to 255 characters/);
  choose('Tumbler');
  await flow.rest();
  for (const side of SIDES) assert.ok(flow.product(side, 'Tumbler'));
});
