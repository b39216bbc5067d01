import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Side } from '../../model/platform.ts';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

/** By the SKU that each variant had at first. */
async function shopValues(story: Story, shopId: string): Promise<Record<string, string>> {
  const { product } = await story.shopApi<{ product: { variants: { nodes: { sku: string; title: string }[] } } }>(
    'query($id: ID!) { product(id: $id) { variants(first: 10) { nodes { sku title } } } }',
    { id: shopId },
  );
  return Object.fromEntries(product.variants.nodes.map(({ sku, title }) => [sku, title]));
}

async function wooLists(story: Story, wooId: string): Promise<[string, string[]][]> {
  type Attribute = { name: string; options: string[] };
  const { attributes } = await story.wooApi<{ attributes: Attribute[] }>('GET', `/products/${wooId}`);
  return attributes.map(({ name, options }) => [name, options]);
}

const moveInWoo = (story: Story, wooId: string, moves: readonly (readonly [string, string])[]) => {
  const update = moves.map(([sku, option]) => ({
    id: Number(story.item('woocommerce', sku).ref),
    attributes: [{ name: 'Size', option }],
  }));
  return story.wooApi('POST', `/products/${wooId}/variations/batch`, { update });
};

const TWO_COLORS = [
  ['S', 'Red'],
  ['M', 'Blue'],
];

test('options that change places in WooCommerce do so in Shopify', () =>
  Story.play(async (story) => {
    const { wooId, shopId } = await linkShirt(story, ['Size', 'Color'], TWO_COLORS);
    const attribute = (name: string, options: string[]) => ({ name, visible: true, variation: true, options });
    await story.wooApi('PUT', `/products/${wooId}`, {
      attributes: [attribute('Color', ['Red', 'Blue']), attribute('Size', ['S', 'M'])],
    });
    await story.rest();
    assert.deepEqual(await shopValues(story, shopId), { 'T-S-Red': 'Red / S', 'T-M-Blue': 'Blue / M' });
    assert.deepEqual(story.codes(), []);
  }));

test('options that change places in Shopify, and values that are renamed there, leave nothing of the old in WooCommerce', () =>
  Story.play(async (story) => {
    const { wooId, shopId } = await linkShirt(story, ['Size', 'Color'], TWO_COLORS);
    await story.shopApi(
      'mutation($p: ID!, $o: [OptionReorderInput!]!) { productOptionsReorder(productId: $p, options: $o) { userErrors { message } } }',
      { p: shopId, o: [{ name: 'Color' }, { name: 'Size' }] },
    );
    await story.rest();
    assert.deepEqual(await wooLists(story, wooId), [
      ['Color', ['Red', 'Blue']],
      ['Size', ['S', 'M']],
    ]);
    await story.shopApi(
      'mutation($p: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $p, variants: $v) { userErrors { message } } }',
      {
        p: shopId,
        v: [{ id: story.item('shopify', 'T-S-Red').ref, optionValues: [{ optionName: 'Size', name: 'Small' }] }],
      },
    );
    await story.rest();
    assert.deepEqual(await wooLists(story, wooId), [
      ['Color', ['Red', 'Blue']],
      ['Size', ['Small', 'M']],
    ]);
    assert.deepEqual(story.codes(), []);
  }));

test('variants that change places in WooCommerce, two or round in a circle, do so in Shopify, with all else of the product', () =>
  Story.play(async (story) => {
    const { wooId, shopId } = await linkShirt(story, ['Size'], [['S'], ['M'], ['L']]);
    await moveInWoo(story, wooId, [
      ['T-S', 'M'],
      ['T-M', 'S'],
    ]);
    story.woo.setPrice('T-S', '12.00');
    await story.rest();
    assert.deepEqual(await shopValues(story, shopId), { 'T-S': 'M', 'T-M': 'S', 'T-L': 'L' });
    assert.equal(story.item('shopify', 'T-S').price, 1200);
    await moveInWoo(story, wooId, [
      ['T-S', 'L'],
      ['T-M', 'M'],
      ['T-L', 'S'],
    ]);
    await story.rest();
    assert.deepEqual(await shopValues(story, shopId), { 'T-S': 'L', 'T-M': 'M', 'T-L': 'S' });
    assert.deepEqual(story.codes(), []);
  }));

test('[W4] Shopify takes only the first step of variants that change places: that is nobody’s edit, and they get there', () =>
  Story.play(async (story) => {
    const { wooId, shopId } = await linkShirt(story, ['Size'], [['S'], ['M'], ['L']]);
    let steps = 0;
    story.shop.setFault(({ operation }) => {
      if (operation === 'VariantsUpdate') steps += 1;
      return operation === 'VariantsUpdate' && steps > 1 ? { kind: 'reset', when: 'before' } : null;
    });
    await moveInWoo(story, wooId, [
      ['T-S', 'M'],
      ['T-M', 'S'],
    ]);
    await story.rest(5_000);
    assert.deepEqual(Object.values(await shopValues(story, shopId)).sort(), ['L', 'M (⇄)', 'S (⇄)']);
    await story.rest(120_000);
    story.shop.setFault(null);
    await story.rest(600_000);
    assert.deepEqual(await shopValues(story, shopId), { 'T-S': 'M', 'T-M': 'S', 'T-L': 'L' });
    assert.deepEqual(await wooLists(story, wooId), [['Size', ['S', 'M', 'L']]]);
    assert.deepEqual(story.codes(), []);
  }));

test('SKUs that change places in Shopify do so in WooCommerce', () =>
  Story.play(async (story) => {
    await linkShirt(story, ['Size'], [['S'], ['M'], ['L']]);
    const place = (side: Side) => Object.fromEntries(story.shelf(side).map(({ sku, ref }) => [sku, ref]));
    const before = place('woocommerce');
    const [s, m] = ['T-S', 'T-M'].map((sku) => story.item('shopify', sku));
    await story.shopApi(
      'mutation($p: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $p, variants: $v) { userErrors { message } } }',
      {
        p: s!.productId,
        v: [
          { id: s!.ref, inventoryItem: { sku: 'T-M' } },
          { id: m!.ref, inventoryItem: { sku: 'T-S' } },
        ],
      },
    );
    await story.rest();
    const after = place('woocommerce');
    assert.deepEqual([after['T-S'], after['T-M'], after['T-L']], [before['T-M'], before['T-S'], before['T-L']]);
    assert.deepEqual(story.codes(), []);
  }));

test('[L5] a variation is opened to any size: what WooCommerce sells of the product is counted still, and all goes on when it has a size again', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
    await moveInWoo(story, wooId, [['T-M', '']]);
    await story.rest();
    assert.deepEqual(story.codes(), ['UNSYNCABLE_ANY_VARIATION']);
    story.woo.placeOrder([
      { ref: 'T-S', quantity: 1 },
      { ref: 'T-M', quantity: 2 },
    ]);
    await story.rest();
    assert.deepEqual(
      [story.stock('T-S'), story.stock('T-M')],
      [
        [4, 4],
        [3, 3],
      ],
    );
    story.shop.placeOrder([{ variant: 'T-S', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('T-S'), [3, 3]);
    await moveInWoo(story, wooId, [['T-M', 'M']]);
    await story.rest();
    assert.deepEqual(story.codes(), []);
  }));

test('[L5] the stock of one variation is no whole number: that of the others is counted still, and its own is not rounded', () =>
  Story.play(async (story) => {
    await linkShirt(story, ['Size'], [['S'], ['M']]);
    const { woocommerce: host } = story.world.shops.hosts;
    const inject = host.inject;
    // A plug-in for goods by the metre.
    const ofMetres = new RegExp(`("id":${story.item('woocommerce', 'T-M').ref},.*?"stock_quantity":)\\d+`);
    Object.assign(host, {
      inject: async (request: Parameters<typeof inject>[0]) => {
        const answer = await inject(request);
        return { ...answer, body: Buffer.from(answer.body.toString().replace(ofMetres, '$14.5')) };
      },
    });
    story.woo.placeOrder([
      { ref: 'T-S', quantity: 1 },
      { ref: 'T-M', quantity: 1 },
    ]);
    await story.rest();
    assert.ok(story.codes().includes('UNSYNCABLE_FRACTIONAL_STOCK'));
    assert.deepEqual([story.item('shopify', 'T-S').stock, story.item('shopify', 'T-M').stock], [4, 5]);
    Object.assign(host, { inject });
    story.woo.restock('T-M', 2);
    // What was refused to be read is asked again after a quarter of an hour.
    await story.rest(16 * 60_000);
    assert.deepEqual([story.stock('T-M'), story.codes()], [[6, 6], []]);
  }));

type Rows = readonly (readonly [sku: string, values: Readonly<Record<string, string>>])[];

/** The options of the shirt in WooCommerce and the values of its variations from now on. */
async function setInWoo(story: Story, wooId: string, rows: Rows): Promise<void> {
  const names = Object.keys(rows[0]?.[1] ?? {});
  const attributes = names.map((name) => {
    const options = [...new Set(rows.map(([, values]) => values[name] ?? ''))];
    return { name, visible: true, variation: true, options };
  });
  await story.wooApi('PUT', `/products/${wooId}`, { attributes });
  const update = rows.map(([sku, values]) => ({
    id: Number(story.item('woocommerce', sku).ref),
    attributes: Object.entries(values).map(([name, option]) => ({ name, option })),
  }));
  await story.wooApi('POST', `/products/${wooId}/variations/batch`, { update });
}

interface Halfway {
  readonly does: string;
  /** The call that has no answer, after so many that had one. */
  readonly stopsAt: string;
  readonly after: number;
  readonly small: Readonly<Record<string, string>>;
  readonly medium: Readonly<Record<string, string>>;
  /** The last values that Shopify shows between the steps. */
  readonly between: readonly string[];
}

const HALFWAY: readonly Halfway[] = [
  {
    ...{ does: 'adds an option', stopsAt: 'VariantsUpdate', after: 0, between: ['Cotton', 'Cotton'] },
    small: { Size: 'S', Color: 'Red', Material: 'Cotton' },
    medium: { Size: 'M', Color: 'Blue', Material: 'Wool' },
  },
  {
    ...{ does: 'renames an option that changes places', stopsAt: 'ProductOptionUpdate', after: 0, between: ['S', 'M'] },
    small: { Colour: 'Red', Size: 'S' },
    medium: { Colour: 'Blue', Size: 'M' },
  },
  {
    ...{ does: 'renames values of two options', stopsAt: 'ProductOptionUpdate', after: 1, between: ['Red', 'Blue'] },
    small: { Size: 'Small', Color: 'Rot' },
    medium: { Size: 'M', Color: 'Blue' },
  },
];

for (const { does, stopsAt, after, small, medium, between } of HALFWAY)
  test(`[W4] Shopify takes only the first step of a write that ${does}: that is nobody’s edit, and is not carried back`, () =>
    Story.play(async (story) => {
      const { wooId, shopId } = await linkShirt(story, ['Size', 'Color'], TWO_COLORS);
      let left = after;
      story.shop.setFault(({ operation }) => {
        if (operation !== stopsAt || left-- > 0) return null;
        return { kind: 'reset', when: 'before' };
      });
      const rows: Rows = [
        ['T-S-Red', small],
        ['T-M-Blue', medium],
      ];
      await setInWoo(story, wooId, rows);
      await story.rest(20_000);
      const halfway = Object.values(await shopValues(story, shopId));
      assert.deepEqual(
        halfway.map((title) => title.split(' / ').at(-1)),
        between,
      );
      await story.rest(120_000);
      story.shop.setFault(null);
      await story.rest(600_000);
      const shown = rows.map(([sku, values]) => [sku, Object.values(values).join(' / ')]);
      assert.deepEqual(await shopValues(story, shopId), Object.fromEntries(shown));
      assert.deepEqual(
        (await wooLists(story, wooId)).map(([name, options]) => [name, [...options].sort()]),
        Object.keys(small).map((name) => {
          const values = [small, medium].map((own) => own[name] ?? '');
          return [name, [...new Set(values)].sort()];
        }),
      );
      assert.deepEqual(story.codes(), []);
    }));

const ADD_OPTION =
  'mutation($p: ID!, $o: [OptionCreateInput!]!) { productOptionsCreate(productId: $p, options: $o, variantStrategy: LEAVE_AS_IS) { userErrors { message } } }';
const RENAME_OPTION =
  'mutation($p: ID!, $o: OptionUpdateInput!) { productOptionUpdate(productId: $p, option: $o, variantStrategy: LEAVE_AS_IS) { userErrors { message } } }';

async function optionId(story: Story, shopId: string, wanted: string): Promise<string> {
  const { product } = await story.shopApi<{ product: { options: { id: string; name: string }[] } }>(
    'query($id: ID!) { product(id: $id) { options { id name } } }',
    { id: shopId },
  );
  return product.options.find(({ name }) => name === wanted)?.id ?? '';
}

for (const [does, values] of [
  ['adds an option', { Size: 'M', Color: 'Blue', Material: 'Cotton' }],
  ['renames one', { Size: 'M', Colour: 'Blue' }],
] as const)
  test(`[W4, L5] WooCommerce takes the product of a write that ${does}, and not its variations: they are not left for any value, and it is finished`, () =>
    Story.play(async (story) => {
      const { wooId, shopId } = await linkShirt(story, ['Size', 'Color'], TWO_COLORS);
      type Variation = { sku: string; attributes: { name: string; option: string }[] };
      const shown = async () => {
        const variations = await story.wooApi<Variation[]>('GET', `/products/${wooId}/variations`);
        const { attributes = [] } = variations.find(({ sku }) => sku === 'T-M-Blue') ?? {};
        return Object.fromEntries(attributes.map(({ name, option }) => [name, option]));
      };
      story.woo.setFault(({ method, url }) =>
        method !== 'GET' && url.includes('/variations') ? { kind: 'drop', when: 'before' } : undefined,
      );
      if (does === 'adds an option')
        await story.shopApi(ADD_OPTION, {
          p: shopId,
          o: [{ name: 'Material', position: 3, values: [{ name: 'Cotton' }] }],
        });
      else
        await story.shopApi(RENAME_OPTION, {
          p: shopId,
          o: { id: await optionId(story, shopId, 'Color'), name: 'Colour' },
        });
      await story.rest(150_000);
      assert.deepEqual(
        (await wooLists(story, wooId)).map(([name]) => name),
        Object.keys(values),
      );
      assert.notDeepEqual(await shown(), values);
      story.woo.setFault(null);
      await story.rest(600_000);
      assert.deepEqual(await shown(), values);
      assert.deepEqual(Object.keys(await shopValues(story, shopId)).length, 2);
      assert.deepEqual(story.codes(), []);
    }));
