// A product of one variant that has an option in one shop and none in the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Side } from '../../model/platform.ts';
import { Story } from './depth/story.ts';

const SIZED: Readonly<Record<Side, (story: Story) => void>> = {
  woocommerce(story) {
    const variation = { sku: 'RING', regularPrice: '5.00', stock: 3, options: { Size: 'One size' } };
    story.woo.addProduct({ title: 'Ring', variations: [variation] });
    story.shop.addProduct({ title: 'Ring', sku: 'RING', price: '5.00', stock: 3 });
  },
  shopify(story) {
    story.woo.addProduct({ title: 'Ring', sku: 'RING', regularPrice: '5.00', stock: 3 });
    const variants = [{ sku: 'RING', price: '5.00', stock: 3, optionValues: ['One size'] }];
    story.shop.addProduct({ title: 'Ring', optionNames: ['Size'], variants });
  },
};

function plannedOptions(story: Story, plan: Parameters<Story['planItems']>[0]): readonly string[] {
  const fields = story.planItems(plan).flatMap(({ data }) => data.fields);
  return fields.filter(({ field }) => field.includes('Option')).map(({ side }) => side);
}

for (const linkRule of ['woocommerce', 'shopify', 'fill_blanks'] as const)
  for (const side of ['woocommerce', 'shopify'] as const)
    test(`[R17, B12] one size in ${side} and none in the other shop, first link by "${linkRule}": nothing is promised that would be refused, and all else is kept the same`, () =>
      Story.play(async (story) => {
        SIZED[side](story);
        const conflictResolution = linkRule === 'fill_blanks' ? 'manual' : 'newest';
        const { plan } = await story.link({ linkRule, conflictResolution });
        assert.deepEqual(new Set(plannedOptions(story, plan)), new Set(side === 'woocommerce' ? ['shopify'] : []));
        await story.rest(MINUTE_MS);
        assert.deepEqual(story.codes(), []);
        story.woo.placeOrder([{ ref: 'RING', quantity: 1 }]);
        story.shop.setPrice(story.item('shopify', 'RING').ref, '7.00');
        await story.rest(MINUTE_MS);
        assert.deepEqual(story.stock('RING'), [2, 2]);
        assert.equal(story.item('woocommerce', 'RING').price, 700);
        assert.deepEqual(story.codes(), []);
      }));

test('[R17] one size in Shopify and none in WooCommerce: a second variant in Shopify is told of, in the words of the shop that cannot have it', () =>
  Story.play(
    async (story) => {
      SIZED.shopify(story);
      await story.link();
      const { productId } = story.item('shopify', 'RING');
      story.shop.addVariant(productId, { sku: 'RING-M', price: '5.00', stock: 4, optionValues: ['M'] });
      await story.rest(5 * MINUTE_MS);
      assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
      assert.match(story.problems()[0]?.message ?? '', /can't be written to WooCommerce because of its options/);
    },
    { isRestless: true },
  ));

const M = { sku: 'RING-M', price: '5.00', stock: 4, optionValues: ['M'] };

async function giveOption(story: Story): Promise<void> {
  await story.shopApi(
    'mutation($p: ID!, $o: [OptionCreateInput!]!) { productOptionsCreate(productId: $p, options: $o, variantStrategy: LEAVE_AS_IS) { userErrors { message } } }',
    { p: story.item('shopify', 'RING').productId, o: [{ name: 'Size', values: [{ name: 'One size' }] }] },
  );
}

async function optionsInShopify(story: Story): Promise<readonly string[]> {
  const { product } = await story.shopApi<{ product: { options: readonly { name: string }[] } }>(
    'query($p: ID!) { product(id: $p) { options { name } } }',
    { p: story.item('shopify', 'RING').productId },
  );
  return product.options.map(({ name }) => name);
}

/** Somebody makes a variable product of the simple one, whose only variation has its SKU. */
async function makeVariable(story: Story, name: string): Promise<void> {
  const path = `/products/${story.item('woocommerce', 'RING').productId}`;
  const attributes = [{ name, variation: true, visible: true, options: ['One size', 'M'] }];
  await story.wooApi('PUT', path, { type: 'variable', sku: '', attributes });
  const goods = { sku: 'RING', regular_price: '5.00', manage_stock: true, stock_quantity: 3 };
  await story.wooApi('POST', `${path}/variations`, { ...goods, attributes: [{ name, option: 'One size' }] });
}

/** Nothing is open, and what is edited in either shop goes through. */
async function assertLevel(story: Story): Promise<void> {
  assert.deepEqual(story.codes(), []);
  story.shop.setPrice(story.item('shopify', 'RING').ref, '7.00');
  await story.rest(MINUTE_MS);
  assert.equal(story.item('woocommerce', 'RING').price, 700);
  assert.deepEqual(story.stock('RING'), [3, 3]);
  assert.deepEqual([story.codes(), story.conflicts('RING')], [[], []]);
}

for (const begins of ['with one size in Shopify', 'without options'])
  for (const syncDirection of ['bidirectional', 'shopify_to_woocommerce'] as const)
    test(`[R17, P1] a second variant that Shopify had for a while: once it is removed nothing is owed to WooCommerce, which could not be given it (${begins}, ${syncDirection})`, () =>
      Story.play(async (story) => {
        if (begins === 'without options') story.addBoth('RING', { price: '5.00', stock: 3 });
        else SIZED.shopify(story);
        await story.link({ syncDirection });
        await story.rest(MINUTE_MS);
        assert.deepEqual(story.codes(), []);
        if (begins === 'without options') await giveOption(story);
        await story.rest(MINUTE_MS);
        assert.deepEqual(story.codes(), [], 'of a single variant it is not owed');
        for (const _again of [1, 2]) {
          const second = story.shop.addVariant(story.item('shopify', 'RING').productId, M);
          await story.rest(5 * MINUTE_MS);
          assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
          story.shop.removeVariant(second);
          await story.rest(MINUTE_MS);
          assert.deepEqual(story.codes(), []);
        }
        await assertLevel(story);
        assert.deepEqual(await optionsInShopify(story), ['Size']);
      }));

for (const first of ['the variant is removed', 'it is made variable'])
  for (const name of ['Size', 'Ring size'])
    test(`[R17, V4] a second variant that Shopify had for a while, and WooCommerce's product is made variable with "${name}" by hand: ${first} first`, () =>
      Story.play(async (story) => {
        SIZED.shopify(story);
        await story.link();
        const second = story.shop.addVariant(story.item('shopify', 'RING').productId, M);
        await story.rest(5 * MINUTE_MS);
        if (first !== 'the variant is removed') await makeVariable(story, name);
        await story.rest(5 * MINUTE_MS);
        story.shop.removeVariant(second);
        await story.rest(5 * MINUTE_MS);
        if (first === 'the variant is removed') await makeVariable(story, name);
        await story.rest(5 * MINUTE_MS);
        await assertLevel(story);
        assert.deepEqual(await optionsInShopify(story), [name]);
        assert.deepEqual(story.hub('RING').row.data.fields.optionNames, [name]);
      }));

test('[R17] both have one size, and somebody makes a simple product of the one in WooCommerce: Shopify keeps its option, and a second variant comes and goes', () =>
  Story.play(async (story) => {
    const variation = { sku: 'RING', regularPrice: '5.00', stock: 3, options: { Size: 'One size' } };
    story.woo.addProduct({ title: 'Ring', variations: [variation] });
    const variants = [{ sku: 'RING', price: '5.00', stock: 3, optionValues: ['One size'] }];
    story.shop.addProduct({ title: 'Ring', optionNames: ['Size'], variants });
    await story.link();
    const path = `/products/${story.item('woocommerce', 'RING').productId}`;
    story.woo.removeVariation('RING');
    const goods = { sku: 'RING', regular_price: '5.00', manage_stock: true, stock_quantity: 3 };
    await story.wooApi('PUT', path, { type: 'simple', attributes: [], ...goods });
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    const second = story.shop.addVariant(story.item('shopify', 'RING').productId, M);
    await story.rest(5 * MINUTE_MS);
    story.shop.removeVariant(second);
    await story.rest(MINUTE_MS);
    await assertLevel(story);
    assert.deepEqual(await optionsInShopify(story), ['Size']);
  }));
