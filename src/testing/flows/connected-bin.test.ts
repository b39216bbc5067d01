import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

test('a product with variations that comes out of the bin by our hand comes with its variations [G9, G12]', () =>
  Story.play(async (story) => {
    const sizes = ['S', 'M', 'L'];
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
    const { productId } = story.item('woocommerce', 'T-S');
    const shopId = story.item('shopify', 'T-S').productId;
    story.ledger.person(() => story.woo.trashProduct(Number(productId)));
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
