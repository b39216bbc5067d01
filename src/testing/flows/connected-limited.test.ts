// What WooCommerce does not count and yet does not sell without end: never sold without end in the other shop by being copied there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const told = (story: Story) => story.problems().filter(({ code }) => code === 'STOCK_LIMITED');
const shelf = (story: Story, sku: string) => story.shop.listShelf().find((row) => row.sku === sku);
const stockOf = (story: Story, sku: string) => {
  const row = shelf(story, sku);
  return [row?.tracked, row?.available];
};

/** A product whose variations share one stock, which is counted at the product. */
async function addShared(story: Story): Promise<void> {
  const { id } = await story.wooApi<{ id: number }>('POST', '/products', {
    ...{ name: 'Shirt', type: 'variable', status: 'publish', manage_stock: true, stock_quantity: 4 },
    attributes: [{ name: 'Size', variation: true, visible: true, options: ['S', 'M'] }],
  });
  for (const option of ['S', 'M'])
    await story.wooApi('POST', `/products/${id}/variations`, {
      ...{ sku: `SHIRT-${option}`, regular_price: '5' },
      attributes: [{ name: 'Size', option }],
    });
}

test('[S13] made in Shopify as counted, with nothing to sell: the plan shows it, and a person is told', () =>
  Story.play(async (story) => {
    story.addBoth('FINE');
    const soldOut = { status: 'publish', type: 'simple', regular_price: '5', stock_status: 'outofstock' };
    await story.wooApi('POST', '/products', { name: 'Gone', sku: 'GONE', ...soldOut });
    await addShared(story);
    await story.wooApi('POST', '/products', { ...soldOut, name: 'Endless', sku: 'ENDLESS', stock_status: 'instock' });
    const { plan } = await story.link();
    const lines = story.planItems(plan).flatMap(({ title, data }) => data.stock.map((line) => [title, line] as const));
    assert.match(lines.find(([title]) => title === 'Gone')?.[1].rule ?? '', /^sold out and not counted by itself/);
    assert.match(lines.find(([title]) => title === 'Shirt')?.[1].rule ?? '', /^counted together with other variants/);
    await story.rest();
    for (const sku of ['GONE', 'SHIRT-S', 'SHIRT-M']) assert.deepEqual(stockOf(story, sku), [true, 0], sku);
    assert.deepEqual(stockOf(story, 'ENDLESS'), [false, 0], 'what has no end has none there either');
    assert.equal(told(story).length, 3);
    const again = await story.world.plan();
    assert.equal(again.status, 'nothing_to_do', JSON.stringify(story.planItems(again)));
    for (const { message, remedy } of told(story)) {
      assert.match(message, /in WooCommerce, which does not count it by itself/);
      assert.match(remedy, /Track its stock on both sides/);
    }
  }));

test('[S13] a new variant of a linked product likewise', () =>
  Story.play(async (story) => {
    story.woo.addProduct({
      title: 'Cap',
      variations: [{ sku: 'CAP-S', options: { Size: 'S' }, regularPrice: '5.00', stock: 3 }],
    });
    await story.link();
    await story.rest();
    const parent = story.woo.listShelf().find(({ sku }) => sku === 'CAP-S')?.productId ?? 0;
    await story.wooApi('PUT', `/products/${parent}`, {
      attributes: [{ name: 'Size', variation: true, visible: true, options: ['S', 'M'] }],
    });
    await story.wooApi('POST', `/products/${parent}/variations`, {
      ...{ sku: 'CAP-M', regular_price: '5', manage_stock: false, stock_status: 'outofstock' },
      attributes: [{ name: 'Size', option: 'M' }],
    });
    await story.rest();
    assert.deepEqual(stockOf(story, 'CAP-M'), [true, 0]);
    assert.equal(told(story).length, 1);
  }));

test('[S13] uncounted in both shops and sold out in one: told for as long as it is so', () =>
  Story.play(async (story) => {
    story.addBoth('FINE');
    const { id } = await story.wooApi<{ id: number }>('POST', '/products', {
      ...{ name: 'Gift wrap', sku: 'WRAP', type: 'simple', status: 'publish', regular_price: '5' },
    });
    story.shop.addProduct({ title: 'Gift card', sku: 'CARD', price: '5.00', tracked: false });
    await story.wooApi('POST', '/products', {
      ...{
        name: 'Card',
        sku: 'CARD',
        type: 'simple',
        status: 'publish',
        regular_price: '5',
        stock_status: 'outofstock',
      },
    });
    await story.link();
    await story.rest();
    assert.deepEqual(
      [stockOf(story, 'WRAP'), told(story).map(({ message }) => message.includes('CARD'))],
      [[false, 0], [true]],
    );
    await story.wooApi('PUT', `/products/${story.woo.listShelf().find(({ sku }) => sku === 'CARD')?.productId}`, {
      stock_status: 'instock',
    });
    await story.rest();
    assert.deepEqual(told(story), []);
    const say = async (stock_status: string) => {
      await story.wooApi('PUT', `/products/${id}`, { stock_status });
      await story.rest();
    };
    await say('outofstock');
    assert.match(
      told(story)[0]?.message ?? '',
      /"Gift wrap" \(WRAP\) is sold out in WooCommerce.*Shopify goes on selling it without end/,
    );
    await say('instock');
    assert.deepEqual(told(story), []);
    await say('outofstock');
    assert.equal(told(story).length, 1);
    await story.wooApi('PUT', `/products/${id}`, { manage_stock: true, stock_quantity: 2 });
    await story.rest();
    assert.deepEqual(told(story), [], 'it is counted: whether it is so on both sides is told apart');
  }));
