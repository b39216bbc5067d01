// Variants that are added again while what their removal caused is still under way [V4, V5].
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const MEDIUM = variant({ sku: 'MUG-M', optionValues: ['M'] });

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'] },
    { sku: 'MUG-M', optionValues: ['M'] },
  ]);
  return flow.link();
}

async function isOneAgain(flow: EngineFlow): Promise<void> {
  await flow.rest(30);
  await flow.scan();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG-M')], [[], 4, 4]);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-M'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-M'), [3, 3]);
  assert.deepEqual(
    flow.rows("SELECT 1 FROM change WHERE field = 'deleted' AND origin = 'woocommerce'"),
    [],
    'nobody removed it in WooCommerce',
  );
}

test('[V5] a variant that is added again while its counterpart is being put away is shown there again', async () => {
  const flow = await linked();
  const shopify = flow.shop('shopify');
  const { clock } = flow.world;
  flow.hands.woocommerce.writeProducts = async (...request) => {
    const answer = await flow.connector('woocommerce').writeProducts(...request);
    await clock.sleep(5_000);
    return answer;
  };
  // The write that leaves for this side in the same pass shows it there again.
  flow.hands.shopify.writeProducts = (...request) => {
    delete flow.hands.shopify.writeProducts;
    shopify.outside.addVariant(flow.product('shopify', 'Mug').id, {
      fields: MEDIUM,
      stock: { tracked: true, quantity: 4 },
    });
    return flow.connector('shopify').writeProducts(...request);
  };
  const small = flow.product('woocommerce', 'Mug').variants.find(({ fields }) => fields.sku === 'MUG-S');
  assert.ok(small);
  untold(flow, 'woocommerce', (outside) =>
    outside.editVariant(small.stockId, 'price', { regularMinor: 1500, saleMinor: null }),
  );
  shopify.outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  assert.equal(flow.hands.shopify.writeProducts, undefined, 'both were written in one pass');
  delete flow.hands.woocommerce.writeProducts;
  await isOneAgain(flow);
});

for (const [lost, syncDirection] of [
  ['before', 'bidirectional'],
  ['after', 'bidirectional'],
  ['after', 'shopify_to_woocommerce'],
] as const)
  test(`[V5, W4] ... and while nobody knows whether it was put away (${syncDirection}, its answer was lost ${lost} it was)`, async () => {
    const flow = await linked({ syncDirection });
    const isLost = faultOnce(flow.shop('woocommerce'), 'write_variants', { type: 'timeout', when: lost });
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
    for (let i = 0; !isLost(); i += 1) {
      assert.ok(i < 600);
      await flow.world.clock.runFor(100);
    }
    untold(flow, 'shopify', (outside) =>
      outside.addVariant(flow.product('shopify', 'Mug').id, { fields: MEDIUM, stock: { tracked: true, quantity: 4 } }),
    );
    await flow.lookAt('Mug');
    await isOneAgain(flow);
  });

for (const side of SIDES)
  for (const settings of [{}, { deletePolicy: 'keep' }, { stockBuffer: 2 }] as const)
    test(`[V4, S2] what ${side} sold of a variant, and nobody could write yet, before it was removed there, is sold (${JSON.stringify(settings)})`, async () => {
      const flow = await linked(settings);
      const other = otherSide(side);
      const shown = flow.quantity(other, 'MUG-M');
      const left = flow.item(other, 'MUG-M');
      const quantity = () => flow.shop(other).shelf.items.get(left)?.variant.quantity;
      flow.hands[other].writeStock = async (writes) =>
        writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unavailable', 'away') }));
      flow.hands[other].writeProducts = async (writes) =>
        writes.map(() => ({ ok: false, error: new ConnectorError('unavailable', 'away') }));
      const { outside } = flow.shop(side);
      outside.sell(flow.item(side, 'MUG-M'), 3);
      await flow.rest(1);
      outside.deleteVariant(flow.item(side, 'MUG-M'));
      await flow.rest(2);
      flow.shop(other).outside.sell(left, 1);
      await flow.rest(2);
      delete flow.hands[other].writeStock;
      await flow.rest(30);
      assert.equal(quantity(), shown - 4);
      delete flow.hands[other].writeProducts;
      await flow.rest(30);
      // From then on the two have nothing to do with each other.
      flow.shop(other).outside.recount(left, 50);
      await flow.rest();
      await flow.scan();
      assert.equal(quantity(), 50);
    });

test('[V4, S6] ... and nothing is written of one whose stock waited for a person', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  const { outside } = flow.shop('shopify');
  outside.setTracked(flow.item('shopify', 'MUG-M'), false);
  await flow.rest();
  const left = flow.item('woocommerce', 'MUG-M');
  flow.shop('woocommerce').outside.recount(left, 30);
  await flow.rest();
  outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  await flow.scan();
  assert.equal(flow.quantity('woocommerce', 'MUG-M'), 30);
});

/** M was removed in WooCommerce and is left in Shopify, which refuses the new L. */
async function refused(): Promise<EngineFlow> {
  const flow = await linked();
  const { outside } = flow.shop('woocommerce');
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no new variants') }));
  const fields = variant({ sku: 'MUG-L', barcode: '4006381333931', optionValues: ['L'] });
  outside.addVariant(flow.product('woocommerce', 'Mug').id, { fields, stock: { tracked: true, quantity: 7 } });
  outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED', 'WRITE_REJECTED']);
  return flow;
}

for (const [name, value] of [
  ['sku', 'MUG-L'],
  ['barcode', '4006381333931'],
] as const)
  test(`[V5, S7, M3] what was left in Shopify is given the ${name} of a variant that is missing there: it is that one from then on`, async () => {
    const flow = await refused();
    const left = flow.item('shopify', 'MUG-M');
    const { outside } = flow.shop('shopify');
    outside.editVariant(left, name, value);
    await flow.rest(60);
    delete flow.hands.shopify.writeProducts;
    await flow.scan();
    assert.deepEqual(flow.problems(), []);
    assert.equal(flow.product('shopify', 'Mug').variants.length, 2);
    const [bound] = flow.rows<{ sku: string }>(
      "SELECT variant.sku FROM variant_binding JOIN variant ON variant.id = variant_id WHERE side = 'shopify' AND stock_id = ?",
      left,
    );
    assert.equal(bound?.sku, 'MUG-L');
    assert.equal(flow.quantity('shopify', 'MUG-L'), 7, 'the smaller of the two');
    outside.sell(left, 2);
    await flow.rest();
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-L'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-L'), [4, 4]);
    assert.equal(flow.changes('deleted').at(-1)?.cause, 'joined');
  });

test('[V5] ... and so it is where the missing one is given the SKU of what was left', async () => {
  const flow = await refused();
  const { outside } = flow.shop('woocommerce');
  outside.editVariant(flow.item('woocommerce', 'MUG-L'), 'sku', 'MUG-M');
  await flow.rest(60);
  delete flow.hands.shopify.writeProducts;
  await flow.scan();
  assert.deepEqual([flow.problems(), flow.quantities('MUG-M')], [[], [7, 7]]);
  assert.equal(flow.product('shopify', 'Mug').variants.length, 2);
});

test('[V5, M3] ... not where another one there bears that as well', async () => {
  const flow = await refused();
  const items = ['MUG-S', 'MUG-M'].map((sku) => flow.item('shopify', sku));
  for (const item of items) flow.shop('shopify').outside.editVariant(item, 'sku', 'MUG-L');
  await flow.rest(60);
  assert.ok(flow.problems().includes('VARIANT_REMOVED'));
});

/** M was removed from both shops, and nothing is left of it. `add` adds it in `side` anew. */
async function removedFromBoth(side: Side, settings: Partial<PairSettings>) {
  const flow = await linked(settings);
  const { outside } = flow.shop(side);
  for (const each of SIDES) flow.shop(each).outside.deleteVariant(flow.item(each, 'MUG-M'));
  await flow.rest();
  const add = (quantity: number) =>
    outside.addVariant(flow.product(side, 'Mug').id, { fields: MEDIUM, stock: { tracked: true, quantity } });
  return { flow, outside, add };
}

for (const side of SIDES)
  for (const stockLinkRule of ['sum', otherSide(side)] as const)
    test(`[V5, S7] ... also where one of that key was removed from both shops long before: its stock is not linked as a stranger's (${side}, ${stockLinkRule})`, async () => {
      const { flow, outside, add } = await removedFromBoth(side, { stockLinkRule });
      add(10);
      await flow.rest();
      assert.deepEqual(flow.quantities('MUG-M'), [10, 10], 'a new one');
      outside.deleteVariant(flow.item(side, 'MUG-M'));
      add(7);
      await flow.lookAt('Mug');
      await flow.rest();
      assert.deepEqual(
        [flow.problems(), flow.quantities('MUG-M'), flow.changes('deleted').at(-1)?.cause],
        [[], [7, 7], 'restore'],
      );
    });

for (const side of SIDES)
  for (const stockLinkRule of ['sum', otherSide(side)] as const)
    test(`[V5, S7, W4] ... nor while nobody knows whether the new one was made on the other side (${side}, ${stockLinkRule})`, async () => {
      const { flow, outside, add } = await removedFromBoth(side, { stockLinkRule });
      const isLost = faultOnce(flow.shop(otherSide(side)), 'write_variants', { type: 'timeout', when: 'after' });
      add(10);
      for (let i = 0; !isLost(); i += 1) {
        assert.ok(i < 600);
        await flow.world.clock.runFor(100);
      }
      outside.deleteVariant(flow.item(side, 'MUG-M'));
      add(7);
      await flow.lookAt('Mug');
      await flow.rest();
      await flow.scan();
      assert.deepEqual(
        [flow.problems(), flow.quantities('MUG-M'), flow.changes('deleted').at(-1)?.cause],
        [[], [7, 7], 'restore'],
      );
    });
