// The fields of a variation that a person hides in WooCommerce and shows again: whoever is read first, they go on from where they were [V5].
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });

type Order = 'told first' | 'told by nobody' | 'read later' | 'read in one pass' | 'read beside other edits';
const ORDERS: readonly Order[] = [
  'told first',
  'told by nobody',
  'read later',
  'read in one pass',
  'read beside other edits',
];

/** A mug whose size M was hidden in WooCommerce. */
async function linked(settings: Partial<PairSettings> = {}, tracked = true): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size], tracked }));
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, sizes);
  return flow.link();
}

const medium = (flow: EngineFlow, side: Side) =>
  present(
    flow.product(side, 'Mug').variants.find(({ fields }) => fields.optionValues[0] === 'M'),
    side,
  );

async function hide(flow: EngineFlow): Promise<void> {
  const { shelf } = flow.shop('woocommerce');
  shelf.archiveVariant(present(shelf.items.get(medium(flow, 'woocommerce').stockId), 'M'), null);
  await flow.lookAt('Mug');
  assert.ok(flow.problems().includes('VARIANT_REMOVED'));
}

function edit(flow: EngineFlow, side: Side, change: Partial<VariantFields>): void {
  for (const [name, value] of Object.entries(change) as [keyof VariantFields, never][])
    flow.shop(side).outside.editVariant(medium(flow, side).stockId, name, value);
}

/** Shows it again in WooCommerce, and has both sides read in some order. */
async function show(flow: EngineFlow, order: Order, shopify: Partial<VariantFields>, woocommerce = {}): Promise<void> {
  const isHeard = order === 'told first' || order === 'read beside other edits';
  if (isHeard) edit(flow, 'shopify', shopify);
  else untold(flow, 'shopify', () => edit(flow, 'shopify', shopify));
  if (order === 'read beside other edits')
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'tags', ['new']);
  if (isHeard) await flow.rest();
  const { id } = flow.product('woocommerce', 'Mug');
  const reveal = () => {
    medium(flow, 'woocommerce').isArchived = false;
    edit(flow, 'woocommerce', { ...woocommerce, backorders: medium(flow, 'woocommerce').fields.backorders });
  };
  if (order === 'read later' || order === 'told first') {
    reveal();
    flow.shop('woocommerce').outside.editProduct(id, 'tags', ['back']);
    await flow.rest();
  } else untold(flow, 'woocommerce', reveal);
  await flow.lookAt('Mug');
  await flow.scan();
}

const shown = (flow: EngineFlow, name: keyof VariantFields) => SIDES.map((side) => medium(flow, side).fields[name]);

for (const order of ORDERS) {
  for (const conflictResolution of ['newest', 'woocommerce', 'manual'] as const)
    test(`[V5] a hidden variation was edited in Shopify meanwhile, and is shown again as it was: the edit is carried (${conflictResolution}, ${order})`, async () => {
      const flow = await linked({ conflictResolution });
      await hide(flow);
      await show(flow, order, { price: price(1_700), weightMg: 2_000, barcode: '4006381333931' });
      assert.deepEqual(shown(flow, 'price'), [price(1_700), price(1_700)]);
      assert.deepEqual(shown(flow, 'weightMg'), [2_000, 2_000]);
      assert.deepEqual(shown(flow, 'barcode'), ['4006381333931', '4006381333931']);
      assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
    });

  test(`[V5] ... where nothing of its stock is counted, too (${order})`, async () => {
    const flow = await linked({}, false);
    await hide(flow);
    await show(flow, order, { price: price(1_700) });
    assert.deepEqual(shown(flow, 'price'), [price(1_700), price(1_700)]);
    assert.deepEqual(flow.problems(), []);
  });

  test(`[V5] what it shows otherwise by then is WooCommerce's edit, and its other half was not edited (${order})`, async () => {
    const flow = await linked();
    await hide(flow);
    await show(flow, order, { barcode: '4006381333931' }, { price: price(1_900) });
    assert.deepEqual(shown(flow, 'price'), [price(1_900), price(1_900)]);
    assert.deepEqual(shown(flow, 'barcode'), ['4006381333931', '4006381333931']);
  });

  test(`[V5, R4] edited in both meanwhile, the pair's policy decides (${order})`, async () => {
    for (const [conflictResolution, wins] of [
      ['woocommerce', 1_900],
      ['shopify', 1_700],
    ] as const) {
      const flow = await linked({ conflictResolution });
      await hide(flow);
      await show(flow, order, { price: price(1_700) }, { price: price(1_900) });
      assert.deepEqual(shown(flow, 'price'), [price(wins), price(wins)]);
    }
  });

  test(`[V5, R2] an edit that had not arrived when it was hidden is owed when it is shown again (${order})`, async () => {
    const flow = await linked();
    flow.hands.shopify.writeProducts = async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'not now') }));
    edit(flow, 'woocommerce', { price: price(1_900) });
    await flow.rest();
    await hide(flow);
    delete flow.hands.shopify.writeProducts;
    await show(flow, order, { barcode: '4006381333931' });
    assert.deepEqual(shown(flow, 'price'), [price(1_900), price(1_900)]);
    assert.deepEqual(shown(flow, 'barcode'), ['4006381333931', '4006381333931']);
  });

  test(`[V5, R11] on a target it is drift (${order})`, async () => {
    const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
    await hide(flow);
    await show(flow, order, { price: price(1_700) });
    assert.deepEqual(shown(flow, 'price'), [price(1_000), price(1_700)]);
    assert.ok(flow.problems().every((code) => code === 'DRIFT'));
  });

  for (const side of SIDES)
    test(`[V5, L2] what was emptied in ${side} meanwhile is empty (${order})`, async () => {
      const flow = await linked();
      edit(flow, 'shopify', { barcode: '4006381333931' });
      await flow.rest();
      await hide(flow);
      const emptied = { barcode: '' };
      await show(flow, order, side === 'shopify' ? emptied : {}, side === 'woocommerce' ? emptied : {});
      assert.deepEqual(shown(flow, 'barcode'), ['', '']);
      assert.deepEqual(flow.problems(), []);
    });
}

for (const order of ORDERS)
  test(`[V5] what was deleted and is added anew has the fields of who adds it, whatever was edited meanwhile (${order})`, async () => {
    for (const conflictResolution of ['newest', 'shopify', 'manual'] as const) {
      const flow = await linked({ conflictResolution });
      flow.shop('woocommerce').outside.deleteVariant(medium(flow, 'woocommerce').stockId);
      await flow.rest();
      const { id } = flow.product('woocommerce', 'Mug');
      const edited = { price: price(1_700), barcode: '4006381333931' };
      if (order === 'told first' || order === 'read beside other edits') edit(flow, 'shopify', edited);
      else untold(flow, 'shopify', () => edit(flow, 'shopify', edited));
      if (order === 'read beside other edits')
        flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'tags', ['new']);
      await flow.rest();
      const fields = variant({ sku: 'MUG-M', optionValues: ['M'], price: price(1_900), barcode: '' });
      const addAgain = () =>
        flow.shop('woocommerce').outside.addVariant(id, { fields, stock: { tracked: true, quantity: 10 } });
      if (order === 'read later' || order === 'told first') addAgain();
      else untold(flow, 'woocommerce', addAgain);
      await flow.lookAt('Mug');
      await flow.scan();
      assert.deepEqual(shown(flow, 'price'), [price(1_900), price(1_900)], conflictResolution);
      assert.deepEqual(shown(flow, 'barcode'), ['4006381333931', '4006381333931'], 'a blank is no word');
      assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
    }
  });

for (const conflictResolution of ['newest', 'shopify', 'manual'] as const)
  test(`[V5] ... its values of options as well (${conflictResolution})`, async () => {
    const flow = await linked({ conflictResolution });
    const item = medium(flow, 'shopify').stockId;
    flow.shop('woocommerce').outside.deleteVariant(medium(flow, 'woocommerce').stockId);
    await flow.rest();
    flow.shop('shopify').outside.editVariant(item, 'optionValues', ['Mid']);
    await flow.rest();
    const fields = variant({ sku: 'MUG-M', optionValues: ['Medium'] });
    const { id } = flow.product('woocommerce', 'Mug');
    flow.shop('woocommerce').outside.addVariant(id, { fields, stock: { tracked: true, quantity: 10 } });
    await flow.rest();
    await flow.scan();
    for (const side of SIDES)
      assert.deepEqual(
        flow.product(side, 'Mug').variants.map(({ fields: { optionValues } }) => optionValues),
        [['S'], ['Medium']],
        side,
      );
    assert.equal(flow.item('shopify', 'MUG-M'), item);
    assert.deepEqual([flow.problems(), flow.conflicts()], [[], []]);
  });
