// One field that a platform refuses holds up nothing else of its record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Connector, ProductWrite, WriteOutcome } from '../../ports/connector.ts';
import { variant } from '../support/products.ts';
import { Story } from './depth/story.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const TOO_LONG = 'x'.repeat(256);

test('[B1] a product whose SKU WooCommerce refuses is taken off sale in Shopify: its other fields go on, and its SKU once it is free', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'CUP', 'BOWL']) story.addBoth(sku);
    await story.link();
    const { productId } = story.item('woocommerce', 'MUG');
    const [mug, cup] = ['MUG', 'CUP'].map((sku) => story.item('shopify', sku).productId);
    story.shop.setSku('MUG', 'CUP');
    await story.rest();
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    story.shop.updateProduct(mug ?? '', { status: 'DRAFT', title: 'Recalled' });
    await story.rest();
    const row = () => story.shelf('woocommerce').find((item) => item.productId === productId);
    assert.deepEqual([row()?.title, row()?.isForSale, row()?.sku], ['Recalled', false, 'MUG']);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED'], 'what landed does not hide what did not');
    await story.checkRest();
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    const ref = story.shelf('shopify').find((item) => item.productId === cup)?.ref;
    story.shop.setSku(ref ?? '', 'OTHER');
    await story.rest();
    assert.deepEqual([row()?.sku, story.codes()], ['CUP', []]);
  }));

test('[B1] a refused SKU is told with what it is, and of several with all that it may be', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const error = new ConnectorError('rejected', 'no', { field: 'sku', platformMessage: 'Invalid or duplicated SKU.' });
  flow.hands.woocommerce.writeProducts = async (writes) => writes.map(() => ({ ok: false, error }));
  const { outside } = flow.shop('shopify');
  outside.renameSku(flow.item('shopify', 'BOWL'), 'DISH');
  await flow.rest();
  assert.equal(
    flow.words('WRITE_REJECTED').message,
    'WooCommerce refused "Bowl" because of its SKU (DISH): Invalid or duplicated SKU.',
  );
  outside.renameSku(flow.item('shopify', 'DISH'), 'BOWL');
  await flow.rest();
  const sizes = ['S', 'M', 'L', 'XL'].map((size) => ({ sku: `TEE-${size}`, optionValues: [size] }));
  flow.stock(['shopify'], { title: 'Tee', optionNames: ['Size'] }, sizes);
  await flow.rest();
  assert.match(flow.words('WRITE_REJECTED').message, /its SKU \(one of TEE-S, TEE-M, TEE-L and 1 more\): Invalid/);
  const plain = ['S', 'M', 'L'].map((sku) => ({ sku, optionValues: [sku] }));
  flow.stock(['shopify'], { title: 'Scarf', optionNames: ['Size'] }, plain);
  await flow.rest();
  assert.ok(
    flow
      .rows<{ message: string }>("SELECT message FROM problem WHERE state = 'open'")
      .some(({ message }) => message.includes('its SKU (one of S, M, L): Invalid')),
  );
});

test('[B12] a title that is too long for Shopify holds up neither the price nor that the product is taken off sale', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link();
    // In one edit, and in two.
    story.woo.updateProduct('MUG', { title: TOO_LONG, status: 'draft' });
    await story.rest();
    assert.deepEqual([story.item('shopify', 'MUG').isForSale, story.codes()], [false, ['WRITE_REJECTED']]);
    story.woo.setPrice('MUG', '33.00');
    await story.rest();
    assert.deepEqual([story.item('shopify', 'MUG').price, story.codes()], [3300, ['WRITE_REJECTED']]);
    story.woo.updateProduct('MUG', { title: 'Short' });
    await story.rest();
    assert.deepEqual([story.item('shopify', 'MUG').title, story.codes()], ['Short', []]);
  }));

test('[B1] a product does not go on sale while its price is refused: nobody buys it at the old one', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link();
    story.woo.updateProduct('MUG', { status: 'draft' });
    await story.rest();
    story.woo.setPrice('MUG', '');
    story.woo.updateProduct('MUG', { status: 'publish', title: 'New' });
    await story.rest();
    const { title, isForSale } = story.item('shopify', 'MUG');
    assert.deepEqual([title, isForSale, story.codes()], ['New', false, ['WRITE_REJECTED']]);
    story.woo.setPrice('MUG', '15.00');
    await story.rest();
    const { price, isForSale: isBack } = story.item('shopify', 'MUG');
    assert.deepEqual([price, isBack, story.codes()], [1500, true, []]);
  }));

test('[B1, P1] two fields are refused: the problem names both, and is open until both are mended', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link();
    story.woo.updateProduct('MUG', { title: TOO_LONG, status: 'draft' });
    story.woo.setPrice('MUG', '');
    await story.rest();
    const { price, isForSale } = story.item('shopify', 'MUG');
    assert.deepEqual([price, isForSale], [1000, false]);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    for (const field of [/because of its title:/, /because of its price:/])
      assert.match(story.problems()[0]?.message ?? '', field);
    story.woo.updateProduct('MUG', { title: 'Short' });
    await story.rest();
    assert.equal(story.item('shopify', 'MUG').title, 'Short');
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    assert.doesNotMatch(story.problems()[0]?.message ?? '', /title:/);
    story.woo.setPrice('MUG', '12.00');
    await story.rest();
    assert.deepEqual([story.item('shopify', 'MUG').price, story.codes()], [1200, []]);
  }));

test('[B1] options that a platform cannot take hold up neither the price nor that the product is taken off sale', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link();
    const { productId } = story.item('shopify', 'MUG');
    await story.shopApi(
      'mutation($p: ID!, $o: [OptionCreateInput!]!) { productOptionsCreate(productId: $p, options: $o) { userErrors { message } } }',
      { p: productId, o: [{ name: 'Size', values: [{ name: 'S' }] }] },
    );
    story.shop.addVariant(productId, { sku: 'MUG-M', price: '10.00', stock: 4, optionValues: ['M'] });
    await story.rest();
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    story.shop.setPrice('MUG', '33.00', null);
    story.shop.updateProduct(productId, { status: 'DRAFT' });
    await story.rest();
    const { price, isForSale } = story.item('woocommerce', 'MUG');
    assert.deepEqual([price, isForSale, story.codes()], [3300, false, ['WRITE_REJECTED']]);
  }));

/** In Shopify's admin: the options of a product are deleted, which leaves one variant. */
async function leaveOne(story: Story, variant: Record<string, unknown>): Promise<void> {
  await story.shopApi(
    'mutation($i: ProductSetInput!) { productSet(synchronous: true, input: $i) { userErrors { message } } }',
    {
      i: {
        id: story.item('shopify', 'T-S').productId,
        productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
        variants: [{ optionValues: [{ optionName: 'Title', name: 'Default Title' }], ...variant }],
      },
    },
  );
  await story.rest();
}

test('[B1, V4] options are deleted in Shopify, one variant stays: the others are not sold in WooCommerce, and what is said there helps', () =>
  Story.play(async (story) => {
    shirt(story);
    story.addBoth('BOWL');
    await story.link();
    const { productId } = story.item('woocommerce', 'T-S');
    const middle = story.item('woocommerce', 'T-M').ref;
    await leaveOne(story, { id: story.item('shopify', 'T-S').ref });
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    assert.match(story.problems()[0]?.message ?? '', /turn it into a simple product in WooCommerce/);
    const { status } = await story.wooApi('GET', `/products/${productId}/variations/${middle}`);
    assert.equal(status, 'private');
    story.shop.placeOrder([{ variant: 'T-S', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('T-S'), [4, 4]);
    await story.wooApi('PUT', `/products/${productId}`, { type: 'simple' });
    await story.rest();
    assert.equal(story.item('woocommerce', 'T-S').productId, productId);
    assert.deepEqual(story.codes(), ['STOCK_TRACKING_DIFFERS'], 'a simple product is counted by itself');
  }));

test('[B1, V4] options are deleted in Shopify with all variants that had any: what WooCommerce goes on selling is told by its SKUs', () =>
  Story.play(async (story) => {
    shirt(story);
    story.addBoth('BOWL');
    await story.link();
    const { productId } = story.item('woocommerce', 'T-S');
    await leaveOne(story, { price: '6', inventoryItem: { sku: 'T', tracked: true } });
    assert.deepEqual(story.codes(), ['VARIANT_REMOVED', 'VARIANT_REMOVED', 'WRITE_REJECTED']);
    for (const [index, sku] of ['T-S', 'T-M'].entries())
      assert.match(
        story.problems()[index]?.message ?? '',
        new RegExp(`^The variant ${sku} of "Shirt" was removed on Shopify`),
      );
    await story.checkRest();
    await story.wooApi('PUT', `/products/${productId}`, {
      ...{ type: 'simple', sku: 'T', regular_price: '6.00', manage_stock: true, stock_quantity: 0 },
    });
    await story.rest();
    assert.deepEqual(story.codes(), []);
    story.shop.restock('T', 3);
    await story.rest();
    assert.deepEqual(story.stock('T'), [3, 3]);
  }));

function shirt(story: Story): void {
  const rows = [
    ['T-S', 'S'],
    ['T-M', 'M'],
  ] as const;
  story.woo.addProduct({
    title: 'Shirt',
    variations: rows.map(([sku, size]) => ({ sku, regularPrice: '9.00', stock: 5, options: { Size: size } })),
  });
  story.shop.addProduct({
    title: 'Shirt',
    optionNames: ['Size'],
    variants: rows.map(([sku, size]) => ({ sku, price: '9.00', stock: 5, optionValues: [size] })),
  });
}

test('[B1] the price of one variant is refused: those of the others arrive', () =>
  Story.play(async (story) => {
    shirt(story);
    story.addBoth('BOWL');
    await story.link();
    const { productId } = story.item('woocommerce', 'T-S');
    const [small, middle] = ['T-S', 'T-M'].map((sku) => Number(story.item('woocommerce', sku).ref));
    await story.wooApi('POST', `/products/${productId}/variations/batch`, {
      update: [
        { id: small, regular_price: '', weight: '0.5' },
        { id: middle, regular_price: '11.00' },
      ],
    });
    await story.rest();
    assert.deepEqual(
      ['T-S', 'T-M'].map((sku) => story.item('shopify', sku).price),
      [900, 1100],
    );
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
  }));

test('[B1, V3] of two new variants one is refused: the other is made with its stock, and the product is taken off sale', () =>
  Story.play(async (story) => {
    shirt(story);
    story.addBoth('BOWL');
    await story.link({ stockLinkRule: 'sum' });
    const id = Number(story.item('woocommerce', 'T-S').productId);
    story.woo.addVariation(id, { sku: 'T-L', regularPrice: '', stock: 3, options: { Size: 'L' } });
    story.woo.addVariation(id, { sku: 'T-XL', regularPrice: '9.00', stock: 7, options: { Size: 'XL' } });
    await story.wooApi('PUT', `/products/${id}`, { status: 'draft' });
    await story.rest();
    assert.deepEqual(story.stock('T-XL'), [7, 7]);
    assert.equal(story.item('shopify', 'T-M').isForSale, false);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    await story.checkRest();
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
  }));

type Answer = (write: ProductWrite & { type: 'update' }, count: number) => ConnectorError | null;

/** Two linked products; updates of WooCommerce are answered by `answer` first. */
async function refusing(answer: Answer, settings: Partial<PairSettings> = {}) {
  const flow = new EngineFlow(settings);
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const sent: (ProductWrite & { type: 'update' })[] = [];
  const own = flow.connector('woocommerce');
  const writeProducts: Connector['writeProducts'] = async (writes, ...rest) => {
    const outcomes: WriteOutcome[] = [];
    for (const write of writes) {
      if (write.type === 'update') sent.push(write);
      const error = write.type === 'update' ? answer(write, sent.length) : null;
      if (error !== null) outcomes.push({ ok: false, error });
      else outcomes.push(...(await own.writeProducts([write], ...rest)));
    }
    return outcomes;
  };
  flow.hands.woocommerce = { writeProducts };
  return { flow, sent, mug: flow.product('shopify', 'Mug').id };
}

const refusal = (field: string) => new ConnectorError('rejected', `the ${field} is refused`, { field });

test('[B1] however many fields are refused one after another, a pass tries no more than four times', async () => {
  const { flow, sent, mug } = await refusing((write) =>
    refusal(
      [...Object.keys(write.fields), ...write.variants.flatMap(({ fields }) => Object.keys(fields))][0] ?? 'nothing',
    ),
  );
  const { outside } = flow.shop('shopify');
  const item = flow.item('shopify', 'MUG');
  outside.editProduct(mug, 'title', 'Cup');
  outside.editProduct(mug, 'descriptionHtml', '<p>New</p>');
  outside.editProduct(mug, 'status', 'draft');
  outside.editVariant(item, 'barcode', '4006381333931');
  outside.editVariant(item, 'weightMg', 500_000);
  outside.editVariant(item, 'price', { regularMinor: 700, saleMinor: null });
  await flow.rest(1);
  assert.equal(sent.length, 4);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
});

test('[B1] what is refused field by field while a conflict of the same record waits for a person is not tried without end', async () => {
  const { flow, sent, mug } = await refusing(
    (write) => refusal(write.variants.flatMap(({ fields }) => Object.keys(fields))[0] ?? 'nothing'),
    { conflictResolution: 'manual' },
  );
  flow.shop('shopify').outside.editProduct(mug, 'title', 'Cup');
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'title', 'Tin');
  await flow.rest(2);
  assert.deepEqual(
    flow.conflicts().map(({ field }) => field),
    ['title'],
  );
  const { outside } = flow.shop('shopify');
  outside.editVariant(flow.item('shopify', 'MUG'), 'barcode', '4006381333931');
  outside.editVariant(flow.item('shopify', 'MUG'), 'weightMg', 500_000);
  await flow.rest(5);
  assert.ok(sent.length >= 2 && sent.length <= 6, `${sent.length} writes left`);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
});

test('[B1] what names none of its fields is refused whole and once; what is not refused is sent once', async () => {
  for (const field of ['nothing', 'mark', 'handle']) {
    const { flow, sent, mug } = await refusing(() => refusal(field));
    flow.shop('shopify').outside.editProduct(mug, 'title', 'Cup');
    await flow.rest(1);
    assert.deepEqual([sent.length, flow.problems()], [1, ['WRITE_REJECTED']], field);
  }
  const { flow, sent, mug } = await refusing(() => null);
  flow.shop('shopify').outside.editProduct(mug, 'title', 'Cup');
  await flow.rest(1);
  assert.deepEqual([sent.length, flow.product('woocommerce', 'Cup').fields.title], [1, 'Cup']);
});

test('[B1, W1] what is typed into the record while its write is refused is merged, and not written over', async () => {
  let wooId = '';
  const { flow, sent, mug } = await refusing(({ fields }) => {
    if (fields.title === undefined) return null;
    if (wooId !== '') flow.shop('woocommerce').outside.editProduct(wooId, 'status', 'draft');
    wooId = '';
    return refusal('title');
  });
  wooId = flow.product('woocommerce', 'Mug').id;
  const { outside } = flow.shop('shopify');
  outside.editProduct(mug, 'title', 'Cup');
  outside.editProduct(mug, 'descriptionHtml', '<p>New</p>');
  await flow.rest(1);
  const there = flow.product('woocommerce', 'Mug').fields;
  assert.deepEqual([there.status, there.descriptionHtml], ['draft', '<p>New</p>']);
  assert.equal(flow.product('shopify', 'Cup').fields.status, 'draft');
  assert.equal(sent.filter(({ fields }) => fields.descriptionHtml !== undefined).length, 2, 'refused, and without it');
});

test('[B1, W4] the rest of a refused write gets no answer, or the store no room for the reading before it: it is brought to an end', async () => {
  for (const how of ['lost', 'unread'] as const) {
    let isBad = true;
    const { flow, mug } = await refusing(({ fields }) => {
      if (fields.title !== undefined) return refusal('title');
      return how === 'lost' && isBad ? new ConnectorError('unknown_outcome', 'no answer') : null;
    });
    if (how === 'unread') {
      const own = flow.connector('woocommerce');
      const { writeProducts } = flow.hands.woocommerce;
      let hasRefused = false;
      flow.hands.woocommerce = {
        writeProducts: async (...args) => {
          hasRefused = true;
          return (await writeProducts?.(...args)) ?? [];
        },
        readProducts: async (...args) => {
          if (isBad && hasRefused) throw new ConnectorError('unavailable', 'no room');
          return own.readProducts(...args);
        },
      };
    }
    const { outside } = flow.shop('shopify');
    outside.editProduct(mug, 'title', 'Cup');
    outside.editProduct(mug, 'status', 'draft');
    await flow.rest(1);
    assert.equal(flow.product('woocommerce', 'Mug').fields.status, 'active', how);
    isBad = false;
    await flow.rest();
    assert.equal(flow.product('woocommerce', 'Mug').fields.status, 'draft', how);
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED'], how);
    const open = flow.rows<{ n: number }>('SELECT count(*) AS n FROM product_binding WHERE intent IS NOT NULL');
    assert.deepEqual(open, [{ n: 0 }], how);
  }
});

test('[B1, L5] what stops fitting while its write is refused waits until it fits, with nothing under way', async () => {
  const { flow, mug } = await refusing(({ fields }) => {
    if (fields.title === undefined) return null;
    if (isFitting) flow.unsyncable.set('Mug', { reason: 'bundle', detail: '' });
    return refusal('title');
  });
  let isFitting = true;
  const { outside } = flow.shop('shopify');
  outside.editProduct(mug, 'title', 'Cup');
  outside.editProduct(mug, 'status', 'draft');
  await flow.rest();
  const open = flow.rows<{ n: number }>('SELECT count(*) AS n FROM product_binding WHERE intent IS NOT NULL');
  assert.deepEqual(open, [{ n: 0 }]);
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE', 'WRITE_REJECTED']);
  isFitting = false;
  flow.unsyncable.clear();
  await flow.scan();
  assert.equal(flow.product('woocommerce', 'Mug').fields.status, 'draft');
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
});

test('[B1, G12] a write that was to take a product out of the bin is refused for one field: the rest takes it out, and it is not tried for ever', async () => {
  const flow = new EngineFlow({}, 'keyed');
  flow.stock(SIDES, { title: 'MUG', optionNames: ['Size'] }, [{ sku: 'MUG-S', optionValues: ['S'] }]);
  flow.stock(SIDES, { title: 'CUP' }, [{ sku: 'CUP' }]);
  await flow.link();
  const { id } = flow.product('woocommerce', 'MUG');
  const before = flow.ours('woocommerce');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  const shopify = flow.product('shopify', 'MUG').id;
  flow.shop('shopify').outside.editProduct(shopify, 'title', 'Tea mug');
  flow.shop('shopify').outside.addVariant(shopify, {
    fields: variant({ sku: 'CUP', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 3 },
  });
  await flow.rest(60);
  const mug = flow.product('woocommerce', 'Tea mug');
  assert.deepEqual([mug.id, mug.isTrashed, flow.problems()], [id, false, ['WRITE_REJECTED']]);
  assert.ok(flow.ours('woocommerce') - before < 20, `${flow.ours('woocommerce') - before} entries of ours`);
  assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
});

for (const [refuses, asksForPatience] of [
  ['shopify', 'woocommerce'],
  ['woocommerce', 'shopify'],
] as const)
  test(`[B1] what ${refuses} refuses for good does not hold up what ${asksForPatience} had no time for: nobody has to look`, async () => {
    const flow = new EngineFlow();
    for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title }]);
    await flow.link();
    flow.hands[refuses].writeProducts = async (writes) => writes.map(() => ({ ok: false, error: refusal('weightMg') }));
    const wasAsked = faultOnce(flow.shop(asksForPatience), 'update_product', {
      type: 'rate_limited',
      retryAfterMs: 40_000,
    });
    const { productId, stockId } = itemOf(flow, asksForPatience);
    untold(flow, asksForPatience, (outside) => outside.editVariant(stockId, 'weightMg', 900_000));
    flow.shop(refuses).outside.editProduct(itemOf(flow, refuses).productId, 'title', 'Cup');
    await flow.world.clock.runFor(120_000);
    assert.ok(wasAsked());
    assert.equal(flow.shop(asksForPatience).shelf.products.get(productId)?.fields.title, 'Cup');
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  });

/** A weight that Shopify refuses for good and a title that WooCommerce has no time for: both are of one pass. */
async function halfRefused(): Promise<{ readonly flow: EngineFlow; readonly refused: () => number }> {
  const flow = new EngineFlow();
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title }]);
  await flow.link();
  let count = 0;
  flow.hands.shopify.writeProducts = async (writes) => {
    count += 1;
    return writes.map(() => ({ ok: false, error: refusal('weightMg') }));
  };
  flow.hands.woocommerce.writeProducts = async (writes) => {
    await flow.world.clock.sleep(300);
    return writes.map(() => ({ ok: false, error: new ConnectorError('rate_limited', 'busy') }));
  };
  untold(flow, 'woocommerce', (outside) => outside.editVariant(flow.item('woocommerce', 'Mug'), 'weightMg', 900_000));
  untold(flow, 'shopify', (outside) => outside.editProduct(itemOf(flow, 'shopify').productId, 'title', 'Cup'));
  return { flow, refused: () => count };
}

test('[B1] what one shop refuses for good is not sent to it every second while the other has no room for us', async () => {
  const { flow, refused } = await halfRefused();
  await flow.lookAt('Mug');
  await flow.world.clock.runFor(600_000);
  assert.ok(refused() > 1 && refused() < 30, `${refused()} times`);
});

test('[B1] a run says why a product failed, also where the other shop had no time for its part', async () => {
  const { flow } = await halfRefused();
  await flow.scan();
  const [row] = flow.rows<{ detail: string }>("SELECT detail FROM run_item WHERE outcome = 'failed'");
  assert.match(row?.detail ?? '', /the weightMg is refused/);
});

test('[B1] a run says of what the shop had no time for, and nobody refused, that it waits', async () => {
  const flow = new EngineFlow();
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title }]);
  await flow.link();
  flow.hands.woocommerce.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rate_limited', 'busy') }));
  untold(flow, 'shopify', (outside) => outside.editProduct(itemOf(flow, 'shopify').productId, 'title', 'Cup'));
  await flow.scan();
  const [row] = flow.rows<{ detail: string }>("SELECT detail FROM run_item WHERE outcome = 'failed'");
  assert.equal(row?.detail, 'waits for the store');
});

function itemOf(flow: EngineFlow, side: Side): { readonly productId: string; readonly stockId: string } {
  const stockId = flow.item(side, 'Mug');
  return { productId: flow.shop(side).shelf.items.get(stockId)?.product.id ?? '', stockId };
}
