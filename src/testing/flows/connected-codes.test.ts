// SKUs and barcodes that WooCommerce keeps for one record alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';
import { linkShirt } from './linked-shirt.ts';

const MINUTE_MS = 60_000;

for (const key of ['barcode', 'SKU'] as const)
  test(`[B1, B12, P1] one ${key} on all variants of a product that Shopify alone has: the plan says so, no draft is made of it, and it is made once they have their own`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      const code = '4006381333931';
      const { productId } = story.shop.addProduct({
        title: 'Shirt',
        optionNames: ['Size'],
        variants: ['S', 'M', 'L'].map((size) => ({
          ...{ sku: key === 'SKU' ? code : `T-${size}`, price: '9.00', stock: 4, optionValues: [size] },
          ...(key === 'barcode' ? { barcode: code } : {}),
        })),
      });
      const { plan } = await story.link();
      const [planned] = story.planItems(plan).filter(({ action }) => action === 'skip');
      const why = `several of its variants bear the ${key} "${code}", which WooCommerce keeps for one alone`;
      assert.equal(planned?.data.reason, `WooCommerce would refuse it: ${why}.`);
      const written = story.ledger.landedWrites();
      await story.rest(30 * MINUTE_MS);
      await story.sync();
      assert.equal(story.ledger.landedWrites(), written, 'nothing is made, nor taken back');
      const [problem, ...others] = story.problems();
      assert.deepEqual(others, []);
      assert.equal(problem?.message, `"Shirt" can't be written to WooCommerce because of its ${key}: ${why}`);
      assert.equal(problem.remedy, 'Change that in the shop where it was entered; it is tried again by itself.');
      const shirts = story.shelf('shopify').filter((row) => row.productId === productId);
      await story.shopApi(
        'mutation($id: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $id, variants: $v) { userErrors { message } } }',
        {
          id: productId,
          v: shirts.map(({ variantId: id }, index) =>
            key === 'SKU' ? { id, inventoryItem: { sku: `OWN-${index}` } } : { id, barcode: '' },
          ),
        },
      );
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      assert.equal(story.shelf('woocommerce').filter(({ isVariable }) => isVariable).length, 3);
    }));

for (const remedy of ['delete', 'restore'] as const)
  test(`[P1, B1] a SKU that lies in WooCommerce’s bin: the problem says so, and what it says to do helps (${remedy})`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      story.woo.addProduct({ title: 'Old cup', sku: 'CUP', regularPrice: '5.00', stock: 3 });
      story.woo.trashProduct('CUP');
      await story.link();
      story.shop.addProduct({ title: 'Cup', sku: 'CUP', price: '6.00', stock: 4 });
      await story.rest(2 * MINUTE_MS);
      const [problem, ...others] = story.problems();
      assert.deepEqual([problem?.code, others], ['WRITE_REJECTED', []]);
      assert.match(problem?.remedy ?? '', /bin has this SKU .*: delete it there for good, or restore it/);
      if (remedy === 'delete') story.woo.deleteProduct('CUP', true);
      else story.woo.restoreProduct('CUP');
      await story.rest(MINUTE_MS);
      await story.sync();
      assert.deepEqual(story.codes(), []);
      assert.deepEqual(
        story
          .shelf('woocommerce')
          .map(({ sku }) => sku)
          .toSorted(),
        ['CUP', 'MUG'],
      );
      assert.deepEqual(
        story
          .shelf('shopify')
          .map(({ sku }) => sku)
          .toSorted(),
        ['CUP', 'MUG'],
      );
    }));

test('[M1] a SKU with two spaces is the one that WooCommerce can only keep with one: linked, found again, and known as the same', () =>
  Story.play(async (story) => {
    story.woo.addProduct({ title: 'Pipe', sku: 'A B C', regularPrice: '5.00', stock: 3 });
    story.shop.addProduct({ title: 'Pipe of clay', sku: 'A B  C', price: '5.00', stock: 3 });
    const { plan } = await story.link();
    assert.deepEqual(
      story.planItems(plan).map(({ action }) => action),
      ['link'],
    );
    assert.deepEqual([story.shelf('woocommerce').length, story.shelf('shopify').length], [1, 1]);
    // What is known already is known by it, whichever shop has more of them.
    story.shop.addProduct({ title: 'Cup', sku: 'C  U  P', price: '5.00', stock: 3 });
    await story.rest(2 * MINUTE_MS);
    assert.equal(story.shelf('woocommerce').length, 2);
    story.shop.addProduct({ title: 'Lid', sku: 'L  I  D', price: '5.00', stock: 3 });
    story.woo.addProduct({ title: 'Lid', sku: 'L I D', regularPrice: '5.00', stock: 3 });
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    assert.deepEqual([story.shelf('woocommerce').length, story.shelf('shopify').length], [3, 3]);
    assert.deepEqual(story.codes(), []);
  }));

test('[V4, V5] a variant becomes a product of its own in Shopify: the one that was put away in WooCommerce does not keep it from being made there, and comes back once the SKU is free', () =>
  Story.play(async (story) => {
    const { shopId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
    const { ref } = story.item('woocommerce', 'T-M');
    story.shop.removeVariant('T-M');
    await story.rest(MINUTE_MS);
    story.shop.addProduct({ title: 'Shirt M', sku: 'T-M', price: '9.00', stock: 4 });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    assert.equal(story.item('woocommerce', 'T-M').title, 'Shirt M');
    story.shop.setSku('T-M', 'OWN');
    await story.rest(MINUTE_MS);
    story.shop.addVariant(shopId, { sku: 'T-M', price: '9.00', stock: 7, optionValues: ['Medium'] });
    await story.rest(2 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    assert.deepEqual([story.item('woocommerce', 'T-M').ref, story.stock('T-M')], [ref, [7, 7]]);
  }));

test('[V4, V5] a variation that was put away is shown again in WooCommerce by hand: it has its SKU as before', () =>
  Story.play(async (story) => {
    const { wooId } = await linkShirt(story, ['Size'], [['S'], ['M']]);
    const { ref } = story.item('woocommerce', 'T-M');
    story.shop.removeVariant('T-M');
    await story.rest(MINUTE_MS);
    const away = await story.wooApi('GET', `/products/${wooId}/variations/${ref}`);
    assert.deepEqual([away['status'], away['sku']], ['private', 'T-M'], 'nobody else needs it');
    await story.wooApi('PUT', `/products/${wooId}/variations/${ref}`, { status: 'publish' });
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    assert.deepEqual(story.codes(), []);
    assert.equal(story.item('woocommerce', 'T-M').ref, ref);
    assert.equal(story.item('shopify', 'T-M').isForSale, true);
  }));

test('[V4, B1] a SKU passes from a variant that is removed to another product in one moment', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await linkShirt(story, ['Size'], [['S'], ['M']]);
    story.shop.removeVariant('T-M');
    story.shop.setSku('MUG', 'T-M');
    await story.rest(3 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    assert.equal(story.item('woocommerce', 'T-M').title, 'Thing MUG');
  }));

test('[B1] the SKUs of two products are swapped in Shopify, through a third as shops have it: they are swapped in WooCommerce', () =>
  Story.play(async (story) => {
    story.addBoth('A', { title: 'Alpha' });
    story.addBoth('B', { title: 'Beta' });
    await story.link();
    const [alpha = '', beta = ''] = ['A', 'B'].map((sku) => story.item('shopify', sku).ref);
    story.shop.setSku(alpha, 'X');
    story.shop.setSku(beta, 'A');
    story.shop.setSku(alpha, 'B');
    await story.rest(2 * MINUTE_MS);
    await story.sync();
    assert.deepEqual(story.codes(), []);
    assert.deepEqual([story.item('woocommerce', 'A').title, story.item('woocommerce', 'B').title], ['Beta', 'Alpha']);
  }));

const CODES = ['4006381333931', '4012345678901'] as const;

/** What WooCommerce itself has in its field for barcodes. */
async function wooBarcode(story: Story, sku: string): Promise<unknown> {
  const { productId, ref, isVariable } = story.item('woocommerce', sku);
  return (await story.wooApi('GET', `/products/${productId}${isVariable ? `/variations/${ref}` : ''}`))[
    'global_unique_id'
  ];
}

/** In one call for each product, as an import does it. */
async function changeCodes(story: Story, changes: Readonly<Record<string, { sku?: string; barcode: string }>>) {
  const found = Object.entries(changes).map(([sku, change]) => ({ ...story.item('shopify', sku), change }));
  for (const [id, rows] of Map.groupBy(found, ({ productId }) => productId))
    await story.shopApi(
      'mutation($id: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $id, variants: $v) { userErrors { message } } }',
      {
        id,
        v: rows.map(({ variantId, change: { sku, barcode } }) => ({
          ...{ id: variantId, barcode },
          ...(sku === undefined ? {} : { inventoryItem: { sku } }),
        })),
      },
    );
}

for (const what of ['two products', 'two variants of one product'] as const)
  test(`[B1] the barcodes of ${what} are swapped in Shopify: they are swapped in WooCommerce, and once more along with the SKUs`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      const rows = CODES.map((barcode, index) => ({ sku: 'AB'.charAt(index), price: '5.00', stock: 5, barcode }));
      if (what === 'two products') for (const row of rows) story.shop.addProduct({ title: `Thing ${row.sku}`, ...row });
      else
        story.shop.addProduct({
          title: 'Shirt',
          optionNames: ['Size'],
          variants: rows.map((row) => ({ ...row, optionValues: [row.sku] })),
        });
      await story.link();
      await story.rest(MINUTE_MS);
      const refs = ['A', 'B'].map((sku) => story.item('woocommerce', sku).ref);
      const codes = async () => [await wooBarcode(story, 'A'), await wooBarcode(story, 'B')];
      assert.deepEqual(await codes(), CODES);
      await changeCodes(story, { A: { barcode: CODES[1] }, B: { barcode: CODES[0] } });
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      assert.deepEqual(await codes(), CODES.toReversed());
      await changeCodes(story, { A: { sku: 'B', barcode: CODES[0] }, B: { sku: 'A', barcode: CODES[1] } });
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      assert.deepEqual(
        ['B', 'A'].map((sku) => story.item('woocommerce', sku).ref),
        refs,
      );
      assert.deepEqual(await codes(), CODES.toReversed());
    }));

for (const other of ['a simple product', 'a variant of another product'] as const)
  test(`[B1] a variant and ${other} are given each other’s SKUs and barcodes in Shopify: so they are in WooCommerce`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      const [a, b] = ['A', 'B'].map((sku, index) => ({ sku, price: '5.00', stock: 5, barcode: CODES[index] ?? '' }));
      const addVariants = (title: string, row: typeof a) => {
        const more = { sku: `${title}-L`, price: '5.00', stock: 5, optionValues: ['L'] };
        story.shop.addProduct({ title, optionNames: ['Size'], variants: [{ ...row!, optionValues: ['S'] }, more] });
      };
      addVariants('Shirt', a);
      if (other === 'a simple product') story.shop.addProduct({ title: 'Hat', ...b! });
      else addVariants('Hat', b);
      await story.link();
      await story.rest(MINUTE_MS);
      const refs = ['A', 'B'].map((sku) => story.item('woocommerce', sku).ref);
      await changeCodes(story, { A: { sku: 'B', barcode: CODES[1] }, B: { sku: 'A', barcode: CODES[0] } });
      await story.rest(3 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
      assert.deepEqual(
        ['B', 'A'].map((sku) => story.item('woocommerce', sku).ref),
        refs,
      );
      assert.deepEqual([await wooBarcode(story, 'A'), await wooBarcode(story, 'B')], CODES);
    }));
