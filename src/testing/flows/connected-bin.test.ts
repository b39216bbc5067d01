import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

test('[P1] a product with variations goes into the bin, linked or not: its variations, which WooCommerce names as if they were products, are no problem', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
    const { productId } = story.woo.addProduct({
      title: 'Draft',
      status: 'draft',
      variations: [{ options: { Size: 'S' } }],
    });
    story.woo.trashProduct(Number(wooId));
    story.woo.trashProduct(productId);
    await story.rest();
    assert.deepEqual(story.codes(), []);
  }));

test('[V4] one variation goes into the bin: nobody buys it in Shopify without being told', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
    const { ref } = story.item('woocommerce', 'T-M');
    await story.wooApi('DELETE', `/products/${wooId}/variations/${ref}`);
    await story.rest(5_000);
    assert.deepEqual(story.codes(), ['VARIANT_REMOVED']);
  }));

test('a product with variations that comes out of the bin by our hand comes with its variations [G9, G12]', () =>
  Story.play(async (story) => {
    const sizes = ['S', 'M', 'L'];
    const { wooId, shopId } = await linkShirt(
      story,
      ['Size'],
      sizes.map((size) => [size]),
    );
    story.ledger.person(() => story.woo.trashProduct(Number(wooId)));
    await story.rest();
    const shown = () => story.shop.listShelf().find((row) => row.sku === 'T-S')?.status;
    assert.equal(shown(), 'ARCHIVED');
    story.shop.updateProduct(shopId, { status: 'ACTIVE' });
    await story.rest();
    await story.sync();
    assert.equal(shown(), 'ACTIVE');
    for (const size of sizes) assert.deepEqual(story.stock(`T-${size}`), [5, 5], size);
    story.shop.placeOrder([{ variant: 'T-M', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('T-M'), [4, 4]);
  }));
