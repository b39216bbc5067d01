import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

test('a sale crosses, both ways, within a second', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    story.woo.placeOrder([{ ref: 'MUG', quantity: 2 }]);
    await story.rest(1_000);
    assert.deepEqual(story.stock('MUG'), [8, 8]);
    story.shop.placeOrder([{ variant: 'MUG', quantity: 3 }]);
    await story.rest(1_000);
    assert.deepEqual(story.stock('MUG'), [5, 5]);
    assert.deepEqual([story.ledger.writes.woocommerce.stock, story.ledger.writes.shopify.stock], [1, 1], 'no echo');
  }));

test('from 10, both sell one at the same moment: 8', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    story.woo.placeOrder([{ ref: 'MUG', quantity: 1 }]);
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('MUG'), [8, 8]);
    story.woo.restock('MUG', 5);
    story.shop.restock('MUG', 7);
    await story.rest();
    assert.deepEqual(story.stock('MUG'), [20, 20]);
  }));

test('both sell the last one: both show 0, and a person is told', () =>
  Story.play(async (story) => {
    story.addBoth('LAST', { stock: 1 });
    await story.link();
    story.woo.placeOrder([{ ref: 'LAST', quantity: 1 }]);
    story.shop.placeOrder([{ variant: 'LAST', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('LAST'), [0, 0]);
    assert.deepEqual(story.codes(), ['OVERSOLD']);
    story.woo.restock('LAST', 3);
    await story.rest();
    assert.deepEqual(story.stock('LAST'), [2, 2], 'one of the three is sold already');
  }));

test('regular price and sale price, both ways', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '20.00' });
    await story.link();
    story.woo.setPrice('MUG', '24.00', '18.50');
    await story.rest();
    const there = story.item('shopify', 'MUG');
    assert.deepEqual([there.price, there.was], [1850, 2400]);
    story.shop.setPrice('MUG', '26.00', null);
    await story.rest();
    const back = story.item('woocommerce', 'MUG');
    assert.deepEqual([back.price, back.was], [2600, null]);
    story.shop.setPrice('MUG', '25.00', '30.00');
    await story.rest();
    const onSale = story.item('woocommerce', 'MUG');
    assert.deepEqual([onSale.price, onSale.was], [2500, 3000]);
  }));

test('title, description and tags, both ways and at once', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { tags: ['kitchen'] });
    await story.link();
    const wooId = story.item('woocommerce', 'MUG').productId;
    const shopId = story.item('shopify', 'MUG').productId;
    const title = 'Mug “No. 5” & <friends> 🐝';
    story.woo.updateProduct('MUG', { title, description: '<p>Dish<br>washer</p>' });
    story.shop.updateProduct(shopId, { tags: ['kitchen', 'Gift'] });
    await story.rest();
    assert.equal(story.item('shopify', 'MUG').title.includes('🐝'), true);
    story.shop.updateProduct(shopId, { descriptionHtml: '<ul><li>Oven 100 %</li></ul>', tags: ['Gift', 'Oven'] });
    story.woo.updateProduct('MUG', { tags: ['kitchen', 'gift', 'Winter'] });
    await story.rest();
    const record = await story.wooApi<{ name: string; description: string; tags: { name: string }[] }>(
      'GET',
      `/products/${wooId}`,
    );
    assert.match(record.description, /<li>Oven 100 %<\/li>/);
    const tags = record.tags.map(({ name }) => name.toLowerCase()).sort();
    assert.deepEqual(tags, ['gift', 'oven', 'winter'], 'additions and removals of both sides both apply');
    const { product } = await story.shopApi<{ product: { title: string; tags: string[] } }>(
      'query($id: ID!) { product(id: $id) { title tags } }',
      { id: shopId },
    );
    assert.deepEqual(product.tags.map((tag) => tag.toLowerCase()).sort(), tags);
    assert.deepEqual(story.codes(), []);
  }));

test('draft, archive and back', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const statusOf = () => story.shop.listShelf().find(({ sku }) => sku === 'MUG')?.status;
    const shopId = story.item('shopify', 'MUG').productId;
    story.woo.updateProduct('MUG', { status: 'draft' });
    await story.rest();
    assert.equal(statusOf(), 'DRAFT');
    story.shop.updateProduct(shopId, { status: 'ACTIVE' });
    await story.rest();
    assert.equal(story.item('woocommerce', 'MUG').isForSale, true);
    story.shop.updateProduct(shopId, { status: 'ARCHIVED' });
    await story.rest();
    assert.equal(story.item('woocommerce', 'MUG').isForSale, false, 'WooCommerce has no archive: a draft');
    assert.equal(statusOf(), 'ARCHIVED', 'and the draft does not come back as one');
  }));

test('a new product with variants is made on the other side with its stock, both ways', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const sizes = [
      ['S', '11.00', 3],
      ['M', '12.00', 0],
      ['L', '13.00', 7],
    ] as const;
    story.woo.addProduct({
      title: 'Shirt',
      variations: sizes.map(([size, price, stock]) => ({
        sku: `W-${size}`,
        regularPrice: price,
        stock,
        options: { Size: size },
      })),
    });
    story.shop.addProduct({
      title: 'Trousers',
      optionNames: ['Size'],
      variants: sizes.map(([size, price, stock]) => ({ sku: `S-${size}`, price, stock, optionValues: [size] })),
    });
    await story.rest();
    for (const [size, price, stock] of sizes) {
      for (const sku of [`W-${size}`, `S-${size}`]) {
        assert.deepEqual(story.stock(sku), [stock, stock], sku);
        for (const side of ['woocommerce', 'shopify'] as const)
          assert.equal(story.item(side, sku).price, Math.round(Number(price) * 100), sku);
      }
    }
    story.shop.placeOrder([{ variant: 'W-L', quantity: 2 }]);
    story.woo.placeOrder([{ ref: 'S-L', quantity: 3 }]);
    await story.rest();
    assert.deepEqual(
      [story.stock('W-L'), story.stock('S-L')],
      [
        [5, 5],
        [4, 4],
      ],
    );
  }));

test('a new variant is made on the other side with its stock; a removed one is put away where that can be undone', () =>
  Story.play(async (story) => {
    const sizes = ['S', 'M'];
    story.woo.addProduct({
      title: 'Shirt',
      variations: sizes.map((size) => ({ sku: `T-${size}`, regularPrice: '9.00', stock: 4, options: { Size: size } })),
    });
    story.shop.addProduct({
      title: 'Shirt',
      optionNames: ['Size'],
      variants: sizes.map((size) => ({ sku: `T-${size}`, price: '9.00', stock: 4, optionValues: [size] })),
    });
    await story.link();
    story.woo.addVariation(Number(story.item('woocommerce', 'T-S').productId), {
      sku: 'T-L',
      regularPrice: '10.00',
      stock: 6,
      options: { Size: 'L' },
    });
    await story.rest();
    assert.deepEqual(story.stock('T-L'), [6, 6]);
    story.shop.addVariant(story.item('shopify', 'T-S').productId, {
      sku: 'T-XL',
      price: '11.00',
      stock: 2,
      optionValues: ['XL'],
    });
    await story.rest();
    assert.deepEqual(story.stock('T-XL'), [2, 2]);
    story.woo.placeOrder([{ ref: 'T-XL', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('T-XL'), [1, 1]);

    story.shop.removeVariant('T-M');
    await story.rest();
    const away = await story.wooApi<{ status: string }>(
      'GET',
      `/products/${story.item('woocommerce', 'T-M').productId}/variations/${story.item('woocommerce', 'T-M').ref}`,
    );
    assert.equal(away.status, 'private', 'put away, not deleted');
    story.woo.removeVariation('T-L');
    await story.sync();
    assert.equal(story.item('shopify', 'T-L').stock, 6, 'Shopify can only delete: left there');
    assert.deepEqual(story.codes(), ['VARIANT_REMOVED']);
  }));

test('variants that are deleted and added again are the same ones: replaced by an import, and after they were put away', () =>
  Story.play(async (story) => {
    const sizes = ['S', 'M', 'L'];
    const variation = (size: string, price = '9.00', stock = 4) => ({
      ...{ sku: `T-${size}`, regularPrice: price, stock, options: { Size: size } },
    });
    const variant = (size: string, price = '9.00', stock = 4) => ({
      ...{ sku: `T-${size}`, price, stock, optionValues: [size] },
    });
    story.woo.addProduct({ title: 'Shirt', variations: sizes.map((size) => variation(size)) });
    story.shop.addProduct({ title: 'Shirt', optionNames: ['Size'], variants: sizes.map((size) => variant(size)) });
    await story.link();
    const wooId = Number(story.item('woocommerce', 'T-S').productId);
    const shopId = story.item('shopify', 'T-S').productId;

    for (const size of ['S', 'M']) story.woo.removeVariation(`T-${size}`);
    for (const size of ['S', 'M']) story.woo.addVariation(wooId, variation(size, '12.00'));
    await story.rest();
    story.shop.removeVariant('T-L');
    story.shop.addVariant(shopId, variant('L', '15.00', 3));
    await story.rest();
    await story.sync();
    for (const [size, price, stock] of [
      ['S', 1200, 4],
      ['M', 1200, 4],
      ['L', 1500, 3],
    ] as const)
      for (const side of ['woocommerce', 'shopify'] as const) {
        const item = story.item(side, `T-${size}`);
        assert.deepEqual([item.price, item.stock, item.isForSale], [price, stock, true], `${side} ${size}`);
      }

    story.shop.removeVariant('T-M');
    await story.rest();
    const { ref } = story.item('woocommerce', 'T-M');
    const statusOf = async () =>
      (await story.wooApi<{ status: string }>('GET', `/products/${wooId}/variations/${ref}`)).status;
    assert.equal(await statusOf(), 'private');
    story.shop.addVariant(shopId, variant('M', '16.00', 2));
    await story.rest();
    const back = story.item('woocommerce', 'T-M');
    assert.deepEqual([back.ref, back.price, back.stock, await statusOf()], [ref, 1600, 2, 'publish']);
    story.woo.placeOrder([{ ref: 'T-M', quantity: 1 }]);
    story.shop.placeOrder([{ variant: 'T-L', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(
      [story.stock('T-M'), story.stock('T-L')],
      [
        [1, 1],
        [2, 2],
      ],
    );
    assert.deepEqual(story.shelf('woocommerce').length, 3);
    assert.deepEqual(story.codes(), []);
  }));

test('a SKU that is renamed stays the same record', () =>
  Story.play(async (story) => {
    story.addBoth('OLD');
    await story.link();
    story.shop.setSku('OLD', 'NEW');
    await story.rest();
    assert.deepEqual(story.stock('NEW'), [10, 10]);
    story.woo.placeOrder([{ ref: 'NEW', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('NEW'), [9, 9]);
    assert.deepEqual(story.shelf('woocommerce').length + story.shelf('shopify').length, 2);
  }));

test('delete archives the other side, restore brings it back; for good is for good', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B', 'C']) story.addBoth(sku);
    await story.link();
    const statusOf = (sku: string) => story.shop.listShelf().find((row) => row.sku === sku)?.status;
    const wooId = Number(story.item('woocommerce', 'A').productId);
    story.ledger.person(() => story.woo.trashProduct(wooId));
    await story.rest();
    assert.equal(statusOf('A'), 'ARCHIVED');
    story.woo.restoreProduct(wooId);
    await story.rest();
    assert.equal(statusOf('A'), 'ACTIVE');
    assert.equal(story.item('woocommerce', 'A').isForSale, true, 'it comes back with the status that it had');
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('A'), [9, 9]);

    story.shop.deleteProduct(story.item('shopify', 'B').productId);
    await story.rest();
    assert.equal(story.item('woocommerce', 'B').isForSale, false);
    story.woo.deleteProduct('C', true);
    await story.rest();
    assert.equal(statusOf('C'), 'ACTIVE', 'WooCommerce tells nobody of a delete for good');
    await story.sync();
    await story.sync();
    assert.equal(statusOf('C'), 'ARCHIVED', 'two full looks find out');
  }));

test('[C13] a description with bare signs, an alignment and an empty style arrives whole in WooCommerce, and stays as it was typed in Shopify', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const typed =
      '<p style="">Holds if 4 < 5 and 7 > 6</p><blockquote align="center">So it is</blockquote><?xml x ?>Bell \u0007';
    const { productId } = story.item('shopify', 'MUG');
    story.shop.updateProduct(productId, { descriptionHtml: typed });
    await story.rest();
    const path = `/products/${story.item('woocommerce', 'MUG').productId}`;
    const { description } = await story.wooApi('GET', path);
    assert.match(String(description), /Holds if 4 &lt; 5 and 7 &gt; 6/);
    const answer = JSON.stringify(await story.shopApi('{ products(first: 1) { nodes { descriptionHtml } } }'));
    assert.ok(answer.includes(JSON.stringify(typed).slice(1, -1)), answer);
    assert.equal(story.ledger.writes.shopify.product, 0, 'no echo');
    await story.checkRest();
  }));

test('[C13] a tag that is too long for WordPress stays in Shopify alone: the product is made, and edits of its tags cross', () =>
  Story.play(async (story) => {
    await story.link();
    const long = 'x'.repeat(201);
    const { productId } = story.shop.addProduct({
      title: 'Mug',
      sku: 'MUG',
      price: '5.00',
      stock: 1,
      tags: ['a', long],
    });
    await story.rest(60_000);
    const woo = async () => {
      const path = `/products/${story.item('woocommerce', 'MUG').productId}`;
      const { tags } = await story.wooApi<{ tags: { name: string }[] }>('GET', path);
      return tags.map(({ name }) => name).sort();
    };
    assert.deepEqual(await woo(), ['a']);
    story.shop.updateProduct(productId, { tags: ['a', 'b', long] });
    await story.rest();
    assert.deepEqual(await woo(), ['a', 'b']);
    story.woo.updateProduct('MUG', { tags: ['b', 'c'] });
    await story.rest();
    const { product } = await story.shopApi<{ product: { tags: string[] } }>(
      'query($id: ID!) { product(id: $id) { tags } }',
      { id: productId },
    );
    assert.deepEqual([...product.tags].sort(), ['b', 'c', long]);
    assert.deepEqual(story.codes(), []);
  }));

test('[R8] a tag with a comma is two in Shopify: one that is removed there is removed, and the other one is left in both shops', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const { productId } = story.item('shopify', 'MUG');
    const tagsOf = async () => {
      const path = `/products/${story.item('woocommerce', 'MUG').productId}`;
      const { tags } = await story.wooApi<{ tags: { name: string }[] }>('GET', path);
      const query = 'query($id: ID!) { product(id: $id) { tags } }';
      const { product } = await story.shopApi<{ product: { tags: string[] } }>(query, { id: productId });
      return [tags.map(({ name }) => name).sort(), product.tags];
    };
    story.woo.updateProduct('MUG', { tags: ['Red, Blue', 'Sale'] });
    await story.rest(300_000);
    assert.deepEqual(await tagsOf(), [
      ['Red, Blue', 'Sale'],
      ['Blue', 'Red', 'Sale'],
    ]);
    story.shop.updateProduct(productId, { tags: ['Blue', 'Red'] });
    await story.rest(300_000);
    assert.deepEqual(await tagsOf(), [['Red, Blue'], ['Blue', 'Red']], 'nothing of it was removed');
    story.shop.updateProduct(productId, { tags: ['Red'] });
    await story.rest(300_000);
    assert.deepEqual(await tagsOf(), [['Red'], ['Red']]);
    assert.deepEqual(story.codes(), []);
  }));
