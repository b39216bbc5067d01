// SKUs and barcodes that WooCommerce keeps for one record alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const MINUTE_MS = 60_000;

for (const key of ['barcode', 'SKU'] as const)
  test(`[B1, B12, P1] one ${key} on all variants of a product that Shopify alone has: the plan says so, no draft is made of it, and it is made once they have their own`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      const code = '4006381333931';
      const { productId } = story.shop.addProduct({
        title: 'Shirt',
        optionNames: ['Size'],
        variants: ['S', 'M', 'L'].map((size) => ({
          ...{ sku: key === 'SKU' ? code : `T-${size}`, price: '9.00', stock: 4, optionValues: [size] },
          ...(key === 'barcode' ? { barcode: code } : {}),
        })),
      });
      const { plan } = await story.link();
      const [planned] = story.planItems(plan).filter(({ action }) => action === 'skip');
      const why = `several of its variants bear the ${key} "${code}", which WooCommerce keeps for one alone`;
      assert.equal(planned?.data.reason, `WooCommerce would refuse it: ${why}.`);
      const written = story.ledger.landedWrites();
      await story.rest(30 * MINUTE_MS);
      await story.sync();
      assert.equal(story.ledger.landedWrites(), written, 'nothing is made, nor taken back');
      const [problem, ...others] = story.problems();
      assert.deepEqual(others, []);
      assert.equal(problem?.message, `"Shirt" can't be written to WooCommerce because of its ${key}: ${why}`);
      assert.equal(problem.remedy, 'Change that in the shop where it was entered; it is tried again by itself.');
      const shirts = story.shelf('shopify').filter((row) => row.productId === productId);
      await story.shopApi(
        'mutation($id: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $id, variants: $v) { userErrors { message } } }',
        {
          id: productId,
          v: shirts.map(({ variantId: id }, index) =>
            key === 'SKU' ? { id, inventoryItem: { sku: `OWN-${index}` } } : { id, barcode: '' },
          ),
        },
      );
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      assert.equal(story.shelf('woocommerce').filter(({ isVariable }) => isVariable).length, 3);
    }));
