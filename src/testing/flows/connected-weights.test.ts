// In WooCommerce a variation without a weight has that of its product.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';

const SIZES = ['S', 'M'] as const;
const skuOf = (size: string) => `SHIRT-${size}`;

async function linkedShirt(story: Story): Promise<void> {
  const variations = SIZES.map((Size) => ({ sku: skuOf(Size), regularPrice: '9.00', stock: 5, options: { Size } }));
  story.woo.addProduct({ title: 'Shirt', variations });
  await weighProduct(story, '2');
  const variants = SIZES.map((size) => ({
    ...{ sku: skuOf(size), price: '9.00', stock: 5, optionValues: [size] },
    weightKg: 2,
  }));
  story.shop.addProduct({ title: 'Shirt', optionNames: ['Size'], variants });
  await story.link();
}

async function weighProduct(story: Story, weight: string): Promise<void> {
  await story.wooApi('PUT', `/products/${story.item('woocommerce', 'SHIRT-S').productId}`, { weight });
}

async function weighInShopify(story: Story, sku: string, value: number): Promise<void> {
  await story.shopApi(
    `mutation($id: ID!, $value: Float!) { inventoryItemUpdate(id: $id, input: { measurement: { weight: { value: $value, unit: KILOGRAMS } } }) {
      userErrors { message } } }`,
    { id: story.item('shopify', sku).stockId, value },
  );
}

async function weights(story: Story, sku: string): Promise<readonly number[]> {
  const { productId, variantId } = story.item('woocommerce', sku);
  const { weight } = await story.wooApi<{ weight: string }>('GET', `/products/${productId}/variations/${variantId}`);
  const { inventoryItem } = await story.shopApi<{ inventoryItem: { measurement: { weight: { value: number } } } }>(
    'query($id: ID!) { inventoryItem(id: $id) { measurement { weight { value } } } }',
    { id: story.item('shopify', sku).stockId },
  );
  return [Number(weight), inventoryItem.measurement.weight.value];
}

for (const [how, settle, expected] of [
  ['it is given another one', (story: Story) => weighInShopify(story, 'SHIRT-S', 3), [3, 3]],
  ['the product has none any more', (story: Story) => weighProduct(story, ''), [0, 0]],
] as const)
  test(`[C4, B1] a weight that is cleared in Shopify stays cleared where the product has one in WooCommerce: it is told until ${how}, and all else goes on`, () =>
    Story.play(async (story) => {
      await linkedShirt(story);
      assert.deepEqual([await weights(story, 'SHIRT-S'), story.codes()], [[2, 2], []]);
      await weighInShopify(story, 'SHIRT-S', 0);
      story.shop.setPrice(story.item('shopify', 'SHIRT-S').ref, '7.00');
      await story.rest(5 * MINUTE_MS);
      assert.deepEqual([await weights(story, 'SHIRT-S'), story.codes()], [[2, 0], ['WRITE_REJECTED']]);
      assert.match(
        story.problems()[0]?.message ?? '',
        /because of its weight: a variation without a weight has that of/,
      );
      assert.equal(story.item('woocommerce', 'SHIRT-S').price, 700);
      await settle(story);
      await story.rest(5 * MINUTE_MS);
      assert.deepEqual([await weights(story, 'SHIRT-S'), story.codes()], [expected, []]);
    }));
