import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';

// A host puts last night's backup of WooCommerce's database back: what was made since is lost, and its ids are given out again.

type Settings = ConstructorParameters<typeof EngineFlow>[0];

const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });

async function linked(settings: Settings = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const i of [1, 2, 3]) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

/** Made on `side`, carried over, and then lost in WooCommerce with the backup. Returns the id that it had there. */
async function lost(flow: EngineFlow, side: Side): Promise<string> {
  flow.stock([side], { title: 'Lost' }, [{ sku: 'LOST', quantity: 8, price: price(2000) }]);
  await flow.rest();
  const { id } = flow.product('woocommerce', 'Lost');
  flow.product('shopify', 'Lost');
  flow.shop('woocommerce').outside.putBack(id);
  return id;
}

/** As WooCommerce's webhooks, which come a minute late: the answer to our own write is there first. */
function mute(flow: EngineFlow): void {
  const shop = flow.shop('woocommerce');
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
}

const titles = (flow: EngineFlow, side: Side) =>
  [...flow.shop(side).shelf.products.values()].map(({ fields }) => fields.title).filter((title) => !/^Mug/.test(title));

/** Title, status, price and stock of what Shopify shows under the SKU. */
function shown(flow: EngineFlow, sku: string, side: Side = 'shopify') {
  const product = [...flow.shop(side).shelf.products.values()].find(({ variants }) =>
    variants.some(({ fields }) => fields.sku === sku),
  );
  return [
    product?.fields.title,
    product?.fields.status,
    product?.variants[0]?.fields.price.regularMinor,
    flow.quantity(side, sku),
  ];
}

test('[V6] what we make in WooCommerce is given the id of a lost product: it is known by it, and the lost one counts as deleted', async () => {
  const flow = await linked();
  const id = await lost(flow, 'shopify');
  mute(flow);
  flow.stock(['shopify'], { title: 'New' }, [{ sku: 'NEW', quantity: 4 }]);
  await flow.rest(60);
  assert.equal(flow.product('woocommerce', 'New').id, id);
  assert.deepEqual(titles(flow, 'woocommerce'), ['New']);
  assert.equal(flow.hub('New').bindings.woocommerce?.externalId, id);
  assert.deepEqual(shown(flow, 'LOST'), ['Lost', 'archived', 2000, 8]);
  assert.equal(flow.hub('Lost').row.state, 'deleted');
  assert.equal(flow.ours('woocommerce', 'add_product'), 2);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'NEW'), 1);
  await flow.scan();
  assert.deepEqual([flow.quantities('NEW'), flow.problems(), flow.quantity('shopify', 'LOST')], [[3, 3], [], 8]);
});

test('[V6, W4] the answer to that create is lost: it is found by its mark, and made once', async () => {
  const flow = await linked();
  const id = await lost(flow, 'shopify');
  mute(flow);
  flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
    flow.hands.woocommerce = {};
    await flow.connector('woocommerce').writeProducts(writes, signal, cut);
    return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'no answer') }));
  };
  flow.stock(['shopify'], { title: 'New' }, [{ sku: 'NEW', quantity: 4 }]);
  await flow.rest(60);
  assert.deepEqual(titles(flow, 'woocommerce'), ['New']);
  assert.equal(flow.hub('New').bindings.woocommerce?.externalId, id);
  assert.deepEqual(shown(flow, 'LOST'), ['Lost', 'archived', 2000, 8]);
  assert.deepEqual(flow.problems(), []);
});

test('[V6, W4] so it is where the lost one was a draft, which has no date yet', async () => {
  const flow = await linked();
  flow.stock(['woocommerce'], { title: 'Lost', status: 'draft' }, [{ sku: 'LOST', quantity: 8 }]);
  const { id } = Object.assign(flow.product('woocommerce', 'Lost'), { createdAt: null });
  await flow.rest();
  flow.shop('woocommerce').outside.putBack(id);
  mute(flow);
  flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
    flow.hands.woocommerce = {};
    await flow.connector('woocommerce').writeProducts(writes, signal, cut);
    return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'no answer') }));
  };
  flow.stock(['shopify'], { title: 'New' }, [{ sku: '', quantity: 4 }]);
  await flow.rest(60);
  assert.deepEqual(titles(flow, 'woocommerce'), ['New']);
  assert.equal(flow.hub('New').bindings.woocommerce?.externalId, id);
});

test('[V6] a person makes another product there: nothing of it is taken for edits of the lost one, and it is carried over as what it is', async () => {
  for (const side of SIDES) {
    const flow = await linked();
    const id = await lost(flow, side);
    flow.stock(['woocommerce'], { title: 'Teapot' }, [{ sku: 'TEA', quantity: 1, price: price(9000) }]);
    assert.equal(flow.product('woocommerce', 'Teapot').id, id);
    await flow.rest(60);
    await flow.scan();
    assert.deepEqual(shown(flow, 'LOST'), ['Lost', 'archived', 2000, 8]);
    assert.deepEqual(shown(flow, 'TEA'), ['Teapot', 'active', 9000, 1]);
    assert.equal(flow.hub('Teapot').bindings.woocommerce?.externalId, id);
    assert.deepEqual([flow.problems(), flow.conflicts(), titles(flow, 'woocommerce')], [[], [], ['Teapot']]);
  }
});

test('[V6, S3] what the lost one sells is not taken off the other product, nor is that one counted for it, before anybody has told of it', async () => {
  const flow = await linked();
  await lost(flow, 'woocommerce');
  mute(flow);
  flow.stock(['woocommerce'], { title: 'Teapot' }, [{ sku: 'TEA', quantity: 1 }]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'LOST'), 2);
  await flow.rest();
  assert.deepEqual([flow.quantity('woocommerce', 'TEA'), flow.quantity('shopify', 'LOST')], [1, 6]);
  await flow.rest(60);
  assert.deepEqual(
    [flow.quantities('TEA'), shown(flow, 'LOST')],
    [
      [1, 1],
      ['Lost', 'archived', 2000, 6],
    ],
  );
});

test('[V6, S2] a product whose date was moved is the same: it is counted, and edited, as before', async () => {
  const flow = await linked();
  mute(flow);
  const mug = flow.product('woocommerce', 'Mug 1');
  Object.assign(mug, { createdAt: flow.world.clock.now() });
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-1'), 1);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-1'), 2);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-1'), [7, 7]);
  Object.assign(mug, { createdAt: flow.world.clock.now() });
  flow.shop('woocommerce').outside.editProduct(mug.id, 'title', 'Beaker');
  flow.shop('woocommerce').outside.editProduct(mug.id, 'handle', 'beaker');
  await flow.scan();
  flow.shop('woocommerce').outside.renameSku(flow.item('woocommerce', 'MUG-1'), 'BEAKER');
  await flow.scan();
  assert.deepEqual(shown(flow, 'BEAKER').slice(0, 2), ['Beaker', 'active']);
  assert.deepEqual([flow.count('shopify'), flow.quantities('BEAKER')], [3, [7, 7]]);
});

const small = { sku: 'S', optionValues: ['S'] };

async function withSizes(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, [small, { sku: 'M', optionValues: ['M'] }]);
  for (const i of [1, 2, 3]) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

for (const side of SIDES)
  test(`[V6] a variant that is added in ${side} is given the id of a lost product's: it is known by it, and stocks stay apart`, async () => {
    const flow = await withSizes();
    await lost(flow, 'woocommerce');
    mute(flow);
    // The shop has used the product's own id for something else.
    const { outside, shelf } = flow.shop('woocommerce');
    shelf.nextId += 1n;
    const large = { fields: variant({ sku: 'L', optionValues: ['L'] }), stock: { tracked: true, quantity: 5 } };
    flow.shop(side).outside.addVariant(flow.product(side, 'Shirt').id, large);
    await flow.poll();
    await flow.scan();
    assert.deepEqual(flow.quantities('L'), [5, 5]);
    assert.deepEqual([shown(flow, 'LOST')[0], shown(flow, 'LOST')[3]], ['Lost', 8]);
    outside.sell(flow.item('woocommerce', 'L'), 2);
    await flow.poll();
    await flow.scan();
    await flow.scan();
    assert.deepEqual(
      [flow.quantities('L'), shown(flow, 'LOST')],
      [
        [3, 3],
        ['Lost', 'archived', 2000, 8],
      ],
    );
    assert.deepEqual([flow.problems(), flow.hub('Lost').row.state], [[], 'deleted']);
  });

test('[V6] a variant that was lost alone, and whose id is given to one of another product, is made there again', async () => {
  const flow = await withSizes();
  flow.stock(SIDES, { title: 'Coat', optionNames: ['Size'] }, [{ sku: 'COAT-S', optionValues: ['S'] }]);
  await flow.rest();
  const { outside, shelf } = flow.shop('woocommerce');
  const medium = present(shelf.items.get(flow.item('woocommerce', 'M')), 'M');
  shelf.drop(medium);
  const next = shelf.nextId;
  shelf.nextId = BigInt(medium.variant.id);
  outside.addVariant(flow.product('woocommerce', 'Coat').id, {
    fields: variant({ sku: 'COAT-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 5 },
  });
  shelf.nextId = next;
  await flow.rest();
  assert.deepEqual(
    [flow.quantities('M'), flow.quantities('COAT-L')],
    [
      [10, 10],
      [5, 5],
    ],
  );
  assert.equal(flow.hub('Shirt').variantBindings.woocommerce.size, 2);
  assert.deepEqual(flow.problems(), []);
});

test('[V6] where WooCommerce is the target, what it lost is made there again', async () => {
  for (const isOurs of [true, false]) {
    const flow = await linked({ syncDirection: 'shopify_to_woocommerce' });
    await lost(flow, 'shopify');
    mute(flow);
    flow.stock([isOurs ? 'shopify' : 'woocommerce'], { title: 'New' }, [{ sku: 'NEW', quantity: 4 }]);
    await flow.poll(60);
    await flow.scan();
    assert.deepEqual(titles(flow, 'woocommerce').sort(), ['Lost', 'New']);
    assert.deepEqual(shown(flow, 'LOST'), ['Lost', 'active', 2000, 8]);
    assert.deepEqual([flow.problems(), flow.quantities('LOST'), flow.quantity('woocommerce', 'NEW')], [[], [8, 8], 4]);
  }
});

test('[V6, G9] an edit that the lost one had not seen wins, also where a person would be asked: it is made again', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  await lost(flow, 'shopify');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Lost').id, 'title', 'Found');
  flow.stock(['woocommerce'], { title: 'Teapot' }, [{ sku: 'TEA', quantity: 1 }]);
  await flow.rest(60);
  await flow.scan();
  assert.deepEqual(titles(flow, 'woocommerce').sort(), ['Found', 'Teapot']);
  assert.deepEqual([shown(flow, 'LOST'), flow.conflicts()], [['Found', 'active', 2000, 8], []]);
});

test('[V6, G12] nor is a person asked any more about the delete of one in the bin whose id is given to another', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  flow.stock(['woocommerce'], { title: 'Lost' }, [{ sku: 'LOST', quantity: 8, price: price(2000) }]);
  await flow.rest();
  const { id } = flow.product('woocommerce', 'Lost');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Lost').id, 'status', 'active');
  await flow.rest();
  assert.deepEqual(
    flow.conflicts().map(({ field }) => field),
    ['deleted'],
  );
  flow.shop('woocommerce').outside.putBack(id);
  flow.stock(['woocommerce'], { title: 'Teapot' }, [{ sku: 'TEA', quantity: 1, price: price(9000) }]);
  await flow.rest(60);
  assert.deepEqual([shown(flow, 'LOST'), flow.conflicts()], [['Lost', 'active', 2000, 8], []]);
  assert.deepEqual(shown(flow, 'TEA'), ['Teapot', 'active', 9000, 1]);
  assert.deepEqual(titles(flow, 'woocommerce').sort(), ['Lost', 'Teapot']);
});

test('[V6, G1] more lost products than the guard allows halt the pair, whoever was given their ids', async () => {
  for (const isOurs of [true, false]) {
    const flow = await linked();
    for (let i = 1; i <= 12; i += 1) flow.stock(['woocommerce'], { title: `Lost ${i}` }, [{ sku: `LOST-${i}` }]);
    await flow.rest();
    if (isOurs) mute(flow);
    flow.shop('woocommerce').outside.putBack(flow.product('woocommerce', 'Lost 1').id);
    for (let i = 1; i <= 12; i += 1)
      flow.stock([isOurs ? 'shopify' : 'woocommerce'], { title: `New ${i}` }, [{ sku: `NEW-${i}` }]);
    await flow.poll(60);
    assert.equal(flow.halt()?.count, 11);
    assert.equal(flow.rows("SELECT id FROM product WHERE state = 'deleted'").length, 10);
    resumePair(flow.world.life().ctx, PAIR_ID);
    await flow.rest(60);
    assert.deepEqual(flow.halt(), null);
    for (const side of SIDES)
      for (let i = 1; i <= 12; i += 1)
        assert.equal(titles(flow, side).filter((title) => title === `New ${i}`).length, 1);
  }
});
