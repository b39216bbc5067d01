import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

// The two shops have the same options in another order, and variants that nothing but their options tells apart.

/** Size and color in the one shop, color and size in the other. `sku`: of the small one; the medium one has none. */
function stockSwapped(flow: EngineFlow, sku: string, names: readonly string[] = ['Size', 'Color']): void {
  flow.stock(['woocommerce'], { title: 'Mug', optionNames: names }, [
    { sku, optionValues: ['S', 'Red'] },
    { sku: '', optionValues: ['M', 'Red'], quantity: 4 },
  ]);
  flow.stock(['shopify'], { title: 'Mug', optionNames: ['Color', 'Size'] }, [
    { sku, optionValues: ['Red', 'S'] },
    { sku: '', optionValues: ['Red', 'M'], quantity: 4 },
  ]);
}

const shown = (flow: EngineFlow, side: Side) =>
  flow.product(side, 'Mug').variants.map(({ fields, quantity }) => [fields.optionValues.join(' '), quantity]);

for (const settings of [
  {},
  { syncDirection: 'woocommerce_to_shopify' },
  { syncDirection: 'shopify_to_woocommerce' },
  { conflictResolution: 'manual', linkRule: 'shopify' },
] as const)
  test(`[V2, R4, L3] variants without a SKU are recognised by their options, in whatever order they stand (${JSON.stringify(settings)})`, async () => {
    const flow = new EngineFlow(settings);
    stockSwapped(flow, 'MUG');
    await flow.link();
    await flow.scan();
    const [, medium] = flow.product('shopify', 'Mug').variants;
    flow.shop('shopify').outside.sell(medium?.stockId ?? '', 1);
    await flow.rest();
    const isOfShopify = 'linkRule' in settings || 'shopify_to_woocommerce' === Object.values(settings)[0];
    const names = isOfShopify ? ['Red S', 'Red M'] : ['S Red', 'M Red'];
    for (const side of SIDES)
      assert.deepEqual(
        shown(flow, side),
        [
          [names[0], 10],
          [names[1], 3],
        ],
        side,
      );
    assert.deepEqual(flow.problems(), []);
  });

test('[M1, R4] a product that its handle and its options alone tell of is one, in whatever order its options stand', async () => {
  const flow = new EngineFlow();
  stockSwapped(flow, '');
  await flow.link();
  for (const side of SIDES) {
    assert.equal(flow.count(side), 1, side);
    assert.deepEqual(
      shown(flow, side),
      [
        ['S Red', 10],
        ['M Red', 4],
      ],
      side,
    );
  }
});

for (const [names, told] of [
  [['Size', 'Colour'], []],
  [
    ['Größe', 'Farbe'],
    ['SAME_TITLE', 'SAME_TITLE'],
  ],
] as const)
  test(`[M1, V2] ... and where the shops also call ${told.length === 0 ? 'one of them' : 'both of them'} otherwise, no variant is made a second time beside its own`, async () => {
    const flow = new EngineFlow();
    stockSwapped(flow, '', names);
    await flow.link();
    assert.deepEqual(flow.problems(), told);
    for (const side of SIDES) {
      assert.equal(flow.count(side), 1, side);
      assert.equal(shown(flow, side).length, 2, side);
    }
  });

test('[V2, W4] a variant that was made without an answer where the options stand in another order is recognised, and made once', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size', 'Color'] }, [
    { sku: 'MUG-S', optionValues: ['S', 'Red'] },
    { sku: 'MUG-M', optionValues: ['M', 'Red'], quantity: 4 },
  ]);
  await flow.link();
  const { outside } = flow.shop('shopify');
  outside.editProduct(flow.product('shopify', 'Mug').id, 'optionNames', ['Color', 'Size']);
  outside.editVariant(flow.item('shopify', 'MUG-S'), 'optionValues', ['Red', 'S']);
  outside.editVariant(flow.item('shopify', 'MUG-M'), 'optionValues', ['Red', 'M']);
  await flow.rest();
  flow.hands.shopify.writeProducts = async (writes, signal, cut) => {
    delete flow.hands.shopify.writeProducts;
    await flow.connector('shopify').writeProducts(writes, signal, cut);
    throw new ConnectorError('unknown_outcome', 'no answer');
  };
  const added = { fields: variant({ sku: '', optionValues: ['L', 'Red'] }), stock: { tracked: true, quantity: 7 } };
  flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, added);
  await flow.rest(30);
  assert.equal(flow.hands.shopify.writeProducts, undefined, 'its create was sent');
  outside.sell(flow.product('shopify', 'Mug').variants[2]?.stockId ?? '', 1);
  await flow.rest();
  assert.deepEqual(shown(flow, 'woocommerce')[2], ['L Red', 6]);
  assert.deepEqual(shown(flow, 'shopify')[2], ['Red L', 6]);
  assert.deepEqual([...new Set(flow.problems())], ['DRIFT'], 'what Shopify calls its options, and nothing else');
});

test('[V5, R4] a variant that is added again after the options have changed places is the one that was left', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size', 'Color'] }, [
    { sku: 'MUG', optionValues: ['S', 'Red'] },
    { sku: '', optionValues: ['M', 'Blue'], quantity: 4 },
  ]);
  await flow.link();
  const { outside } = flow.shop('woocommerce');
  const { id, variants } = flow.product('woocommerce', 'Mug');
  outside.deleteVariant(variants[1]?.stockId ?? '');
  await flow.rest();
  outside.editProduct(id, 'optionNames', ['Color', 'Size']);
  outside.editVariant(flow.item('woocommerce', 'MUG'), 'optionValues', ['Red', 'S']);
  await flow.rest();
  // Shopify gives all that a product has of variants the new order, also what was left there.
  const left = flow.product('shopify', 'Mug').variants[1]?.stockId ?? '';
  flow.shop('shopify').outside.editVariant(left, 'optionValues', ['Blue', 'M']);
  await flow.rest();
  const again = { fields: variant({ sku: '', optionValues: ['Blue', 'M'] }), stock: { tracked: true, quantity: 3 } };
  outside.addVariant(id, again);
  await flow.rest();
  for (const side of SIDES)
    assert.deepEqual(
      shown(flow, side),
      [
        ['Red S', 10],
        ['Blue M', 3],
      ],
      side,
    );
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  test(`[V3, R4] a variant that ${side} adds while a person is asked what its options are called, and in which order, keeps its values, whatever they answer`, async () => {
    const other = otherSide(side);
    const flow = new EngineFlow({ conflictResolution: 'manual' });
    flow.stock(SIDES, { title: 'Mug', optionNames: ['Size', 'Color'] }, [
      { sku: 'MUG-S', optionValues: ['S', 'Red'] },
      { sku: 'MUG-M', optionValues: ['M', 'Red'], quantity: 4 },
    ]);
    await flow.link();
    const { id } = flow.product(side, 'Mug');
    untold(flow, side, (outside) => {
      outside.editProduct(id, 'optionNames', ['Color', 'Size']);
      outside.editVariant(flow.item(side, 'MUG-S'), 'optionValues', ['Red', 'S']);
      outside.editVariant(flow.item(side, 'MUG-M'), 'optionValues', ['Red', 'M']);
    });
    untold(flow, other, (outside) =>
      outside.editProduct(flow.product(other, 'Mug').id, 'optionNames', ['Fit', 'Color']),
    );
    await flow.lookAt('Mug');
    assert.deepEqual(
      flow.conflicts().map(({ field }) => field),
      ['optionNames'],
    );
    const added = {
      fields: variant({ sku: 'MUG-L', optionValues: ['Red', 'L'] }),
      stock: { tracked: true, quantity: 7 },
    };
    flow.shop(side).outside.addVariant(id, added);
    await flow.rest();
    assert.deepEqual(shown(flow, side)[2], ['Red L', 7]);
    const made = shown(flow, other)[2];
    assert.deepEqual(made, side === 'shopify' ? ['L Red', 7] : undefined, 'no size is called Red');
    const [asked] = flow.conflicts();
    const choice = asked?.side === side ? 'hub' : 'remote';
    const command = { conflictId: asked?.id ?? '', choice, expectedVersion: asked?.version ?? 0 } as const;
    resolveConflict(flow.world.life().ctx, command);
    await flow.rest();
    for (const each of SIDES) {
      assert.deepEqual(flow.product(each, 'Mug').fields.optionNames, ['Fit', 'Color']);
      assert.deepEqual(shown(flow, each)[2], ['L Red', 7], `${each}, once the person has answered`);
    }
  });

/** Both shops get a third option at once, before either is told of the other's: `names` by shop, and the material that the medium one is made of there. */
async function addThird(flow: EngineFlow, added: Record<Side, readonly [names: readonly string[], made: string]>) {
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size', 'Color'] }, [
    { sku: 'MUG-S', optionValues: ['S', 'Red'] },
    { sku: 'MUG-M', optionValues: ['M', 'Red'], quantity: 4 },
  ]);
  await flow.link();
  for (const side of SIDES) {
    const [names, made] = added[side];
    const values = (own: Readonly<Record<string, string>>) => names.map((name) => own[name] ?? made);
    untold(flow, side, (outside) => {
      outside.editProduct(flow.product(side, 'Mug').id, 'optionNames', names);
      outside.editVariant(
        flow.item(side, 'MUG-S'),
        'optionValues',
        values({ Size: 'S', Color: 'Red', Material: 'Clay' }),
      );
      outside.editVariant(flow.item(side, 'MUG-M'), 'optionValues', values({ Size: 'M', Color: 'Red' }));
    });
  }
  await flow.lookAt('Mug');
}

const medium = (flow: EngineFlow, side: Side) => flow.product(side, 'Mug').variants[1]?.fields.optionValues;
const LAST = ['Size', 'Color', 'Material'];

for (const [names, place] of [
  [LAST, 'at the same place'],
  [['Material', 'Size', 'Color'], 'at another place'],
] as const) {
  const laid = (made: string) => names.map((name) => ({ Size: 'M', Color: 'Red' })[name] ?? made);

  for (const conflictResolution of SIDES)
    test(`[R4, R5] both shops add one option ${place}, with other values: those of ${conflictResolution} are taken, and what loses stands in the history`, async () => {
      const flow = new EngineFlow({ conflictResolution });
      await addThird(flow, { woocommerce: [names, 'Tin'], shopify: [LAST, 'Glass'] });
      const made = conflictResolution === 'shopify' ? 'Glass' : 'Tin';
      const lost = conflictResolution === 'shopify' ? 'Tin' : 'Glass';
      for (const side of SIDES) assert.equal(medium(flow, side)?.includes(made), true, side);
      const losers = flow
        .changes('optionValues')
        .filter(({ cause }) => cause === 'kept_hub' || cause === 'conflict_remote');
      assert.deepEqual(
        losers.map(({ from, to }) =>
          [from, to].map((own) => (own as string[]).find((each) => !['M', 'Red'].includes(each))),
        ),
        [[lost, made]],
      );
      await flow.scan();
      for (const side of SIDES) assert.equal(medium(flow, side)?.includes(made), true, side);
      assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
    });

  test(`[R4, R7] ... ${place}, and where a person decides, neither shop is written a value before that`, async () => {
    const flow = new EngineFlow({ conflictResolution: 'manual' });
    await addThird(flow, { woocommerce: [names, 'Tin'], shopify: [LAST, 'Glass'] });
    assert.deepEqual([medium(flow, 'woocommerce'), medium(flow, 'shopify')], [laid('Tin'), ['M', 'Red', 'Glass']]);
    for (let i = 0; i < 3 && flow.conflicts().length > 0; i += 1) {
      const [asked] = flow.conflicts();
      const command = { conflictId: asked?.id ?? '', choice: 'remote', expectedVersion: asked?.version ?? 0 } as const;
      resolveConflict(flow.world.life().ctx, command);
      await flow.rest();
    }
    for (const side of SIDES) assert.deepEqual(medium(flow, side), ['M', 'Red', 'Glass'], side);
    assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
  });
}

test('[R4, R5] each shop adds an option of its own: the values go with the names of who wins', async () => {
  const flow = new EngineFlow({ conflictResolution: 'shopify' });
  await addThird(flow, { woocommerce: [LAST, 'Tin'], shopify: [['Size', 'Color', 'Style'], 'Plain'] });
  for (const side of SIDES) assert.deepEqual(medium(flow, side), ['M', 'Red', 'Plain'], side);
});

test('[R11] a target gives the option that its source adds another value by itself: that is drift, and told', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  await addThird(flow, { woocommerce: [LAST, 'Tin'], shopify: [LAST, 'Glass'] });
  assert.deepEqual(medium(flow, 'shopify'), ['M', 'Red', 'Glass']);
  assert.deepEqual(flow.problems(), ['DRIFT']);
});

test('[R3, R4] one shop adds an option and renames a value in one go: nobody is asked about what it alone has done', async () => {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  await addThird(flow, { woocommerce: [['Size', 'Color'], 'Tin'], shopify: [LAST, 'Glass'] });
  assert.deepEqual(medium(flow, 'woocommerce'), ['M', 'Red', 'Glass']);
  untold(flow, 'woocommerce', (outside) => {
    outside.editProduct(flow.product('woocommerce', 'Mug').id, 'optionNames', [...LAST.slice(0, 2), 'Fit']);
    outside.editVariant(flow.item('woocommerce', 'MUG-M'), 'optionValues', ['Mid', 'Red', 'Wide']);
  });
  await flow.lookAt('Mug');
  assert.deepEqual(medium(flow, 'shopify'), ['Mid', 'Red', 'Wide']);
  assert.deepEqual(flow.conflicts(), []);
});

for (const side of SIDES)
  test(`[R3, R4] ... as ${side} does that adds one and renames a value of another`, async () => {
    const flow = new EngineFlow({ conflictResolution: 'manual' });
    flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, [{ sku: 'MUG-M', optionValues: ['M'] }]);
    await flow.link();
    untold(flow, side, (outside) => {
      outside.editProduct(flow.product(side, 'Mug').id, 'optionNames', ['Size', 'Color']);
      outside.editVariant(flow.item(side, 'MUG-M'), 'optionValues', ['Mid', 'Red']);
    });
    await flow.lookAt('Mug');
    for (const each of SIDES)
      assert.deepEqual(flow.product(each, 'Mug').variants[0]?.fields.optionValues, ['Mid', 'Red']);
    assert.deepEqual(flow.conflicts(), []);
  });
