// What a person is asked or told is over when its cause is; what settings hold back comes as it is by then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { Story } from './depth/story.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const sku of ['MUG', 'X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  return flow.link();
}

async function linkedShirt(settings: Partial<PairSettings>, optionNames: readonly string[], rows: readonly string[][]) {
  const flow = new EngineFlow(settings);
  const variants = rows.map((optionValues, i) => ({ sku: `S${i}`, optionValues }));
  flow.stock(SIDES, { title: 'Shirt', optionNames }, variants);
  flow.stock(SIDES, { title: 'X' }, [{ sku: 'X' }]);
  return flow.link();
}

async function change(flow: EngineFlow, patch: Partial<PairSettings>): Promise<void> {
  updatePairSettings(flow.world.life().ctx, PAIR_ID, patch);
  await flow.rest();
}

async function look(flow: EngineFlow): Promise<void> {
  await flow.rest();
  for (let i = 0; i < 3; i += 1) await flow.scan();
}

function deleteOn(flow: EngineFlow, side: Side, title: string, how: 'bin' | 'hard'): void {
  flow.shop(side).outside.deleteProduct(flow.product(side, title).id, how);
}

function answer(flow: EngineFlow, side: Side, error: ConnectorError): void {
  flow.hands[side].writeProducts = async (writes) => writes.map(() => ({ ok: false, error }));
}

const REFUSED = new ConnectorError('rejected', 'no', { platformMessage: 'no' });
const AWAY = new ConnectorError('unavailable', 'no');
const priceOf = (regularMinor: number) => ({ regularMinor, saleMinor: null });
const price = (flow: EngineFlow, side: Side, sku: string) =>
  flow.shop(side).shelf.items.get(flow.item(side, sku))?.variant.fields.price.regularMinor;
const asked = (flow: EngineFlow) => flow.conflicts().map(({ field }) => field);

for (const side of SIDES)
  for (const how of ['bin', 'hard'] as const)
    test(`[P1, B1] a create that ${otherSide(side)} refused is owed no more once its product was deleted (${how})`, async () => {
      const flow = await linked();
      answer(flow, otherSide(side), REFUSED);
      flow.stock([side], { title: 'New' }, [{ sku: 'NEW' }]);
      await flow.rest();
      assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
      deleteOn(flow, side, 'New', how);
      await look(flow);
      assert.deepEqual(flow.problems(), []);
    });

for (const how of ['bin', 'hard'] as const)
  test(`[P1, B1] an update that was refused is owed no more once its product was deleted in both shops (${how})`, async () => {
    const flow = await linked();
    answer(flow, 'shopify', REFUSED);
    flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'MUG').id, 'title', 'Mug 2');
    await flow.rest();
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
    deleteOn(flow, 'shopify', 'MUG', 'hard');
    deleteOn(flow, 'woocommerce', 'Mug 2', how);
    await look(flow);
    assert.deepEqual(flow.problems(), []);
  });

for (const isSourceFirst of [false, true])
  test(`[P1, R11] what was deleted at the target drifts no more, also once its source is deleted ${isSourceFirst ? 'with it' : 'later'}`, async () => {
    const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'MUG').id, 'title', 'Mug 2');
    await flow.rest();
    assert.deepEqual(flow.problems(), ['DRIFT']);
    deleteOn(flow, 'shopify', 'Mug 2', 'hard');
    if (!isSourceFirst) {
      await look(flow);
      assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
    }
    deleteOn(flow, 'woocommerce', 'MUG', 'hard');
    await look(flow);
    assert.deepEqual(flow.problems(), []);
  });

for (const target of SIDES)
  for (const how of ['bin', 'hard'] as const)
    test(`[P1, R11, G8] what ${target} keeps of a product that its source deleted (${how}) drifts no more, whatever is done to it, and again once its source is back`, async () => {
      const source = otherSide(target);
      const syncDirection = target === 'shopify' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
      const flow = await linked({ syncDirection, deletePolicy: 'keep' });
      const ids = { [target]: flow.product(target, 'MUG').id, [source]: flow.product(source, 'MUG').id };
      const { outside } = flow.shop(target);
      outside.editProduct(ids[target] ?? '', 'title', 'Mug 2');
      await flow.rest();
      assert.deepEqual(flow.problems(), ['DRIFT']);
      flow.shop(source).outside.deleteProduct(ids[source] ?? '', how);
      await flow.rest();
      assert.deepEqual(flow.problems(), []);
      outside.editVariant(flow.item(target, 'MUG'), 'price', priceOf(777));
      outside.editProduct(ids[target] ?? '', 'status', 'draft');
      await look(flow);
      assert.deepEqual(flow.rows("SELECT count(*) AS told FROM problem WHERE code = 'DRIFT'"), [{ told: 1 }]);
      assert.deepEqual(flow.problems(), []);

      if (flow.shop(source).shelf.products.has(ids[source] ?? '')) flow.shop(source).outside.restore(ids[source] ?? '');
      else flow.stock([source], { title: 'MUG' }, [{ sku: 'MUG' }]);
      await look(flow);
      assert.ok(flow.problems().every((code) => code === 'DRIFT') && flow.problems().length > 0, `${flow.problems()}`);
      assert.deepEqual([flow.product(target, 'Mug 2').id, price(flow, target, 'MUG')], [ids[target], 777]);
    });

for (const side of SIDES)
  test(`[P1, S6] stock that waits to be linked anew waits no more once its product was deleted in both shops (${side} first)`, async () => {
    const flow = await linked();
    flow.shop('woocommerce').outside.setTracked(flow.item('woocommerce', 'MUG'), false);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['STOCK_TRACKING_CHANGED']);
    deleteOn(flow, side, 'MUG', 'hard');
    await flow.rest();
    deleteOn(flow, otherSide(side), 'MUG', 'hard');
    await look(flow);
    assert.deepEqual(flow.problems(), []);
  });

test('[P1, M3] an ambiguous record is told no more once it was deleted without a word', async () => {
  const flow = await linked();
  flow.stock(['shopify'], { title: 'A' }, [{ sku: 'DUP' }]);
  await flow.rest(60);
  flow.stock(['shopify'], { title: 'B' }, [{ sku: 'DUP' }]);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
  untold(flow, 'shopify', (outside) => outside.deleteProduct(flow.product('shopify', 'B').id, 'hard'));
  await look(flow);
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  test(`[P1, L5] what ${side} has and is left out whole is told no more once it was deleted without a word`, async () => {
    const flow = await linked();
    flow.unsyncable.set('Set', { reason: 'bundle', detail: '' });
    flow.stock([side], { title: 'Set' }, [{ sku: 'SET' }]);
    await flow.rest(60);
    assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE']);
    untold(flow, side, (outside) => outside.deleteProduct(flow.product(side, 'Set').id, 'hard'));
    await look(flow);
    assert.deepEqual(flow.problems(), []);
  });

for (const syncDirection of ['woocommerce_to_shopify', 'shopify_to_woocommerce'] as const)
  test(`[P2, R9] nobody is asked any more about a delete against an edit once the pair is one-way (${syncDirection})`, async () => {
    const flow = await linked({ conflictResolution: 'manual' });
    untold(flow, 'woocommerce', (outside) => outside.deleteProduct(flow.product('woocommerce', 'MUG').id, 'bin'));
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'MUG').id, 'title', 'Mug 2');
    await look(flow);
    assert.deepEqual(asked(flow), ['deleted']);
    await change(flow, { syncDirection });
    await look(flow);
    assert.deepEqual(asked(flow), []);
  });

async function republished(): Promise<{ readonly flow: EngineFlow; readonly id: string }> {
  const flow = await linked({ conflictResolution: 'manual' });
  deleteOn(flow, 'woocommerce', 'MUG', 'bin');
  await flow.rest();
  const { id } = flow.product('shopify', 'MUG');
  flow.shop('shopify').outside.editProduct(id, 'status', 'active');
  await flow.rest();
  assert.deepEqual(asked(flow), ['deleted']);
  return { flow, id };
}

for (const patch of [{ syncDirection: 'woocommerce_to_shopify' }, { syncProducts: false }] as const)
  test(`[P2, G12, R10] nobody is asked any more about what was put on sale again with ${JSON.stringify(patch)}`, async () => {
    const { flow } = await republished();
    await change(flow, patch);
    await look(flow);
    assert.deepEqual(asked(flow), []);
  });

for (const how of ['put away', 'deleted'] as const)
  test(`[P2, G12] nobody is asked any more about what was put on sale again and then ${how}`, async () => {
    const { flow, id } = await republished();
    if (how === 'deleted') flow.shop('shopify').outside.deleteProduct(id, 'hard');
    else flow.shop('shopify').outside.editProduct(id, 'status', 'archived');
    await look(flow);
    assert.deepEqual(asked(flow), []);
  });

test('[P2, G9] nobody is asked any more once the edit wins by another policy, where nothing is made either', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  untold(flow, 'woocommerce', (outside) => outside.deleteProduct(flow.product('woocommerce', 'MUG').id, 'hard'));
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'MUG').id, 'title', 'Mug 2');
  await look(flow);
  assert.deepEqual(asked(flow), ['deleted']);
  await change(flow, { conflictResolution: 'newest', createOn: { woocommerce: false, shopify: true } });
  await look(flow);
  assert.deepEqual(asked(flow), []);
});

for (const side of SIDES)
  for (const how of ['bin', 'hard'] as const)
    test(`[G8, G12] with "keep" what is done to the counterpart stays there: taken off sale and put on sale again (${side}, ${how})`, async () => {
      const flow = await linked({ deletePolicy: 'keep' });
      const other = otherSide(side);
      deleteOn(flow, side, 'MUG', how);
      await flow.rest();
      const { id } = flow.product(other, 'MUG');
      for (const status of ['draft', 'active'] as const) {
        flow.shop(other).outside.editProduct(id, 'status', status);
        await flow.rest();
      }
      await look(flow);
      const living = [...flow.shop(side).shelf.products.values()].filter(
        (own) => own.fields.title === 'MUG' && !own.isTrashed,
      );
      assert.equal(living.length, 0);
    });

test('[G8] with "keep" a restore does not put the counterpart on sale that somebody has taken off it', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  const { id } = flow.product('woocommerce', 'MUG');
  deleteOn(flow, 'woocommerce', 'MUG', 'bin');
  await flow.rest();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'MUG').id, 'status', 'draft');
  await flow.rest();
  flow.shop('woocommerce').outside.restore(id);
  await look(flow);
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, 'MUG').fields.status),
    ['draft', 'draft'],
  );
});

for (const side of SIDES)
  for (const isAnswered of [true, false])
    test(`[R10] prices are off: what is made later has the price that ${side} shows then${isAnswered ? '' : ', also without an answer'}`, async () => {
      const flow = await linked({ syncPrices: false, createOn: { woocommerce: false, shopify: false } });
      flow.stock([side], { title: 'New' }, [{ sku: 'NEW', price: priceOf(1000) }]);
      await flow.rest(60);
      flow.shop(side).outside.editVariant(flow.item(side, 'NEW'), 'price', priceOf(3000));
      await flow.rest(60);
      if (!isAnswered) faultOnce(flow.shop(otherSide(side)), 'create_product', { type: 'timeout', when: 'after' });
      await change(flow, { createOn: { woocommerce: true, shopify: true } });
      await look(flow);
      assert.equal(price(flow, otherSide(side), 'NEW'), 3000);
      await change(flow, { syncPrices: true });
      await look(flow);
      assert.deepEqual(
        SIDES.map((each) => price(flow, each, 'NEW')),
        [3000, 3000],
      );
    });

for (const conflictResolution of ['newest', 'manual', 'shopify'] as const)
  test(`[R10, V3] prices are off: a variant that could not be made at once has the price of then, and is no conflict later (${conflictResolution})`, async () => {
    const flow = await linkedShirt({ syncPrices: false, conflictResolution }, ['Size'], [['S'], ['M']]);
    answer(flow, 'shopify', AWAY);
    const fields = variant({ sku: 'L', optionValues: ['L'], price: priceOf(1000) });
    const stock = { tracked: true, quantity: 3 };
    flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Shirt').id, { fields, stock });
    await flow.rest();
    flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'L'), 'price', priceOf(3000));
    await flow.rest();
    delete flow.hands.shopify.writeProducts;
    await flow.rest(60);
    await look(flow);
    assert.equal(price(flow, 'shopify', 'L'), 3000);
    flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'L'), 'price', priceOf(4000));
    await change(flow, { syncPrices: true });
    await look(flow);
    assert.deepEqual([...SIDES.map((side) => price(flow, side, 'L')), ...asked(flow)], [4000, 4000]);
  });

test('[R9] tags that the source could not be given before it was the source are taken back', async () => {
  const flow = await linked();
  answer(flow, 'woocommerce', AWAY);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'MUG').id, 'tags', ['kitchen', 'hot']);
  await flow.rest();
  await change(flow, { syncDirection: 'woocommerce_to_shopify' });
  delete flow.hands.woocommerce.writeProducts;
  await look(flow);
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, 'MUG').fields.tags),
    [['kitchen'], ['kitchen']],
  );
});

const shirt = (flow: EngineFlow, side: Side) => {
  const { fields, variants } = flow.product(side, 'Shirt');
  return variants.map((own) =>
    Object.fromEntries(fields.optionNames.map((name, i) => [name, own.fields.optionValues[i] ?? ''])),
  );
};

for (const conflictResolution of ['woocommerce', 'shopify', 'newest', 'manual'] as const)
  for (const side of SIDES) {
    const other = otherSide(side);
    test(`[R4] ${side} reorders the options while ${other} renames a value: no value ends under the other option (${conflictResolution})`, async () => {
      const rows = [
        ['S', 'Red'],
        ['M', 'Blue'],
      ];
      const flow = await linkedShirt({ conflictResolution }, ['Size', 'Color'], rows);
      untold(flow, other, (outside) => outside.editVariant(flow.item(other, 'S0'), 'optionValues', ['S', 'Crimson']));
      untold(flow, side, (outside) => {
        outside.editProduct(flow.product(side, 'Shirt').id, 'optionNames', ['Color', 'Size']);
        outside.editVariant(flow.item(side, 'S0'), 'optionValues', ['Red', 'S']);
        outside.editVariant(flow.item(side, 'S1'), 'optionValues', ['Blue', 'M']);
      });
      await flow.poll();
      await look(flow);
      for (const each of SIDES)
        for (const { Size, Color } of shirt(flow, each))
          assert.ok(['S', 'M'].includes(Size ?? ''), `${each} shows size ${Size} and colour ${Color}`);
      assert.deepEqual(shirt(flow, 'woocommerce'), shirt(flow, 'shopify'));
      assert.equal(shirt(flow, 'shopify')[0]?.['Color'], 'Crimson', 'neither edit is lost');
    });

    test(`[R4] ${side} adds an option while ${other} renames the one that there is: names and values go together (${conflictResolution})`, async () => {
      const flow = await linkedShirt({ conflictResolution }, ['Size'], [['S'], ['M']]);
      untold(flow, other, (outside) => outside.editProduct(flow.product(other, 'Shirt').id, 'optionNames', ['Sz']));
      untold(flow, side, (outside) => {
        outside.editProduct(flow.product(side, 'Shirt').id, 'optionNames', ['Size', 'Color']);
        outside.editVariant(flow.item(side, 'S0'), 'optionValues', ['S', 'Red']);
        outside.editVariant(flow.item(side, 'S1'), 'optionValues', ['M', 'Blue']);
      });
      await flow.poll();
      await look(flow);
      for (const each of SIDES) {
        const { fields, variants } = flow.product(each, 'Shirt');
        for (const own of variants) assert.equal(own.fields.optionValues.length, fields.optionNames.length, each);
      }
    });

    for (const choice of conflictResolution === 'manual' ? (['hub', 'remote'] as const) : [])
      test(`[R4, R13] ... and a person who is asked about the names decides about their values as well (${side}, ${choice})`, async () => {
        const flow = await linkedShirt({ conflictResolution }, ['Size'], [['S'], ['M']]);
        untold(flow, other, (outside) => outside.editProduct(flow.product(other, 'Shirt').id, 'optionNames', ['Sz']));
        untold(flow, side, (outside) => {
          outside.editProduct(flow.product(side, 'Shirt').id, 'optionNames', ['Size', 'Color']);
          outside.editVariant(flow.item(side, 'S0'), 'optionValues', ['S', 'Red']);
          outside.editVariant(flow.item(side, 'S1'), 'optionValues', ['M', 'Blue']);
        });
        await flow.lookAt('Shirt');
        const [conflict] = flow.conflicts();
        assert.deepEqual(asked(flow), ['optionNames']);
        const expectedVersion = conflict?.version ?? 0;
        resolveConflict(flow.world.life().ctx, { conflictId: conflict?.id ?? '', expectedVersion, choice });
        await look(flow);
        const isLonger = (choice === 'remote') === (conflict?.side === side);
        for (const each of SIDES)
          assert.deepEqual(
            shirt(flow, each),
            isLonger
              ? [
                  { Size: 'S', Color: 'Red' },
                  { Size: 'M', Color: 'Blue' },
                ]
              : [{ Sz: 'S' }, { Sz: 'M' }],
          );
        assert.deepEqual(asked(flow), []);
      });
  }

for (const side of SIDES)
  test(`[T2] inventory is off: what is made later begins with what ${side} shows then, and is counted from there once it is on`, async () => {
    const flow = await linked({ syncInventory: false, createOn: { woocommerce: false, shopify: false } });
    flow.stock([side], { title: 'New' }, [{ sku: 'NEW', quantity: 10 }]);
    await flow.rest(60);
    flow.shop(side).outside.sell(flow.item(side, 'NEW'), 7);
    await flow.rest(60);
    await change(flow, { createOn: { woocommerce: true, shopify: true } });
    await look(flow);
    assert.deepEqual(flow.quantities('NEW'), [3, 3]);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'NEW'), 1);
    await change(flow, { syncInventory: true });
    await look(flow);
    assert.deepEqual(flow.quantities('NEW'), [2, 2]);
  });

for (const side of SIDES)
  for (const isAnswered of [true, false])
    test(`[R11, V3] the target ${side} has put its options into another order: a new variant has its values under their own names${isAnswered ? '' : ', also without an answer'}`, async () => {
      const source = otherSide(side);
      const rows = [
        ['S', 'Red'],
        ['M', 'Blue'],
      ];
      const syncDirection = side === 'shopify' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
      const flow = await linkedShirt({ syncDirection }, ['Size', 'Color'], rows);
      const { outside } = flow.shop(side);
      outside.editProduct(flow.product(side, 'Shirt').id, 'optionNames', ['Color', 'Size']);
      outside.editVariant(flow.item(side, 'S0'), 'optionValues', ['Red', 'S']);
      outside.editVariant(flow.item(side, 'S1'), 'optionValues', ['Blue', 'M']);
      await flow.rest(60);
      if (!isAnswered) faultOnce(flow.shop(side), 'write_variants', { type: 'timeout', when: 'after' });
      const fields = variant({ sku: 'S2', optionValues: ['L', 'Green'] });
      const stock = { tracked: true, quantity: 5 };
      flow.shop(source).outside.addVariant(flow.product(source, 'Shirt').id, { fields, stock });
      await flow.rest(60);
      await look(flow);
      assert.deepEqual(shirt(flow, side)[2], { Color: 'Green', Size: 'L' });
      const writes = flow.ours(side);
      await look(flow);
      assert.equal(flow.ours(side), writes);
    });

test('[R11, V3] ... in a Shopify store', () =>
  Story.play(async (story) => {
    const names = ['Size', 'Color'];
    const asOptions = (values: readonly string[]) =>
      Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
    const rows = [
      ['S', 'Red'],
      ['M', 'Blue'],
    ];
    const [variations, variants] = [
      rows.map((own) => ({ sku: `T-${own[0]}`, regularPrice: '9.00', stock: 5, options: asOptions(own) })),
      rows.map((optionValues) => ({ sku: `T-${optionValues[0]}`, price: '9.00', stock: 5, optionValues })),
    ];
    story.woo.addProduct({ title: 'Shirt', variations });
    story.shop.addProduct({ title: 'Shirt', optionNames: names, variants });
    story.addBoth('BOWL');
    await story.link({ syncDirection: 'woocommerce_to_shopify' });
    const p = story.item('shopify', 'T-S').productId;
    await story.shopApi(
      'mutation($p: ID!, $o: [OptionReorderInput!]!) { productOptionsReorder(productId: $p, options: $o) { userErrors { message } } }',
      { p, o: [{ name: 'Color' }, { name: 'Size' }] },
    );
    await story.rest();
    story.woo.addVariation(Number(story.item('woocommerce', 'T-S').productId), {
      ...{ sku: 'T-L', regularPrice: '9.00', stock: 4 },
      options: asOptions(['L', 'Green']),
    });
    await story.rest(120_000);
    const answer = await story.shopApi<{ product: { variants: { nodes: { selectedOptions: unknown }[] } } }>(
      'query($p: ID!) { product(id: $p) { variants(first: 10) { nodes { selectedOptions { name value } } } } }',
      { p },
    );
    assert.deepEqual(answer.product.variants.nodes[2]?.selectedOptions, [
      { name: 'Color', value: 'Green' },
      { name: 'Size', value: 'L' },
    ]);
  }));
