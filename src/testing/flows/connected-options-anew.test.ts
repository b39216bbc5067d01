// Options that a shop can take only with a new record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';

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
