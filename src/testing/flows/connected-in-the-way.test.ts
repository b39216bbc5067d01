// What a shop refuses because of a record that is not kept the same, once a person gets that out of the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

/**
 * A variant was removed in Shopify and put away in WooCommerce, where somebody has it for their own since; a product of its own has its SKU: WooCommerce
 * refuses that.
 */
async function playRefused(tell: (story: Story) => Promise<void>): Promise<void> {
  await Story.play(
    async (story) => {
      const { wooId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
      const { ref } = story.item('woocommerce', 'T-M');
      story.shop.removeVariant('T-M');
      await story.rest(MINUTE_MS);
      await story.wooApi('PUT', `/products/${wooId}/variations/${ref}`, {
        meta_data: [{ key: '_twinshelf_put_away', value: '' }],
      });
      story.shop.addProduct({ title: 'Shirt M', sku: 'T-M', price: '9.00', stock: 4 });
      await story.rest(3 * MINUTE_MS);
      assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
      await tell(story);
    },
    { isRestless: true },
  );
}

test('[B1] a person takes the SKU from a variant that was put away, as the remedy says: what was refused because of it goes on', () =>
  playRefused(async (story) => {
    story.woo.setSku('T-M', 'T-M-OLD');
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    assert.deepEqual(story.stock('T-M'), [4, 4]);
  }));

test('[B1] what stands in the way moves in other ways all the time: what was refused is tried once a minute at most', () =>
  playRefused(async (story) => {
    const tries = () => {
      const [row] = story.world.db.connection.prepare("SELECT count FROM problem WHERE code = 'WRITE_REJECTED'").all();
      return (row as { count: number }).count;
    };
    const before = tries();
    for (let price = 1; price <= 12; price += 1) {
      story.woo.setPrice('T-M', `${price}.00`);
      await story.rest(10_000);
    }
    const more = tries() - before;
    assert.ok(more >= 1 && more <= 3, `${more} tries in two minutes`);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
  }));
