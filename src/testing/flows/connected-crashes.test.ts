// One product that a plugin of WooCommerce crashes over, and all the others of the shop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const MINUTE_MS = 60_000;
const SKUS = Array.from({ length: 12 }, (_, index) => `M-${index}`);
const POISON = 'M-2';
const others = SKUS.filter((sku) => sku !== POISON);

test('[W8] a product that PHP dies over as it is saved holds neither the prices nor the stock of the others', () =>
  Story.play(async (story) => {
    for (const sku of SKUS) story.addBoth(sku, { stock: 9, price: '20.00' });
    await story.link();
    story.woo.setCrash(POISON, 'save');
    for (const sku of SKUS) story.shop.setPrice(sku, '18.00');
    await story.rest(8 * MINUTE_MS);
    for (const sku of SKUS) assert.equal(story.item('woocommerce', sku).price, sku === POISON ? 2000 : 1800, sku);
    for (const variant of SKUS) story.shop.placeOrder([{ variant, quantity: 2 }]);
    await story.rest(MINUTE_MS);
    for (const sku of others) assert.deepEqual(story.stock(sku), [7, 7], sku);
    await story.rest(60 * MINUTE_MS);
    const problems = story.problems();
    assert.ok(problems.length > 0);
    for (const { code, message } of problems) {
      assert.equal(code, 'WRITE_UNANSWERED');
      assert.match(message, new RegExp(`Thing ${POISON}"`));
    }
    story.woo.setCrash(POISON, null);
    await story.rest(2 * 60 * MINUTE_MS);
    assert.deepEqual([story.item('woocommerce', POISON).price, story.stock(POISON), story.codes()], [1800, [7, 7], []]);
  }));

test('[W8] of a first link the one new product that PHP dies over is the only one that is not made', () =>
  Story.play(async (story) => {
    for (const sku of SKUS) story.shop.addProduct({ title: `Thing ${sku}`, sku, price: '3.00', stock: 4 });
    story.woo.setCrash(POISON, 'save');
    await story.link();
    await story.rest(10 * MINUTE_MS);
    const made = story.shelf('woocommerce').map(({ sku }) => sku);
    assert.deepEqual(made.sort(), [...others].sort());
    story.woo.setCrash(POISON, null);
    await story.rest(2 * 60 * MINUTE_MS);
    assert.deepEqual([story.stock(POISON), story.codes()], [[4, 4], []]);
  }));

test('[C5] a product that PHP dies over as it is read is told of, and the others go on', () =>
  Story.play(async (story) => {
    for (const sku of SKUS) story.addBoth(sku, { stock: 9, price: '20.00' });
    await story.link();
    story.woo.setCrash(POISON, 'read');
    await story.sync();
    for (const sku of SKUS) story.shop.setPrice(sku, '18.00');
    story.woo.updateProduct('M-5', { title: 'Cup' });
    story.woo.placeOrder([{ ref: 'M-6', quantity: 1 }]);
    await story.rest(10 * MINUTE_MS);
    for (const sku of others) assert.equal(story.item('woocommerce', sku).price, 1800, sku);
    assert.equal(story.item('shopify', 'M-5').title, 'Cup');
    assert.deepEqual(story.stock('M-6'), [8, 8]);
    const words = story.problems().map(({ message }) => message);
    assert.ok(words.length > 0 && words.every((each) => each.includes(`Thing ${POISON}`)), words.join('\n'));
    assert.ok(words.some((each) => /critical error whenever it is read/.test(each)));
    story.woo.setCrash(POISON, null);
    await story.rest(60 * MINUTE_MS);
    await story.sync();
    assert.deepEqual([story.item('woocommerce', POISON).price, story.codes()], [1800, []]);
  }));
