// Options that a shop can take only with a new record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

test('[G9, P1] a product without options in WooCommerce gets variants in Shopify: it is made anew once it is deleted for good, as the words say', () =>
  Story.play(
    async (story) => {
      for (const sku of ['MUG', 'RING']) story.addBoth(sku);
      await story.link();
      const { productId } = story.item('shopify', 'RING');
      await story.shopApi(
        'mutation($p: ID!, $o: [OptionCreateInput!]!) { productOptionsCreate(productId: $p, options: $o, variantStrategy: LEAVE_AS_IS) { userErrors { message } } }',
        { p: productId, o: [{ name: 'Size', values: [{ name: 'S' }] }] },
      );
      story.shop.addVariant(productId, { sku: 'RING-M', price: '10.00', stock: 4, optionValues: ['M'] });
      await story.rest(5 * MINUTE_MS);
      assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
      assert.match(story.problems()[0]?.message ?? '', /Delete it there for good: from the bin it would be taken out/);
      story.woo.deleteProduct('RING', true);
      await story.rest(HOUR_MS);
      await story.sync();
      await story.rest(HOUR_MS);
      assert.deepEqual(story.codes(), []);
      assert.deepEqual(
        [story.stock('RING'), story.stock('RING-M')],
        [
          [10, 10],
          [4, 4],
        ],
      );
    },
    { isRestless: true },
  ));

for (const how of ['another variant', 'one of those that were left'])
  test(`[V4, V5, P1] a product with variations becomes a simple one in WooCommerce, under a SKU of its own: ${how} with that in Shopify makes the two one again`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      const { wooId, shopId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
      for (const sku of ['T-S', 'T-M'])
        await story.wooApi('DELETE', `/products/${wooId}/variations/${story.item('woocommerce', sku).ref}?force=true`);
      const simple = { type: 'simple', sku: 'SHIRT', regular_price: '9.00', manage_stock: true, stock_quantity: 7 };
      await story.wooApi('PUT', `/products/${wooId}`, { ...simple, attributes: [] });
      await story.rest(3 * MINUTE_MS);
      const [refused] = story.problems().filter(({ code }) => code === 'WRITE_REJECTED');
      assert.match(
        refused?.message ?? '',
        /has options there \(Size\), and what is to be made has none\. Add a variant with the SKU “SHIRT” there, and remove the others$/,
      );
      const isAdded = how === 'another variant';
      if (isAdded) story.shop.addVariant(shopId, { sku: 'SHIRT', price: '9.00', stock: 7, optionValues: ['One size'] });
      else story.shop.setSku('T-S', 'SHIRT');
      for (const sku of isAdded ? ['T-S', 'T-M'] : ['T-M']) story.shop.removeVariant(sku);
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      const begun = isAdded ? 7 : 5;
      assert.deepEqual(story.stock('SHIRT'), [begun, begun]);
      story.woo.placeOrder([{ ref: 'SHIRT', quantity: 2 }]);
      await story.rest(MINUTE_MS);
      story.shop.placeOrder([{ variant: 'SHIRT', quantity: 1 }]);
      await story.rest(MINUTE_MS);
      assert.deepEqual(story.stock('SHIRT'), [begun - 3, begun - 3]);
    }));
