// What WooCommerce's description holds for WordPress alone is neither shown in Shopify nor lost by an edit there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const FORM = '<p>A mug.</p><p>[contact-form-7 id="4"]</p>';

test('a shortcode does not reach Shopify, and outlives an edit of the description there, of which a person is told', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link();
    const wooId = story.item('woocommerce', 'MUG').productId;
    const shopId = story.item('shopify', 'MUG').productId;
    const inWoo = async () => {
      const { name, description } = await story.wooApi<{ name: string; description: string }>(
        'GET',
        `/products/${wooId}?context=edit`,
      );
      return [name, description];
    };
    story.woo.updateProduct('MUG', { description: FORM });
    await story.rest();
    const { product } = await story.shopApi<{ product: { descriptionHtml: string } }>(
      'query($id: ID!) { product(id: $id) { descriptionHtml } }',
      { id: shopId },
    );
    assert.equal(product.descriptionHtml, '<p>A mug.</p>');
    story.shop.updateProduct(shopId, { descriptionHtml: '<p>A cup.</p>', title: 'Cup' });
    await story.rest();
    assert.deepEqual(await inWoo(), ['Cup', FORM], 'the rest of the edit goes on');
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    assert.match(story.problems()[0]?.message ?? '', /because of its description: it holds shortcodes or blocks/);
    story.woo.updateProduct('MUG', { description: '<p>A mug.</p>' });
    await story.rest();
    assert.deepEqual([await inWoo(), story.codes()], [['Cup', '<p>A cup.</p>'], []], 'taken out, it makes room');
  }));

test('an edit in Shopify that is taken back is owed no more', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    story.woo.updateProduct('MUG', { description: FORM });
    await story.link();
    await story.rest();
    const shopId = story.item('shopify', 'MUG').productId;
    for (const [descriptionHtml, codes] of [
      ['<p>A cup.</p>', ['WRITE_REJECTED']],
      ['<p>A mug.</p>', []],
    ] as const) {
      story.shop.updateProduct(shopId, { descriptionHtml });
      await story.rest();
      assert.deepEqual(story.codes(), codes);
    }
  }));
