import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStore } from '../../db/readers/pairs.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Side } from '../../model/platform.ts';
import { Story } from './depth/story.ts';

/** Two linked mugs of 10.00 and half a kilogram each. */
async function linkMugs(story: Story): Promise<void> {
  for (const sku of ['MUG', 'CUP']) {
    story.woo.addProduct({ title: sku, sku, regularPrice: '10.00', stock: 10, weight: '0.5' });
    story.shop.addProduct({
      title: sku,
      price: '10.00',
      stock: 10,
      variants: [{ sku, price: '10.00', stock: 10, weightKg: 0.5 }],
    });
  }
  await story.link();
  assert.deepEqual(await weights(story, 'MUG'), ['0.5', '0.5 KILOGRAMS']);
}

/** As each shop's own API shows them. */
async function weights(story: Story, sku: string): Promise<readonly string[]> {
  const { weight } = await story.wooApi<{ weight: string }>(
    'GET',
    `/products/${story.item('woocommerce', sku).productId}`,
  );
  const { inventoryItem } = await story.shopApi<{
    inventoryItem: { measurement: { weight: { value: number; unit: string } } };
  }>('query($id: ID!) { inventoryItem(id: $id) { measurement { weight { value unit } } } }', {
    id: story.item('shopify', sku).stockId,
  });
  return [weight, `${inventoryItem.measurement.weight.value} ${inventoryItem.measurement.weight.unit}`];
}

const setWoo = (story: Story, group: string, id: string, value: string) =>
  story.wooApi('PUT', `/settings/${group}/woocommerce_${id}`, { value });
const price = (story: Story, side: Side) => story.item(side, 'MUG').price;
const settingsOf = (story: Story) => story.world.pair().settings;

test('[A3] WooCommerce takes another currency and another unit of weight, and numbers are typed at once: none of them reaches Shopify', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    await setWoo(story, 'general', 'currency', 'JPY');
    await setWoo(story, 'products', 'weight_unit', 'g');
    story.woo.setPrice('MUG', '1500');
    story.woo.updateProduct('MUG', { weight: '500' });
    await story.rest();
    assert.equal(price(story, 'shopify'), 1000);
    assert.deepEqual(await weights(story, 'MUG'), ['500', '0.5 KILOGRAMS']);
    assert.equal(settingsOf(story).syncPrices, false);
    assert.deepEqual(story.codes(), ['PRICES_HELD', 'WEIGHTS_HELD']);
    story.woo.placeOrder([{ ref: 'MUG', quantity: 2 }]);
    story.woo.updateProduct('CUP', { title: 'Large cup' });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.stock('MUG'), [8, 8], 'its stock goes on');
    assert.equal(story.item('shopify', 'CUP').title, 'Large cup', 'and so does the rest');
    await story.sync();
    assert.deepEqual(await weights(story, 'CUP'), ['0.5', '0.5 KILOGRAMS']);
    assert.equal(price(story, 'shopify'), 1000);
  }));

test('[A3] the same where WooCommerce was changed while this program did not run', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    story.world.process?.kill();
    await setWoo(story, 'general', 'currency', 'JPY');
    await setWoo(story, 'products', 'weight_unit', 'g');
    story.woo.setPrice('MUG', '1500');
    story.woo.updateProduct('MUG', { weight: '500' });
    story.world.boot();
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    assert.equal(price(story, 'shopify'), 1000);
    assert.deepEqual(await weights(story, 'MUG'), ['500', '0.5 KILOGRAMS']);
    assert.deepEqual(story.codes(), ['PRICES_HELD', 'WEIGHTS_HELD']);
  }));

for (const [what, group, id, value, code] of [
  ['currency', 'general', 'currency', 'JPY', 'PRICES_HELD'],
  ['tax basis', 'tax', 'prices_include_tax', 'yes', 'PRICES_HELD'],
  ['unit of weight', 'products', 'weight_unit', 'lbs', 'WEIGHTS_HELD'],
] as const)
  test(`[A3] another ${what} of WooCommerce is told with the next poll, before any product was touched`, () =>
    Story.play(async (story) => {
      await linkMugs(story);
      await setWoo(story, 'general', 'calc_taxes', 'yes');
      await story.rest(MINUTE_MS + 5_000);
      assert.deepEqual(story.codes(), [], 'its prices have no tax, like those of the other');
      await setWoo(story, group, id, value);
      await story.rest(MINUTE_MS + 5_000);
      assert.deepEqual(story.codes(), [code]);
    }));

test('[A3] another currency of Shopify, of which no webhook tells, is noticed before a price is copied, and with the next poll', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    story.world.fate = (side) => (side === 'shopify' ? 'lost' : 'arrives');
    story.shop.updateShop({ currencyCode: 'JPY' });
    story.woo.setPrice('MUG', '12.00');
    await story.rest();
    assert.equal(price(story, 'shopify'), 1000);
    assert.deepEqual(story.codes(), ['PRICES_HELD']);
    story.world.fate = () => 'arrives';
    story.shop.setPrice('MUG', '1500', null);
    await story.rest();
    assert.equal(price(story, 'woocommerce'), 1200);
  }));

test('[A3] Shopify is asked with each poll, too', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    story.world.fate = (side) => (side === 'shopify' ? 'lost' : 'arrives');
    story.shop.updateShop({ currencyCode: 'JPY', weightUnit: 'GRAMS' });
    await story.rest(16 * MINUTE_MS);
    assert.deepEqual(story.codes(), ['PRICES_HELD'], 'its weights bear their units');
    const info = findStore(story.world.db, story.world.stores.shopify)?.info;
    assert.deepEqual([info?.currency, info?.weightUnit], ['JPY', 'g']);
  }));

test('[A3] weights go on when the unit is what it was, and nothing of it was an edit', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    await setWoo(story, 'products', 'weight_unit', 'g');
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.codes(), ['WEIGHTS_HELD']);
    await story.sync();
    assert.deepEqual(await weights(story, 'MUG'), ['0.5', '0.5 KILOGRAMS'], 'half a gram is carried nowhere');
    await setWoo(story, 'products', 'weight_unit', 'kg');
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    story.woo.updateProduct('MUG', { weight: '0.75' });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(await weights(story, 'MUG'), ['0.75', '0.75 KILOGRAMS']);
  }));

test('[A3] a person who has looked lets weights count in the new unit', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    await setWoo(story, 'products', 'weight_unit', 'g');
    await story.rest(2 * MINUTE_MS);
    story.woo.updateProduct('MUG', { weight: '500' });
    story.woo.updateProduct('CUP', { weight: '250' });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(await weights(story, 'CUP'), ['250', '0.5 KILOGRAMS']);
    const [held] = story.world.db.connection.prepare("SELECT id FROM problem WHERE state = 'open'").all() as {
      id: string;
    }[];
    retryProblem(story.world.ctx, held!.id);
    await story.rest();
    assert.deepEqual(story.codes(), []);
    assert.deepEqual(await weights(story, 'MUG'), ['500', '0.5 KILOGRAMS'], 'the same weight is no edit');
    assert.deepEqual(await weights(story, 'CUP'), ['250', '0.25 KILOGRAMS']);
    await story.shopApi(
      `mutation($id: ID!) { inventoryItemUpdate(id: $id, input: { measurement: { weight: { value: 2, unit: KILOGRAMS } } }) {
        inventoryItem { id } userErrors { message } } }`,
      { id: story.item('shopify', 'CUP').stockId },
    );
    await story.rest(20 * MINUTE_MS);
    assert.equal((await weights(story, 'CUP'))[0], '2000', 'written in the unit that holds');
  }));

test('[A3] a product or variant that is new while the currencies differ is made when they are the same again', () =>
  Story.play(async (story) => {
    await linkMugs(story);
    const size = (name: string) => ({ sku: `T-${name}`, regularPrice: '9', stock: 4, options: { Size: name } });
    const { productId } = story.woo.addProduct({ title: 'Shirt', variations: [size('S')] });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.stock('T-S'), [4, 4]);
    await setWoo(story, 'general', 'currency', 'JPY');
    story.woo.addProduct({ title: 'Bowl', sku: 'BOWL', regularPrice: '1500', stock: 3 });
    story.woo.addVariation(productId, size('M'));
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    const made = () => ['BOWL', 'T-M'].filter((sku) => story.shelf('shopify').some((item) => item.sku === sku));
    assert.deepEqual(made(), []);
    assert.deepEqual(story.codes(), ['PRICES_HELD']);
    await setWoo(story, 'general', 'currency', 'USD');
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    assert.deepEqual(made(), ['BOWL', 'T-M']);
  }));

test('[A3] stores of two currencies: a plan makes nothing in either, and says why', () =>
  Story.play(
    async (story) => {
      story.addBoth('MUG');
      story.woo.addProduct({ title: 'Bowl', sku: 'BOWL', regularPrice: '1500', stock: 3 });
      const { plan } = await story.link();
      assert.deepEqual(
        story
          .planItems(plan)
          .map(({ title, action }) => [title, action])
          .sort(),
        [
          ['Bowl', 'skip'],
          ['Thing MUG', 'link'],
        ],
      );
      const bowl = story.planItems(plan).find(({ title }) => title === 'Bowl');
      assert.match(bowl?.data.reason ?? '', /WooCommerce has JPY, Shopify USD without tax/);
      await story.sync();
      assert.equal(story.shelf('shopify').length, 1);
    },
    { woo: { currency: 'JPY' } },
  ));

test('[A3] to ask costs little: nothing for a sale or a title, one question for a price, a few for hundreds that a plan makes', () =>
  Story.play(async (story) => {
    const asked = () => story.world.shops.shopify.stats.byOperation['ShopUnits']?.calls ?? 0;
    story.addBoth('MUG');
    for (let n = 0; n < 950; n += 1)
      story.shop.addProduct({
        title: `Plate ${n}`,
        price: '4.00',
        variants: [{ sku: `PLATE-${n}`, price: '4.00', stock: 5 }],
      });
    await story.link();
    assert.equal(story.shelf('woocommerce').length, 951);
    assert.ok(asked() <= 4, `${asked()} questions for ten batches`);
    // Between two polls of Shopify.
    await story.rest(MINUTE_MS);
    let before = asked();
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    story.shop.updateProduct(story.item('shopify', 'MUG').productId, { title: 'Large mug' });
    await story.rest();
    assert.deepEqual([asked() - before, ...story.stock('MUG')], [0, 9, 9]);
    before = asked();
    story.shop.setPrice('MUG', '11.00', null);
    await story.rest();
    assert.deepEqual([asked() - before, price(story, 'woocommerce')], [1, 1100]);
  }));
