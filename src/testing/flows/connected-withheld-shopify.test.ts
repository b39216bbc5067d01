// What Shopify does not show in its online store is not put on sale in WooCommerce.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';

const isMade = (story: Story, sku: string) => story.shelf('woocommerce').some((row) => row.sku === sku);

/** On sale in Shopify, and not in its online store. */
function addHidden(story: Story, title: string): string {
  const { productId } = story.shop.addProduct({ title, sku: title.toUpperCase(), price: '5.00', stock: 3 });
  story.shop.setPublished(productId, false);
  return productId;
}

test('[B12] a product that is not published to the online store is made in WooCommerce once it is, and kept the same ever after', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    const before = addHidden(story, 'Vase');
    const { plan } = await story.link();
    const line = story.planItems(plan).find(({ title }) => title === 'Vase');
    assert.match(JSON.stringify(line), /not published to the Online Store/);
    const after = addHidden(story, 'Bowl');
    await story.rest();
    await story.sync();
    for (const sku of ['VASE', 'BOWL']) assert.ok(!isMade(story, sku), sku);

    for (const id of [before, after]) story.shop.setPublished(id, true);
    await story.rest();
    for (const sku of ['VASE', 'BOWL']) assert.equal(story.item('woocommerce', sku).stock, 3, sku);

    story.shop.setPublished(before, false);
    story.shop.placeOrder([{ variant: 'VASE', quantity: 1 }]);
    await story.rest();
    assert.equal(story.item('woocommerce', 'VASE').stock, 2);
  }));

for (const syncPrices of [true, false])
  test(`[B12] [R18] a product that is to be published on a day to come is made in WooCommerce then${syncPrices ? '' : ', also while prices are off'}`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      await story.link({ syncPrices });
      const id = addHidden(story, 'Vase');
      const { publications } = await story.shopApi<{ publications: { nodes: { id: string }[] } }>(
        '{ publications(first: 1) { nodes { id } } }',
      );
      const publishDate = new Date(story.world.ctx.clock.now() + HOUR_MS).toISOString();
      await story.shopApi(
        'mutation($id: ID!, $input: [PublicationInput!]!) { publishablePublish(id: $id, input: $input) { userErrors { message } } }',
        { id, input: [{ publicationId: publications.nodes[0]?.id, publishDate }] },
      );
      await story.rest(HOUR_MS / 2);
      assert.ok(!isMade(story, 'VASE'));
      await story.rest(HOUR_MS);
      assert.ok(isMade(story, 'VASE'));
    }));
