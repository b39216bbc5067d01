// What was left in one shop of a removed variant, and a new one of the other shop that bears its SKU or GTIN: one record, and no second one is made of it [V4, V5].
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFault } from '../../connectors/memory/fault-plan.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import { variant } from '../support/products.ts';
import { EngineFlow, type FlowVariant } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const GTIN = '4006381333931';
const SIZES: readonly FlowVariant[] = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));

/** A mug whose size M was removed on one side, and is left on the other. */
async function left(side: Side, settings: Partial<PairSettings> = {}, sizes = SIZES): Promise<EngineFlow> {
  const flow = new EngineFlow({ deletePolicy: 'keep', ...settings });
  flow.stock(SIDES, { optionNames: ['Size'] }, sizes);
  await flow.link();
  flow.shop(side).outside.deleteVariant(flow.item(side, 'MUG-M'));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  return flow;
}

function add(flow: EngineFlow, side: Side, change: Partial<VariantFields>, quantity = 7): void {
  const input = { fields: variant(change), stock: { tracked: true, quantity } };
  flow.shop(side).outside.addVariant(flow.product(side, 'Mug').id, input);
}

const skus = (flow: EngineFlow, side: Side) =>
  flow.product(side, 'Mug').variants.map(({ fields }) => [fields.sku, fields.optionValues[0]]);

/** Both shops have the two variants, and no third; each sale of the second crosses once. */
async function isOne(flow: EngineFlow, sku: string, stands: number): Promise<void> {
  await flow.rest(60);
  await flow.scan();
  for (const side of SIDES) assert.equal(flow.product(side, 'Mug').variants.length, 2, `${side}: ${skus(flow, side)}`);
  assert.deepEqual([flow.problems(), flow.quantities(sku)], [[], [stands, stands]]);
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, sku), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities(sku), [stands - 2, stands - 2]);
}

for (const side of SIDES)
  for (const [name, value] of [
    ['sku', 'MUG-L'],
    ['barcode', GTIN],
  ] as const)
    for (const isTold of [true, false])
      test(`[V5, S7] a new variant in ${side} bears the ${name} that what was left in the other shop was given before (${isTold ? 'seen' : 'not seen yet'}): it is that one`, async () => {
        const flow = await left(side);
        const other = otherSide(side);
        const item = flow.item(other, 'MUG-M');
        if (isTold) {
          flow.shop(other).outside.editVariant(item, name, value);
          await flow.rest();
        } else untold(flow, other, (outside) => outside.editVariant(item, name, value));
        add(flow, side, { sku: 'MUG-L', optionValues: ['L'], barcode: name === 'barcode' ? value : '' });
        // As at a first link, where WooCommerce's fields win.
        const sku = name === 'barcode' && side === 'shopify' ? 'MUG-M' : 'MUG-L';
        await isOne(flow, sku, 7);
        assert.equal(flow.item(other, sku), item, 'nothing was made anew');
        assert.equal(flow.changes('deleted').at(-1)?.cause, 'joined');
      });

test('[V5] ... also where it is the last thing that the pass would write, and in a one-way pair', async () => {
  const flow = await left('woocommerce', { syncDirection: 'woocommerce_to_shopify' });
  flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG-M'), 'sku', 'MUG-L');
  await flow.rest();
  add(flow, 'woocommerce', { sku: 'MUG-L', optionValues: ['L'] });
  await isOne(flow, 'MUG-L', 7);
  assert.deepEqual(skus(flow, 'shopify'), [
    ['MUG-S', 'S'],
    ['MUG-L', 'L'],
  ]);
});

test('[V5] a variant that is missing in the other shop is given the SKU of what was left there, and could be made at once', async () => {
  const flow = await left('woocommerce');
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no new variants') }));
  add(flow, 'woocommerce', { sku: 'MUG-L', optionValues: ['L'] });
  await flow.rest();
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED', 'WRITE_REJECTED']);
  delete flow.hands.shopify.writeProducts;
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG-L'), 'sku', 'MUG-M');
  await isOne(flow, 'MUG-M', 7);
});

test('[V5] one pass sees a variant gone, another one in its place, and its other half under the SKU of that', async () => {
  const flow = new EngineFlow({ deletePolicy: 'keep' });
  flow.stock(SIDES, { optionNames: ['Size'] }, SIZES);
  await flow.link();
  untold(flow, 'shopify', (outside) => outside.editVariant(flow.item('shopify', 'MUG-M'), 'sku', 'MUG-L'));
  untold(flow, 'woocommerce', (outside) => outside.deleteVariant(flow.item('woocommerce', 'MUG-M')));
  untold(flow, 'woocommerce', () => add(flow, 'woocommerce', { sku: 'MUG-L', optionValues: ['L'] }));
  await flow.lookAt('Mug');
  await isOne(flow, 'MUG-L', 7);
});

test('[V5] ... also where another one of the other shop has yet to let go of that SKU', async () => {
  const flow = await left('woocommerce');
  const [small, medium] = ['MUG-S', 'MUG-M'].map((sku) => flow.item('shopify', sku)) as [string, string];
  untold(flow, 'shopify', (outside) => outside.editVariant(medium, 'sku', 'MUG-S'));
  untold(flow, 'woocommerce', (outside) => outside.editVariant(flow.item('woocommerce', 'MUG-S'), 'sku', 'MUG-XS'));
  untold(flow, 'woocommerce', () => add(flow, 'woocommerce', { sku: 'MUG-S', optionValues: ['L'] }));
  await flow.lookAt('Mug');
  await isOne(flow, 'MUG-S', 7);
  assert.deepEqual([flow.item('shopify', 'MUG-XS'), flow.item('shopify', 'MUG-S')], [small, medium]);
});

test('[V5, M3] what another one that was left used to bear makes nobody doubt which one is added again', async () => {
  // L was removed first, and was left under the SKU that M has got since; then a person gave it one of its own.
  const flow = await left('woocommerce', {}, [...SIZES, { sku: 'MUG-L', optionValues: ['L'] }]);
  const { outside } = flow.shop('shopify');
  outside.editVariant(flow.item('shopify', 'MUG-M'), 'sku', 'OLD');
  await flow.rest();
  for (const side of SIDES) {
    untold(flow, side, (hands) => hands.editVariant(flow.item(side, 'MUG-L'), 'sku', 'MUG-M'));
  }
  await flow.lookAt('Mug');
  const item = flow.item('shopify', 'MUG-M');
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.rest();
  add(flow, 'woocommerce', { sku: 'MUG-M', optionValues: ['XL'] });
  await flow.rest(60);
  await flow.scan();
  assert.deepEqual(
    flow.product('shopify', 'Mug').variants.map(({ fields }) => fields.sku),
    ['MUG-S', 'OLD', 'MUG-M'],
  );
  assert.equal(flow.item('shopify', 'MUG-M'), item);
  assert.deepEqual(flow.quantities('MUG-M'), [7, 7]);
});

for (const side of SIDES)
  test(`[V5] what was left is deleted and added again in its shop, and added again in ${side} as well, before anybody looks: one variant`, async () => {
    const flow = await left(side);
    const other = otherSide(side);
    untold(flow, other, (outside) => outside.deleteVariant(flow.item(other, 'MUG-M')));
    untold(flow, other, () => add(flow, other, { sku: 'MUG-M', optionValues: ['M'] }));
    untold(flow, side, () => add(flow, side, { sku: 'MUG-M', optionValues: ['M'] }));
    await flow.lookAt('Mug');
    await isOne(flow, 'MUG-M', 7);
  });

for (const isNew of [true, false])
  test(`[V5, S4] what was left is ${isNew ? 'a new' : 'another'} one's while a stock write to it has no answer: that it lands afterwards is nobody's change`, async () => {
    const flow = new EngineFlow({ deletePolicy: 'keep' });
    flow.stock(SIDES, { optionNames: ['Size'] }, SIZES);
    await flow.link();
    const shops = { woocommerce: flow.shop('woocommerce'), shopify: flow.shop('shopify') };
    if (!isNew) {
      flow.hands.woocommerce.writeProducts = async (writes) =>
        writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no new variations') }));
      add(flow, 'shopify', { sku: 'MUG-L', optionValues: ['L'] }, 4);
      await flow.rest();
    }
    const isLost = faultOnce(shops.woocommerce, 'write_stock', { type: 'late_landing', lateMs: 25_000 });
    const medium = flow.item('woocommerce', 'MUG-M');
    shops.shopify.outside.sell(flow.item('shopify', 'MUG-M'), 3);
    for (let i = 0; !isLost(); i += 1) {
      assert.ok(i < 600);
      await flow.world.clock.runFor(100);
    }
    untold(flow, 'shopify', (outside) => outside.deleteVariant(flow.item('shopify', 'MUG-M')));
    if (isNew) untold(flow, 'shopify', () => add(flow, 'shopify', { sku: 'MUG-L', optionValues: ['L'] }, 4));
    untold(flow, 'woocommerce', (outside) => outside.editVariant(medium, 'sku', 'MUG-L'));
    await flow.world.clock.runFor(31_000);
    await flow.lookAt('Mug', 5);
    delete flow.hands.woocommerce.writeProducts;
    await isOne(flow, 'MUG-L', 4);
    assert.equal(flow.item('woocommerce', 'MUG-L'), medium);
  });

for (const isFollower of [true, false])
  test(`[V5, S4] what was left is read ${isFollower ? 'for another edit ' : ''}before a stock write to it lands, and that is answered before the pass ends: it is nobody's change`, async () => {
    const flow = new EngineFlow({ deletePolicy: 'keep' });
    flow.stock(SIDES, { optionNames: ['Size'] }, SIZES);
    await flow.link();
    const { woocommerce, shopify } = { woocommerce: flow.shop('woocommerce'), shopify: flow.shop('shopify') };
    flow.hands.shopify.writeProducts = async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no new variants') }));
    add(flow, 'woocommerce', { sku: 'MUG-L', optionValues: ['L'] }, 4);
    await flow.rest();
    const medium = flow.item('shopify', 'MUG-M');
    const calm = shopify.faults;
    let isOpen = false;
    let isSent = false;
    const request: typeof calm.request = (facts) => {
      const { operation } = facts;
      if (operation === 'read_products' && isSent)
        return { ...calm.request(facts), latencyMs: 5_000, handledAfterMs: 5, isSlow: true };
      if (operation !== 'write_stock' || isSent) return calm.request(facts);
      if (!isOpen) return { ...calm.request(facts), fault: { type: 'rate_limited', retryAfterMs: 30_000 } };
      isSent = true;
      queueMicrotask(() => {
        const give = (outside: typeof shopify.outside) => outside.editVariant(medium, 'sku', 'MUG-L');
        if (isFollower) {
          untold(flow, 'shopify', give);
          woocommerce.outside.editVariant(flow.item('woocommerce', 'MUG-S'), 'weightMg', 1_000);
        } else give(shopify.outside);
      });
      return { ...calm.request(facts), latencyMs: 4_100, handledAfterMs: 4_000, isSlow: true };
    };
    shopify.faults = { ...calm, request };
    woocommerce.outside.sell(flow.item('woocommerce', 'MUG-M'), 3);
    await flow.world.clock.runFor(3_000);
    woocommerce.outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
    await flow.world.clock.runFor(20_000);
    isOpen = true;
    await flow.world.clock.runFor(40_000);
    assert.ok(isSent);
    shopify.faults = calm;
    delete flow.hands.shopify.writeProducts;
    await isOne(flow, 'MUG-L', 4);
    assert.equal(flow.item('shopify', 'MUG-L'), medium);
  });

for (const side of SIDES)
  test(`[V5, W8] a stock write to what was left in ${side} has no answer for hours: whose it is by now is asked ever more seldom`, async () => {
    const other = otherSide(side);
    const flow = new EngineFlow({ deletePolicy: 'keep' });
    flow.stock(SIDES, { optionNames: ['Size'] }, SIZES);
    await flow.link();
    const shop = flow.shop(side);
    const calm = shop.faults;
    let reads = 0;
    const request: typeof calm.request = (facts) => {
      if (facts.operation === 'read_products') reads += 1;
      const fault = facts.operation === 'write_stock' ? { type: 'server_error', when: 'before' } : null;
      return { ...calm.request(facts), ...(fault && { fault: fault as RequestFault }) };
    };
    shop.faults = { ...calm, request };
    flow.shop(other).outside.sell(flow.item(other, 'MUG-M'), 3);
    await flow.world.clock.runFor(3_000);
    untold(flow, other, (outside) => outside.deleteVariant(flow.item(other, 'MUG-M')));
    untold(flow, other, () => add(flow, other, { sku: 'MUG-L', optionValues: ['L'] }, 4));
    untold(flow, side, (outside) => outside.editVariant(flow.item(side, 'MUG-M'), 'sku', 'MUG-L'));
    await flow.lookAt('Mug', 60);
    reads = 0;
    await flow.rest(60);
    assert.ok(reads <= 60, `${reads} readings in an hour`);
    shop.faults = calm;
    await flow.rest(15);
    await isOne(flow, 'MUG-L', 4);
  });

test('[V2] a variant of the source is given the SKU of the target’s own while it is still to be made there: it is that one, and no second is made', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { optionNames: ['Size'] }, SIZES.slice(0, 1));
  await flow.link();
  const shop = flow.shop('shopify');
  add(flow, 'shopify', { sku: 'MUG-X', optionValues: ['X'] });
  await flow.rest();
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      const isMade = facts.operation === 'write_variants' || facts.operation === 'update_product';
      return { ...calm.request(facts), fault: isMade ? { type: 'rate_limited', retryAfterMs: 60_000 } : null };
    },
  };
  add(flow, 'woocommerce', { sku: '', optionValues: ['L'] });
  await flow.world.clock.runFor(30_000);
  const [, added] = flow.product('woocommerce', 'Mug').variants;
  assert.ok(added !== undefined);
  shop.faults = calm;
  flow.shop('woocommerce').outside.editVariant(added.stockId, 'sku', 'MUG-X');
  await flow.rest();
  assert.deepEqual(skus(flow, 'shopify'), [
    ['MUG-S', 'S'],
    ['MUG-X', 'L'],
  ]);
});
