// A store takes another currency or another unit of weight, and takes it back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { Story } from './depth/story.ts';

const setWoo = (story: Story, group: string, id: string, value: string) =>
  story.wooApi('PUT', `/settings/${group}/woocommerce_${id}`, { value });
const prices = (story: Story, sku: string) => SIDES.map((side) => story.item(side, sku).price);

async function linked(story: Story, settings: Partial<PairSettings> = {}): Promise<void> {
  for (const sku of ['MUG', 'CUP']) story.addBoth(sku);
  await story.link(settings);
}

function switchOn(story: Story): void {
  updatePairSettings(story.world.ctx, story.world.pairId, { syncPrices: true });
}

test('[A3, P1] a currency that is taken back: prices stay off and are told to, what was new is made, and switching them on brings prices together', () =>
  Story.play(async (story) => {
    await linked(story);
    await setWoo(story, 'general', 'currency', 'EUR');
    await story.rest(2 * MINUTE_MS);
    assert.match(story.problems()[0]?.message ?? '', /^WooCommerce counts its prices in EUR.* now, and Shopify in USD/);
    story.woo.setPrice('MUG', '11');
    story.shop.setPrice('CUP', '8.88', null);
    story.woo.addProduct({ title: 'Bowl', sku: 'BOWL', regularPrice: '15', stock: 3 });
    story.shop.addProduct({ title: 'Pan', sku: 'PAN', price: '30', stock: 3 });
    await story.rest(2 * MINUTE_MS);
    assert.throws(
      () => switchOn(story),
      (error) => error instanceof Refusal && error.code === 'PRICE_BASIS_DIFFERS',
    );
    await setWoo(story, 'general', 'currency', 'USD');
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), ['PRICES_HELD'], 'as long as they are off');
    assert.match(story.problems()[0]?.message ?? '', /^Both stores count their prices in USD/);
    assert.deepEqual(
      [prices(story, 'BOWL'), prices(story, 'PAN')],
      [
        [1500, 1500],
        [3000, 3000],
      ],
      'made by itself',
    );
    assert.deepEqual(
      [prices(story, 'MUG'), prices(story, 'CUP')],
      [
        [1100, 1000],
        [1000, 888],
      ],
    );
    switchOn(story);
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(
      [prices(story, 'MUG'), prices(story, 'CUP')],
      [
        [1100, 1100],
        [888, 888],
      ],
    );
    assert.deepEqual(story.codes(), []);
  }));

test('[A3] the other store takes the same currency: told as alike, and held again when they part once more', () =>
  Story.play(async (story) => {
    await linked(story);
    const said = () => story.problems().map(({ message }) => message.split(' ').slice(0, 4).join(' '));
    await setWoo(story, 'general', 'currency', 'EUR');
    await story.rest(2 * MINUTE_MS);
    story.shop.updateShop({ currencyCode: 'EUR' });
    await story.rest(16 * MINUTE_MS);
    assert.deepEqual(said(), ['Both stores count their']);
    story.shop.updateShop({ currencyCode: 'USD' });
    await story.rest(16 * MINUTE_MS);
    assert.deepEqual(said(), ['Shopify counts its prices'], 'one problem, of the store that moved last');
  }));

test('[A3, P1] a shop that charges no tax any more is told as alike, too', () =>
  Story.play(async (story) => {
    await setWoo(story, 'general', 'calc_taxes', 'yes');
    await linked(story);
    await setWoo(story, 'tax', 'prices_include_tax', 'yes');
    await story.rest(2 * MINUTE_MS);
    assert.match(story.problems()[0]?.message ?? '', /^WooCommerce counts its prices in USD with tax now/);
    await setWoo(story, 'general', 'calc_taxes', 'no');
    await story.rest(2 * MINUTE_MS);
    assert.match(story.problems()[0]?.message ?? '', /^Both stores count their prices in USD again/);
  }));

test('[A3] prices that a person has switched off are no problem, whatever the currencies do', () =>
  Story.play(async (story) => {
    await linked(story, { syncPrices: false });
    for (const currency of ['EUR', 'USD']) {
      await setWoo(story, 'general', 'currency', currency);
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
    }
  }));

test('[A3, T1] weights that were edited while another unit held are carried when it is what it was', () =>
  Story.play(async (story) => {
    await linked(story);
    story.woo.updateProduct('MUG', { weight: '0.5' });
    await story.rest(2 * MINUTE_MS);
    await setWoo(story, 'products', 'weight_unit', 'g');
    await story.rest(2 * MINUTE_MS);
    const { inventoryItemUpdate } = await story.shopApi<{ inventoryItemUpdate: { userErrors: unknown[] } }>(
      `mutation($id: ID!) { inventoryItemUpdate(id: $id, input: { measurement: { weight: { value: 2, unit: KILOGRAMS } } }) {
        userErrors { message } } }`,
      { id: story.item('shopify', 'MUG').stockId },
    );
    assert.deepEqual(inventoryItemUpdate.userErrors, []);
    await story.rest(20 * MINUTE_MS);
    const { productId } = story.item('woocommerce', 'MUG');
    const weight = async () => (await story.wooApi<{ weight: string }>('GET', `/products/${productId}`)).weight;
    assert.equal(await weight(), '0.5');
    await setWoo(story, 'products', 'weight_unit', 'kg');
    await story.rest(2 * MINUTE_MS);
    assert.equal(await weight(), '2');
    assert.deepEqual(story.codes(), []);
  }));
