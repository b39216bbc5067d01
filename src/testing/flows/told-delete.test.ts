// What was deleted on the target of a one-way pair, and told, once both sides lead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const TO = { shopify: 'woocommerce_to_shopify', woocommerce: 'shopify_to_woocommerce' } as const;

async function told(target: Side, how: 'bin' | 'hard') {
  const flow = new EngineFlow({ syncDirection: TO[target] });
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const { id } = flow.product(target, 'Mug');
  flow.shop(target).outside.deleteProduct(id, how);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
  return { flow, id, source: otherSide(target) };
}

for (const [target, how] of [
  ['woocommerce', 'bin'],
  ['woocommerce', 'hard'],
  ['shopify', 'hard'],
] as const)
  test(`[G8, T3] what was deleted (${how}) on ${target} while it was the target, and told, is not put away at its source once both lead`, async () => {
    for (const scans of [0, 3]) {
      const { flow, id, source } = await told(target, how);
      for (let i = 0; i < scans; i += 1) await flow.scan();
      updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncDirection: 'bidirectional' });
      // Whoever edits it goes on selling it in the one shop, as before.
      flow.shop(source).outside.editProduct(flow.product(source, 'Mug').id, 'tags', ['cup']);
      await flow.rest(60);
      for (let i = 0; i < 3; i += 1) await flow.scan();
      assert.equal(flow.product(source, 'Mug').fields.status, 'active');
      assert.equal(flow.count(target), how === 'bin' ? 2 : 1);
      assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
      assert.deepEqual(
        flow.changes('deleted').map(({ from, to }) => [from, to]),
        [['active', null]],
      );

      if (how === 'bin') flow.shop(target).outside.restore(id);
      else flow.stock([target], { title: 'Mug' }, [{ sku: 'MUG' }]);
      await flow.rest(60);
      assert.deepEqual([flow.hub('Mug').row.state, flow.problems()], ['live', []], 'there again, it is the same one');
      flow.shop(source).outside.sell(flow.item(source, 'MUG'), 1);
      await flow.rest();
      assert.deepEqual(flow.quantities('MUG'), [9, 9]);
    }
  });

test('[G8, T3] what is deleted once both lead is put away as ever', async () => {
  const { flow } = await told('shopify', 'hard');
  updatePairSettings(flow.world.life().ctx, PAIR_ID, { syncDirection: 'bidirectional' });
  await flow.rest();
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Bowl').id, 'bin');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Bowl').fields.status, 'archived');
});

for (const [target, how] of [
  ['woocommerce', 'bin'],
  ['woocommerce', 'hard'],
  ['shopify', 'hard'],
] as const)
  test(`[G8, M1, R9] ... nor is it forgotten (${target}, ${how}): once it is the target again, what is there again is the same one, its source's values count, and its next delete is told`, async () => {
    const { flow, id, source } = await told(target, how);
    const { ctx } = flow.world.life();
    updatePairSettings(ctx, PAIR_ID, { syncDirection: 'bidirectional' });
    await flow.rest();
    updatePairSettings(ctx, PAIR_ID, { syncDirection: TO[target] });
    await flow.rest();
    const shown = flow.product(source, 'Mug');
    if (how === 'bin') flow.shop(target).outside.restore(id);
    else flow.stock([target], { title: 'Mug', tags: ['new'], status: 'draft' }, [{ sku: 'MUG' }]);
    await flow.rest(60);
    assert.deepEqual(flow.rows("SELECT state FROM product WHERE title = 'Mug'"), [{ state: 'live' }]);
    assert.deepEqual(flow.shop(source).shelf.products.get(shown.id)?.fields, shown.fields);
    assert.equal(flow.product(target, 'Mug').fields.status, 'active');
    flow.shop(source).outside.sell(flow.item(source, 'MUG'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG'), [9, 9]);

    flow.shop(target).outside.deleteProduct(flow.product(target, 'Mug').id, how);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
  });

test('[R9] ... but what its source has not any more either is not made the same by what the target has alike', async () => {
  const { flow, source } = await told('shopify', 'hard');
  const { ctx } = flow.world.life();
  updatePairSettings(ctx, PAIR_ID, { syncDirection: 'bidirectional' });
  await flow.rest();
  updatePairSettings(ctx, PAIR_ID, { syncDirection: TO.shopify });
  await flow.rest();
  flow.shop(source).outside.deleteProduct(flow.product(source, 'Mug').id, 'hard');
  await flow.rest(60);
  for (let i = 0; i < 2; i += 1) await flow.scan();
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.rest(60);
  assert.deepEqual(flow.rows("SELECT state FROM product WHERE title = 'Mug' ORDER BY rowid"), [
    { state: 'deleted' },
    { state: 'live' },
  ]);
  assert.deepEqual([flow.product('shopify', 'Mug').fields.status, flow.count(source)], ['active', 1]);
});
