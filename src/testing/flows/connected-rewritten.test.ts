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
  ['a sign of Windows', '<p>It&#146;s &#128;&#160;5</p>'],
  ['a comment of a word processor', '<!--[if gte mso 9]><xml><o:x/></xml><![endif]--><p>A shirt.</p>'],
  ['a paragraph that was commented out', '<p>A shirt.</p><!-- <p>Now 5 off</p> -->'],
  ['a tag that names an attribute twice', '<p class="a" title="b" class="c">A shirt.</p>'],
  ['a ">" in a tag', '<p title="a > b">x</p>'],
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

const OPTIONS = 'query($id: ID!) { product(id: $id) { options { id optionValues { id name } } } }';

interface Options {
  readonly product: { readonly options: { id: string; optionValues: { id: string; name: string }[] }[] };
}

async function valuesOf(story: Story, side: 'woocommerce' | 'shopify'): Promise<readonly string[]> {
  const { productId } = story.item(side, 'T-small');
  if (side === 'shopify') {
    const { product } = await story.shopApi<Options>(OPTIONS, { id: productId });
    return product.options[0]?.optionValues.map(({ name }) => name) ?? [];
  }
  const made = await story.wooApi<{ attributes: { option: string }[] }[]>('GET', `/products/${productId}/variations`);
  return made.map(({ attributes }) => attributes[0]?.option ?? '').reverse();
}

/** Each value of the only option gets another spelling in Shopify's own editor. */
async function rename(story: Story, next: (value: string) => string): Promise<void> {
  const { productId } = story.item('shopify', 'T-small');
  const [option] = (await story.shopApi<Options>(OPTIONS, { id: productId })).product.options;
  await story.shopApi(
    'mutation($p: ID!, $o: OptionUpdateInput!, $v: [OptionValueUpdateInput!]) { productOptionUpdate(productId: $p, option: $o, optionValuesToUpdate: $v) { userErrors { message } } }',
    {
      p: productId,
      o: { id: option?.id },
      v: option?.optionValues.map(({ id, name }) => ({ id, name: next(name) })),
    },
  );
  await story.rest(5 * MINUTE_MS);
}

/** A shirt in two sizes in both shops; in WooCommerce they are terms of the store's own attribute, or values of the product's. */
async function addShirt(story: Story, isShared: boolean): Promise<void> {
  const sizes = ['small', 'large'];
  if (isShared) {
    const { id } = await story.wooApi<{ id: number }>('POST', '/products/attributes', { name: 'Size' });
    for (const name of [...sizes, 'medium']) await story.wooApi('POST', `/products/attributes/${id}/terms`, { name });
    const made = await story.wooApi<{ id: number }>('POST', '/products', {
      ...{ name: 'Shirt', type: 'variable', status: 'publish' },
      attributes: [{ id, variation: true, visible: true, options: sizes }],
    });
    for (const name of sizes)
      await story.wooApi('POST', `/products/${made.id}/variations`, {
        ...{ sku: `T-${name}`, regular_price: '9.00', manage_stock: true, stock_quantity: 4 },
        attributes: [{ id, option: name }],
      });
  } else {
    const variations = sizes.map((size) => ({
      sku: `T-${size}`,
      regularPrice: '9.00',
      stock: 4,
      options: { Size: size },
    }));
    story.woo.addProduct({ title: 'Shirt', variations });
  }
  const variants = sizes.map((size) => ({ sku: `T-${size}`, price: '9.00', stock: 4, optionValues: [size] }));
  story.shop.addProduct({ title: 'Shirt', optionNames: ['Size'], variants });
  await story.link();
}

for (const [what, next, another] of [
  ['another letter case', (value: string) => value.toUpperCase(), ['SMALL', 'LARGE']],
  ['an accent', (value: string) => value.replace('a', '\u00e4'), ['sm\u00e4ll', 'l\u00e4rge']],
  ['a stroke', (value: string) => value.replace('l', '\u0142'), ['sma\u0142l', '\u0142arge']],
] as const)
  test(`[R17] values that get ${what} in Shopify stay so there, though WooCommerce’s attribute keeps its own; another value is carried as ever`, () =>
    Story.play(async (story) => {
      await addShirt(story, true);
      await rename(story, next);
      assert.deepEqual(await valuesOf(story, 'shopify'), another);
      assert.deepEqual(await valuesOf(story, 'woocommerce'), ['small', 'large']);
      await rename(story, (value) => `Very ${value}`);
      for (const side of ['shopify', 'woocommerce'] as const)
        assert.deepEqual(
          await valuesOf(story, side),
          another.map((value) => `Very ${value}`),
          side,
        );
      assert.deepEqual([story.codes(), story.conflicts('T-small')], [[], []]);
    }));

test('[R17] a variant that Shopify adds is one of WooCommerce’s attribute, whose letter case is another: it stays as it was typed', () =>
  Story.play(async (story) => {
    await addShirt(story, true);
    const { productId } = story.item('shopify', 'T-small');
    story.shop.addVariant(productId, { sku: 'T-medium', price: '9.00', stock: 2, optionValues: ['Medium'] });
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(await valuesOf(story, 'shopify'), ['small', 'large', 'Medium']);
    assert.equal((await valuesOf(story, 'woocommerce')).toSorted().join(), 'large,medium,small');
    assert.deepEqual(story.codes(), []);
  }));

test('[R3] the letter case of values that are the product’s own in WooCommerce is carried', () =>
  Story.play(async (story) => {
    await addShirt(story, false);
    await rename(story, (value) => value.toUpperCase());
    for (const side of ['shopify', 'woocommerce'] as const)
      assert.deepEqual(await valuesOf(story, side), ['SMALL', 'LARGE'], side);
  }));

test('[R17] an entity in a SKU stays one in Shopify, though WordPress shows the sign', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    story.shop.setSku(story.item('shopify', 'MUG').ref, 'A&amp;B');
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual([story.item('shopify', 'A&amp;B').title, story.codes()], ['Thing MUG', []]);
  }));

test('[R8] a backslash stays in a tag, and a sign that shows nowhere is nobody’s edit', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const { productId } = story.item('shopify', 'MUG');
    const tags = ['Men\\Shirts', 'new\u0007'];
    story.shop.updateProduct(productId, { tags });
    await story.rest(5 * MINUTE_MS);
    const query = 'query($id: ID!) { product(id: $id) { tags } }';
    const { product } = await story.shopApi<{ product: { tags: string[] } }>(query, { id: productId });
    assert.deepEqual([product.tags, story.codes()], [tags, []]);
    const made = await story.wooApi<{ name: string }[]>('GET', '/products/tags');
    assert.deepEqual(made.map(({ name }) => name).sort(), ['Men\\Shirts', 'new']);
  }));

test('[L5] an option with a "<" in its name is made in WooCommerce with its values', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    story.shop.addProduct({
      title: 'Tee',
      optionNames: ['Length <cm'],
      variants: ['<10', '10'].map((value) => ({ sku: `T${value}`, price: '5.00', stock: 1, optionValues: [value] })),
    });
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    const { productId } = story.item('woocommerce', 'T10');
    const made = await story.wooApi<{ attributes: { name: string }[] }[]>('GET', `/products/${productId}/variations`);
    assert.deepEqual(
      made.map(({ attributes }) => attributes[0]?.name),
      ['Length &lt;cm', 'Length &lt;cm'],
    );
  }));

test('[R1, M3] a title with markup in WooCommerce is in Shopify what shoppers read, stays as it was typed, and is written by nobody', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { title: 'Mug Blue' });
    const { productId } = story.item('woocommerce', 'MUG');
    await story.wooApi('PUT', `/products/${productId}`, { name: 'Mug<br>Blue' });
    story.woo.addProduct({ title: 'H<sub>2</sub>O <strong>Cup</strong> <br /> large', sku: 'CUP', regularPrice: '5' });
    await story.link();
    await story.rest(5 * MINUTE_MS);
    assert.equal(story.item('shopify', 'MUG').title, 'Mug Blue');
    assert.equal(story.item('shopify', 'CUP').title, 'H2O Cup large');
    const nameOf = async () => (await story.wooApi<{ name: string }>('GET', `/products/${productId}`)).name;
    story.shop.setPrice('MUG', '18.00');
    await story.rest(5 * MINUTE_MS);
    assert.equal(await nameOf(), 'Mug<br>Blue', 'another field of it went across');
    story.shop.updateProduct(story.item('shopify', 'MUG').productId, { title: 'Mug <br> Green' });
    await story.rest(5 * MINUTE_MS);
    assert.equal(await nameOf(), 'Mug &lt;br&gt; Green', 'what is typed in Shopify is text');
    assert.deepEqual(story.codes(), []);
  }));

test('[R8] tags that differ in letter case, in how an accent is composed, or in an entity are one: neither shop gets them written over and over', () =>
  Story.play(async (story) => {
    const woo = ['Café', 'ÉCLAIR', 'R&D', 'a  b', 'Weiß', 'Weiss', 'x < y'];
    const shop = ['cafe\u0301', 'éclair', 'R&amp;D', 'A b', 'weiß', 'WEISS', 'X < Y'];
    story.woo.addProduct({ title: 'Mug', sku: 'MUG', regularPrice: '10', stock: 5, tags: woo });
    story.shop.addProduct({ title: 'Mug', sku: 'MUG', price: '10.00', stock: 5, tags: shop });
    const { productId: wooId } = story.item('woocommerce', 'MUG');
    const { productId: shopId } = story.item('shopify', 'MUG');
    const tagsOf = async () => {
      const { tags } = await story.wooApi<{ tags: { name: string }[] }>('GET', `/products/${wooId}`);
      const query = 'query($id: ID!) { product(id: $id) { tags } }';
      const { product } = await story.shopApi<{ product: { tags: string[] } }>(query, { id: shopId });
      return [tags.map(({ name }) => name), product.tags] as const;
    };
    const before = await tagsOf();
    await story.link();
    await story.rest(30 * MINUTE_MS);
    assert.deepEqual(await tagsOf(), before, 'nothing to be written');
    story.shop.updateProduct(shopId, { tags: [...shop, 'New'] });
    await story.rest(5 * MINUTE_MS);
    const [inWoo, inShop] = await tagsOf();
    assert.deepEqual(inWoo.toSorted(), [...before[0], 'New'].toSorted(), 'the others keep their spelling');
    const writes = story.ledger.landedWrites();
    await story.rest(60 * MINUTE_MS);
    assert.equal(story.ledger.landedWrites(), writes);
    assert.deepEqual(inShop.toSorted(), [...before[1], 'New'].toSorted());
  }));
