import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const MINUTE_MS = 60_000;

async function descriptionOf(story: Story, id: string): Promise<string> {
  const query = 'query($id: ID!) { product(id: $id) { descriptionHtml } }';
  return (await story.shopApi<{ product: { descriptionHtml: string } }>(query, { id })).product.descriptionHtml;
}

for (const [what, html] of [
  ['an image', '<p>Sizes:</p><p><img src="data:image/png;base64,iVBORw0KGgo=" alt="size chart"></p>'],
  ['a link to a messenger', '<p>Ask <a href="whatsapp://send?phone=4930">us</a></p>'],
  ['a link with a space behind its scheme', '<p>Call <a href="Tel: +49 30 1234">us</a></p>'],
] as const)
  test(`[R17, R1] ${what} that is pasted into a description in Shopify stays in Shopify as it is, whatever WordPress makes of it`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      await story.link();
      const { productId } = story.item('shopify', 'MUG');
      story.shop.updateProduct(productId, { descriptionHtml: html });
      await story.rest(5 * MINUTE_MS);
      assert.equal(await descriptionOf(story, productId), html);
      assert.deepEqual(story.codes(), []);
    }));
