import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const MINUTE_MS = 60_000;

/** What is charged in Shopify, and what is crossed out. */
function charged(story: Story): readonly [number | null, number | null] {
  const { price, was } = story.item('shopify', 'MUG');
  return [price, was];
}

/** By hand: a sale from one time to another, minutes from now. */
async function planSale(story: Story, from: number, to: number): Promise<void> {
  const at = (minutes: number) =>
    new Date(story.world.clock.now() + minutes * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '');
  await story.wooApi('PUT', `/products/${story.item('woocommerce', 'MUG').productId}`, {
    sale_price: '15.00',
    date_on_sale_from_gmt: at(from),
    date_on_sale_to_gmt: at(to),
  });
}

const REGULAR = [2000, null];
const ON_SALE = [1500, 2000];

test('[R18] a sale that WooCommerce has planned begins and ends in Shopify with it, though nobody tells of it', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await story.link();
    await planSale(story, 30, 90);
    await story.rest(29 * MINUTE_MS);
    assert.deepEqual(charged(story), REGULAR);
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(charged(story), ON_SALE);
    await story.rest(58 * MINUTE_MS);
    assert.deepEqual(charged(story), ON_SALE);
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(charged(story), REGULAR);
    assert.deepEqual(story.codes(), []);
  }));

test('[R15, R18] a sale is typed in Shopify before a planned one begins: the history tells what was planned', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await story.link();
    await planSale(story, 300, 900);
    await story.rest();
    story.shop.setPrice('MUG', '18.00', '20.00');
    await story.rest();
    assert.deepEqual(charged(story), [1800, 2000]);
    assert.deepEqual([story.item('woocommerce', 'MUG').price, story.codes()], [1800, []]);
    const ended = story.world.db.connection
      .prepare('SELECT "from", "to", target FROM change WHERE field = \'plannedSale\'')
      .all() as { from: string; to: string; target: string }[];
    assert.deepEqual(
      ended.map(({ to, target }) => [to, target]),
      [['null', 'woocommerce']],
    );
    assert.match(
      ended[0]?.from ?? '',
      /^"15\.00 [A-Z]{3} from \d{4}-\d\d-\d\d \d\d:\d\d to [-\d]{10} \d\d:\d\d \(UTC\)"$/,
    );
  }));

test('[R18] a sale that was planned before the two were linked', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await planSale(story, 60, 600);
    await story.link();
    await story.rest(62 * MINUTE_MS);
    assert.deepEqual(charged(story), ON_SALE);
  }));

test('[R18] a sale that is on gets another price in Shopify, and ends when WooCommerce was told', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await story.link();
    await planSale(story, 30, 90);
    await story.rest(40 * MINUTE_MS);
    assert.deepEqual(charged(story), ON_SALE);
    const { productId, variantId } = story.item('shopify', 'MUG');
    await story.shopApi(
      `mutation ($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkUpdate(productId: $productId, variants: $variants) { userErrors { message } }
      }`,
      { productId, variants: [{ id: variantId, price: '14.00', compareAtPrice: '20.00' }] },
    );
    await story.rest(5 * MINUTE_MS);
    assert.equal(story.item('woocommerce', 'MUG').price, 1400);
    await story.rest(40 * MINUTE_MS);
    assert.deepEqual(charged(story), [1400, 2000]);
    await story.rest(7 * MINUTE_MS);
    assert.deepEqual(charged(story), REGULAR);
    assert.deepEqual(story.codes(), []);
  }));

test('[R18] a full look notes the times of records that are level, whatever became of the job', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await planSale(story, 60, 600);
    await story.link();
    await story.rest(10 * MINUTE_MS);
    assert.equal(story.world.db.connection.prepare("DELETE FROM job WHERE task = 'sync_products'").run().changes, 1);
    await story.sync();
    await story.rest(52 * MINUTE_MS);
    assert.deepEqual(charged(story), ON_SALE);
  }));

test('[R18] a pair that is synced by the hour waits for its hour, one with prices switched off for ever', async () => {
  for (const change of [{ syncSchedule: 'weekly' }, { syncPrices: false }] as const)
    await Story.play(
      async (story) => {
        story.addBoth('MUG', { price: '20.00' });
        await story.link(change);
        await planSale(story, 30, 600);
        await story.sync();
        await story.rest(40 * MINUTE_MS);
        assert.deepEqual(charged(story), REGULAR);
        await story.sync();
        assert.deepEqual(charged(story), 'syncPrices' in change ? REGULAR : ON_SALE);
      },
      { isRestless: true },
    );
});

test('[R18] a product that WooCommerce is to publish at a set time goes on sale in Shopify then, though nobody tells of it', async () => {
  for (const change of [{}, { syncPrices: false }])
    await Story.play(
      async (story) => {
        story.addBoth('MUG', { price: '20.00' });
        await story.link(change);
        const { productId } = story.item('woocommerce', 'MUG');
        const at = new Date(story.world.clock.now() + 60 * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '');
        await story.wooApi('PUT', `/products/${productId}`, { status: 'future', date_created_gmt: at });
        await story.rest(58 * MINUTE_MS);
        assert.equal(story.item('shopify', 'MUG').isForSale, false);
        await story.rest(8 * MINUTE_MS);
        assert.equal(story.item('woocommerce', 'MUG').isForSale, true);
        assert.equal(story.item('shopify', 'MUG').isForSale, true);
      },
      { isRestless: true },
    );
});

test('[R3] a product that was made with a date to come is put on sale in Shopify before: WooCommerce notes that date as the one of its change, too', () =>
  Story.play(async (story) => {
    await story.link();
    const at = new Date(story.world.clock.now() + 30 * 24 * 60 * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '');
    for (const [sku, status] of [
      ['MUG', 'future'],
      ['CUP', 'draft'],
    ]) {
      const goods = { name: sku, sku, regular_price: '20.00', status, date_created_gmt: at };
      await story.wooApi('POST', '/products', goods);
    }
    await story.rest();
    for (const sku of ['MUG', 'CUP']) {
      assert.equal(story.item('shopify', sku).isForSale, false);
      await story.shopApi(
        `mutation ($product: ProductUpdateInput!) { productUpdate(product: $product) { userErrors { message } } }`,
        { product: { id: story.item('shopify', sku).productId, status: 'ACTIVE' } },
      );
    }
    await story.rest();
    for (const sku of ['MUG', 'CUP'])
      assert.deepEqual(
        [story.item('woocommerce', sku).isForSale, story.item('shopify', sku).isForSale],
        [true, true],
        sku,
      );
    await story.checkRest();
  }));

test('[R3] a product that WooCommerce is to publish at a set time is put on sale in Shopify before: it is on sale in both', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await story.link();
    const at = new Date(story.world.clock.now() + 30 * 24 * 60 * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '');
    const path = `/products/${story.item('woocommerce', 'MUG').productId}`;
    await story.wooApi('PUT', path, { status: 'future', date_created_gmt: at });
    await story.rest();
    assert.equal(story.item('shopify', 'MUG').isForSale, false);
    await story.shopApi(
      `mutation ($product: ProductUpdateInput!) { productUpdate(product: $product) { userErrors { message } } }`,
      { product: { id: story.item('shopify', 'MUG').productId, status: 'ACTIVE' } },
    );
    await story.rest();
    assert.deepEqual(
      [story.item('woocommerce', 'MUG').isForSale, story.item('shopify', 'MUG').isForSale],
      [true, true],
    );
    await story.checkRest();
  }));
