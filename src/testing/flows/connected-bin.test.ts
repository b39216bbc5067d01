import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

/** A linked shirt, and another product beside it. */
async function linkShirt(story: Story, sizes: readonly string[]) {
  story.woo.addProduct({
    title: 'Shirt',
    variations: sizes.map((size) => ({ sku: `T-${size}`, regularPrice: '9.00', stock: 4, options: { Size: size } })),
  });
  story.shop.addProduct({
    title: 'Shirt',
    optionNames: ['Size'],
    variants: sizes.map((size) => ({ sku: `T-${size}`, price: '9.00', stock: 4, optionValues: [size] })),
  });
  story.addBoth('OTHER');
  await story.link();
  return { wooId: Number(story.item('woocommerce', 'T-S').productId), shopId: story.item('shopify', 'T-S').productId };
}

test('[P1] a product with variations goes into the bin, linked or not: its variations, which WooCommerce names as if they were products, are no problem', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['S', 'M']);
    const { productId } = story.woo.addProduct({
      title: 'Draft',
      status: 'draft',
      variations: [{ options: { Size: 'S' } }],
    });
    story.woo.trashProduct(wooId);
    story.woo.trashProduct(productId);
    await story.rest();
    assert.deepEqual(story.codes(), []);
  }));

test('[V4] one variation goes into the bin: nobody buys it in Shopify without being told', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['S', 'M']);
    const { ref } = story.item('woocommerce', 'T-M');
    await story.wooApi('DELETE', `/products/${wooId}/variations/${ref}`);
    await story.rest(5_000);
    assert.deepEqual(story.codes(), ['VARIANT_REMOVED']);
  }));

test('a product with variations that comes out of the bin by our hand comes with its variations [G9, G12]', () =>
  Story.play(async (story) => {
    const sizes = ['S', 'M', 'L'];
    const { wooId, shopId } = await linkShirt(story, sizes);
    story.ledger.person(() => story.woo.trashProduct(wooId));
    await story.rest();
    const shown = () => story.shop.listShelf().find((row) => row.sku === 'T-S')?.status;
    assert.equal(shown(), 'ARCHIVED');
    story.shop.updateProduct(shopId, { status: 'ACTIVE' });
    await story.rest();
    await story.sync();
    assert.equal(shown(), 'ACTIVE');
    for (const size of sizes) assert.deepEqual(story.stock(`T-${size}`), [4, 4], size);
    story.shop.placeOrder([{ variant: 'T-M', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('T-M'), [3, 3]);
  }));
