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
