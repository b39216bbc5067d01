import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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

test('[M3, P1] two products became one with two variants: once the two that were put away are deleted from the bin as well, it is made in WooCommerce', () =>
  Story.play(
    async (story) => {
      for (const sku of ['T-S', 'T-M', 'CUP']) story.addBoth(sku, { stock: 4 });
      await story.link();
      for (const sku of ['T-S', 'T-M']) story.shop.deleteProduct(story.item('shopify', sku).productId);
      await story.rest(MINUTE_MS);
      story.shop.addProduct({
        title: 'Shirt',
        optionNames: ['Size'],
        variants: ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: '9.00', stock: 4, optionValues: [size] })),
      });
      await story.rest(3 * MINUTE_MS);
      assert.deepEqual(story.codes(), ['AMBIGUOUS_MATCH']);
      // WooCommerce tells nobody of what is deleted for good.
      for (const sku of ['T-S', 'T-M']) story.woo.deleteProduct(sku, true);
      for (let night = 0; night < 2; night += 1) {
        await story.rest(HOUR_MS);
        await story.sync();
      }
      assert.deepEqual(story.codes(), []);
      for (const sku of ['T-S', 'T-M']) assert.deepEqual(story.stock(sku), [4, 4]);
    },
    { isRestless: true },
  ));

for (const pageFor404 of [404, 200])
  test(`[G7] a host that puts a page with status ${pageFor404} in place of each 404: what is deleted for good is put away, beside a witness`, () =>
    Story.play(async (story) => {
      story.woo.setHost({ pageFor404 });
      for (const sku of ['MUG', 'CUP', 'BOWL']) story.addBoth(sku, { stock: 4 });
      await story.link();
      story.ledger.person(() => story.woo.deleteProduct('MUG', true));
      for (let looks = 0; looks < 2; looks += 1) await story.sync();
      const status = (sku: string) => story.shop.listShelf().find((row) => row.sku === sku)?.status;
      assert.deepEqual(['MUG', 'CUP', 'BOWL'].map(status), ['ARCHIVED', 'ACTIVE', 'ACTIVE']);
      story.shop.placeOrder([{ variant: 'CUP', quantity: 1 }]);
      await story.rest();
      assert.deepEqual(story.stock('CUP'), [3, 3]);
    }));
