// The linked place of a Shopify shop is switched off: its stock stands still, and all else goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { Story } from './depth/story.ts';

const SKUS = ['MUG', 'CUP'];

/** Linked with the first of two places, which is switched off then; the other one holds far more. */
async function withPlaceAway(story: Story): Promise<{ readonly home: string }> {
  for (const sku of SKUS) story.addBoth(sku, { stock: 4 });
  await story.link();
  const home = story.shop.levelsOf('MUG')[0]?.locationId ?? assert.fail();
  const shed = story.shop.addLocation('Shed');
  for (const sku of SKUS) story.shop.recount(sku, 90, shed);
  await story.rest(MINUTE_MS);
  story.shop.deactivateLocation(home);
  await story.rest(2 * MINUTE_MS);
  return { home };
}

test('[S12] while the linked place is switched off fields cross both ways, and no stock is counted, by a full look neither', () =>
  Story.play(
    async (story) => {
      await withPlaceAway(story);
      story.woo.setPrice('MUG', '12.00');
      story.shop.updateProduct(story.item('shopify', 'CUP').productId, { title: 'Cup of tea' });
      await story.rest(HOUR_MS);
      await story.sync();
      assert.deepEqual(
        [story.item('shopify', 'MUG').price, story.item('woocommerce', 'CUP').title],
        [1200, 'Cup of tea'],
      );
      assert.deepEqual(
        SKUS.map((sku) => story.item('woocommerce', sku).stock),
        [4, 4],
      );
      assert.deepEqual(story.codes(), ['STORE_NEEDS_CARE', 'STORE_REFUSES']);
      const [care, told] = story.problems();
      assert.match(told?.message ?? '', /^No stock of this pair .* is switched off\. .* all else goes on\.$/);
      for (const problem of [care, told])
        assert.match(problem?.remedy ?? '', /^Switch .* on .*in Shopify.* delete the pair/);
    },
    { isRestless: true },
  ));

test('[S12] what is sold, and what is new, while the place is away waits for it, and goes on by itself once it is there again', () =>
  Story.play(async (story) => {
    const { home } = await withPlaceAway(story);
    story.woo.placeOrder([{ ref: 'MUG', quantity: 1 }]);
    story.woo.addProduct({ title: 'Vase', sku: 'VASE', regularPrice: '5.00', stock: 3 });
    story.shop.addProduct({ title: 'Bowl', sku: 'BOWL', price: '5.00', stock: 0 });
    await story.rest(HOUR_MS);
    const has = (side: 'woocommerce' | 'shopify', sku: string) => story.shelf(side).some((row) => row.sku === sku);
    assert.deepEqual([has('shopify', 'VASE'), has('woocommerce', 'BOWL')], [false, false]);
    assert.deepEqual(story.codes(), ['STORE_NEEDS_CARE', 'STORE_REFUSES', 'WRITE_REJECTED']);
    const refused = story.problems()[2];
    assert.match(refused?.message ?? '', /^"Vase" can't be written to Shopify: .* is switched off or gone\.$/);
    assert.match(refused?.remedy ?? '', /^Switch the location on again/);

    story.shop.activateLocation(home);
    await story.rest(30 * MINUTE_MS);
    const atHome = (sku: string) => story.shop.levelsOf(sku).find(({ locationId }) => locationId === home)?.available;
    assert.deepEqual([atHome('MUG'), atHome('CUP'), atHome('VASE')], [3, 4, 3]);
    assert.equal(story.item('woocommerce', 'MUG').stock, 3);
    assert.equal(story.item('woocommerce', 'BOWL').stock, 0, 'it is kept at the other place only (S13)');
    assert.deepEqual(story.codes(), ['STOCK_LIMITED']);
  }));
