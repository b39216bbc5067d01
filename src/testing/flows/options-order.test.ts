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
