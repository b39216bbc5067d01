import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWorkspaceRecord } from '../../db/readers/list-records.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { untold } from './untold.ts';

const SIZES = [
  { sku: 'MUG-S', optionValues: ['S'] },
  { sku: 'MUG-M', optionValues: ['M'] },
];

async function linked(settings: ConstructorParameters<typeof EngineFlow>[0] = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { optionNames: ['Size'] }, SIZES);
  return flow.link();
}

test('[V3] a new variant joins the hub and is created on the other side with its stock', async () => {
  for (const side of SIDES) {
    const flow = await linked();
    const other = side === 'woocommerce' ? 'shopify' : 'woocommerce';
    const fields = variant({ sku: 'MUG-L', optionValues: ['L'] });
    flow.shop(side).outside.addVariant(flow.product(side, 'Mug').id, { fields, stock: { tracked: true, quantity: 7 } });
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-L'), [7, 7], `made on ${side}`);
    flow.shop(other).outside.sell(flow.item(other, 'MUG-L'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-L'), [5, 5]);
  }
});

test('[V3] a new variant of a target does not join the hub, and nothing is made of it', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
  flow.shop('shopify').outside.addVariant(flow.product('shopify', 'Mug').id, {
    fields: variant({ sku: 'MUG-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 7 },
  });
  await flow.rest();
  assert.equal(flow.product('woocommerce', 'Mug').variants.length, 2);
  assert.equal(flow.product('shopify', 'Mug').variants.length, 3);
});

for (const stockCap of [null, 3])
  test(`[V3, S7] a variant joins one that has sold meanwhile, and nobody told: the sale is counted once (most to show: ${stockCap})`, async () => {
    const flow = await linked({ stockCap });
    flow.hands.woocommerce.writeProducts = (writes) =>
      Promise.resolve(writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no new variations') })));
    const fields = variant({ sku: 'MUG-L', optionValues: ['L'] });
    flow.shop('shopify').outside.addVariant(flow.product('shopify', 'Mug').id, {
      fields,
      stock: { tracked: true, quantity: 10 },
    });
    await flow.rest();
    delete flow.hands.woocommerce.writeProducts;
    const shop = flow.shop('shopify');
    const calm = shop.faults;
    shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.sell(flow.item('shopify', 'MUG-L'), 2);
    shop.faults = calm;
    // Who adds it by hand counts what is on the shelf by now.
    flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, {
      fields,
      stock: { tracked: true, quantity: 8 },
    });
    await flow.rest();
    const shown = Math.min(8, stockCap ?? 8);
    assert.deepEqual(flow.quantities('MUG-L'), [shown, shown]);
    assert.equal(flow.rows<{ quantity: number }>("SELECT quantity FROM variant WHERE sku = 'MUG-L'")[0]?.quantity, 8);
    assert.deepEqual(flow.problems(), []);
  });

test('[V4] a variant that is gone is put away on the other side where that is possible without deleting', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  const kept = flow.product('woocommerce', 'Mug').variants;
  assert.deepEqual(
    kept.map((own) => [own.fields.sku, own.isArchived]),
    [
      ['MUG-S', false],
      ['MUG-M', true],
    ],
  );
  assert.equal(flow.ours('woocommerce', 'delete_variant'), 0, 'nothing is deleted');
});

test('[V4] ... also when the request that puts it away fails, and when the process dies before it', async () => {
  for (const fate of ['refused', 'killed'] as const) {
    const flow = await linked();
    const calm = flow.shop('woocommerce').faults;
    if (fate === 'refused') {
      flow.shop('woocommerce').faults = {
        ...calm,
        request: (facts) => ({
          ...calm.request(facts),
          fault: facts.operation === 'write_variants' ? { type: 'server_error', when: 'before' } : null,
        }),
      };
      flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
      await flow.rest(5);
      flow.shop('woocommerce').faults = calm;
    } else {
      flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
      for (
        let ms = 0;
        ms < 2_000 && flow.rows("SELECT 1 FROM variant WHERE stock_state = 'removed'").length === 0;
        ms += 1
      )
        await flow.world.clock.runFor(1);
      flow.world.process?.kill();
      flow.world.boot();
    }
    await flow.rest(120);
    const [, medium] = flow.product('woocommerce', 'Mug').variants;
    assert.equal(medium?.isArchived, true, fate);
  }
});

test('[V4] where it cannot be put away it is left there, and a person is told', async () => {
  const flow = await linked();
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.poll();
  await flow.scan();
  assert.equal(flow.product('shopify', 'Mug').variants.length, 2);
  assert.match(flow.words('VARIANT_REMOVED').message, /^"M" \(MUG-M\) of "Mug" was removed on WooCommerce/);
  await flow.scan();
  assert.equal(flow.product('woocommerce', 'Mug').variants.length, 1, 'and it does not come back by itself');
});

const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });

test('[V4] the pass that sees a variant gone writes nothing to its counterpart, whatever that was owed before', async () => {
  const flow = await linked();
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'not now') }));
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG-M'), 'price', price(2_000));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  delete flow.hands.shopify.writeProducts;
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'tags', ['new']);
  await flow.rest();
  const { fields, variants } = flow.product('shopify', 'Mug');
  assert.deepEqual(fields.tags, ['new']);
  assert.deepEqual(variants[1]?.fields.price, price(1_000), 'left alone');
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED'], 'and nothing is owed any more');
});

test('[V4] a plan promises nothing of what was owed to the counterpart of a variant that is gone', async () => {
  const flow = await linked({ syncSchedule: 'manual' });
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'not now') }));
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG-M'), 'price', price(2_000));
  await flow.scan();
  delete flow.hands.shopify.writeProducts;
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  const items = await flow.plan();
  assert.deepEqual(items.at(-1)?.data.fields ?? [], []);
});

test('[W6] a variant is removed while the write of its price has no answer: the history has the price that was there', async () => {
  const flow = await linked();
  let isLost = true;
  flow.hands.shopify.writeProducts = async (writes, signal, cut) => {
    const outcomes = await flow.connector('shopify').writeProducts(writes, signal, cut);
    const answer = isLost ? outcomes.map(() => ({ ok: false as const, error: lost() })) : outcomes;
    isLost = false;
    return answer;
  };
  const lost = () => new ConnectorError('unknown_outcome', 'no answer');
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG-M'), 'price', price(2_000));
  await flow.world.clock.runFor(5_000);
  assert.equal(isLost, false);
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.rest(60);
  const told = flow.changes('price').filter(({ target }) => target === 'shopify');
  assert.deepEqual(
    told.map(({ from, to }) => [from, to]),
    [[price(1_000), price(2_000)]],
  );
});

test('[V4] a variant that was removed before its counterpart was made is not made any more', async () => {
  const flow = await linked();
  const calm = flow.shop('shopify').faults;
  flow.shop('shopify').faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      fault: facts.isWrite ? { type: 'server_error', when: 'before' } : null,
    }),
  };
  flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, {
    fields: variant({ sku: 'MUG-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 7 },
  });
  await flow.rest(2);
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-L'));
  flow.shop('shopify').faults = calm;
  await flow.scan();
  assert.deepEqual(
    flow.product('shopify', 'Mug').variants.map((own) => own.fields.sku),
    ['MUG-S', 'MUG-M'],
  );
});

test('[V4, R12] a variant that a target deleted is not written any more: a person is told, and nothing runs in circles', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  assert.match(flow.words('DELETED_ON_TARGET').message, /only receives/);
  flow
    .shop('woocommerce')
    .outside.editVariant(flow.item('woocommerce', 'MUG-M'), 'price', { regularMinor: 1500, saleMinor: null });
  flow
    .shop('woocommerce')
    .outside.editVariant(flow.item('woocommerce', 'MUG-S'), 'price', { regularMinor: 1400, saleMinor: null });
  const before = flow.shop('shopify').requestCounts.write;
  await flow.rest(60);
  assert.ok(flow.shop('shopify').requestCounts.write - before <= 2, 'a handful of writes, not one a second');
  assert.equal(
    flow.product('shopify', 'Mug').variants[0]?.fields.price.regularMinor,
    1400,
    'its siblings are kept the same',
  );
});

test('[V5, S7] inventory is switched off before the stock of a variant that was added again is linked: it is linked once it is on', async () => {
  const flow = await linked();
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.rest();
  flow.hands.shopify.readStock = () => {
    delete flow.hands.shopify.readStock;
    flow.change({ syncInventory: false });
    throw new ConnectorError('unavailable', 'no');
  };
  flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, {
    fields: variant({ sku: 'MUG-M', optionValues: ['M'] }),
    stock: { tracked: true, quantity: 4 },
  });
  await flow.rest();
  flow.change({ syncInventory: true });
  await flow.scan();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-M'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-M'), [3, 3]);
  assert.deepEqual(flow.problems(), []);
});

test('[V5] a variant that is added again where it was removed is bound to the one that was left, with its stock', async () => {
  for (const quantity of [4, 0]) {
    const flow = await linked();
    flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
    await flow.rest();
    assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-M'), 1);
    flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, {
      fields: variant({ sku: 'MUG-M', optionValues: ['M'], price: { regularMinor: 1700, saleMinor: null } }),
      stock: { tracked: true, quantity },
    });
    await flow.rest();
    await flow.scan();
    for (const side of SIDES)
      assert.deepEqual(
        flow.product(side, 'Mug').variants.map((own) => own.fields.sku),
        ['MUG-S', 'MUG-M'],
        side,
      );
    assert.equal(flow.product('shopify', 'Mug').variants[1]?.fields.price.regularMinor, 1700);
    if (quantity === 0) {
      assert.deepEqual(flow.problems(), ['STOCK_ZERO_CONSENT']);
      continue;
    }
    assert.deepEqual(flow.quantities('MUG-M'), [4, 4], 'the smaller');
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-M'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-M'), [3, 3]);
    assert.deepEqual(flow.problems(), []);
  }
});

/** Deletes the variants and adds them again, as an import does, while nobody is told; then one pass looks at that side. */
async function replace(
  flow: EngineFlow,
  side: Side,
  skus: readonly string[],
  { quantity, ...change }: Partial<VariantFields> & { readonly quantity?: number } = {},
) {
  const shop = flow.shop(side);
  const calm = shop.faults;
  const { id } = flow.product(side, 'Mug');
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  // The last variant of a product can't go: something else stands in its place meanwhile.
  shop.outside.addVariant(id, {
    fields: variant({ sku: 'STAND-IN', optionValues: ['?'] }),
    stock: { tracked: true, quantity: 0 },
  });
  const old = skus.map((sku) =>
    present(
      flow.product(side, 'Mug').variants.find((own) => own.fields.sku === sku),
      sku,
    ),
  );
  for (const sku of skus) shop.outside.deleteVariant(flow.item(side, sku));
  for (const own of old)
    shop.outside.addVariant(id, {
      fields: { ...own.fields, ...change },
      stock: { tracked: true, quantity: quantity ?? own.quantity },
    });
  shop.outside.deleteVariant(flow.item(side, 'STAND-IN'));
  shop.faults = calm;
}

const shownOn = (flow: EngineFlow, side: Side) =>
  flow
    .product(side, 'Mug')
    .variants.filter(({ isArchived }) => !isArchived)
    .map(({ fields, quantity }) => [fields.sku, fields.price.regularMinor, fields.barcode, quantity]);

for (const side of SIDES) {
  const other = otherSide(side);

  test(`[V5] all variants are deleted and added again on ${side} before anybody looks: they are the same ones`, async () => {
    const flow = await linked();
    flow.shop(other).outside.editVariant(flow.item(other, 'MUG-M'), 'barcode', '4006381333931');
    await flow.rest();
    const ids = flow.product(other, 'Mug').variants.map(({ id }) => id);
    await replace(flow, side, ['MUG-S', 'MUG-M'], { price: { regularMinor: 1700, saleMinor: null }, barcode: '' });
    await flow.lookAt('Mug');
    assert.deepEqual(
      flow.product(other, 'Mug').variants.map(({ id }) => id),
      ids,
      'nothing was made anew',
    );
    for (const each of SIDES)
      assert.deepEqual(
        shownOn(flow, each),
        [
          ['MUG-S', 1700, '', 10],
          ['MUG-M', 1700, '4006381333931', 10],
        ],
        'the values of who added them, and no blank',
      );
    for (const each of SIDES) flow.shop(each).outside.sell(flow.item(each, 'MUG-M'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-M'), [8, 8], 'their stock is kept the same');
    assert.deepEqual(flow.problems(), []);
    assert.deepEqual(
      flow.changes('deleted').map(({ from, to, cause }) => [from, to, cause]),
      ['MUG-S', 'MUG-M'].flatMap(() => [[false, true, 'gone']]).concat(ids.map(() => [true, false, 'restore'])),
    );
  });

  test(`[V5, L4] ... also where ${side} is the target of a one-way pair: its source's values stay`, async () => {
    const flow = await linked({
      syncDirection: side === 'shopify' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce',
    });
    await replace(flow, side, ['MUG-M'], { price: { regularMinor: 1700, saleMinor: null } });
    await flow.lookAt('Mug');
    flow.shop(other).outside.editVariant(flow.item(other, 'MUG-M'), 'price', { regularMinor: 1200, saleMinor: null });
    await flow.rest();
    flow.shop(side).outside.sell(flow.item(side, 'MUG-M'), 1);
    await flow.rest();
    for (const each of SIDES) assert.deepEqual(shownOn(flow, each)[1], ['MUG-M', 1200, '', 9]);
    assert.deepEqual(flow.problems(), []);
  });

  test(`[V5] a plan made of variants that were replaced on ${side} promises nothing that is not done`, async () => {
    const flow = await linked();
    await replace(flow, side, ['MUG-M'], { price: { regularMinor: 1700, saleMinor: null }, quantity: 7 });
    const row = (await flow.plan()).at(-1);
    assert.deepEqual(
      row?.data.fields.map((field) => [field.side, field.to]),
      [[other, { regularMinor: 1700, saleMinor: null }]],
    );
    assert.deepEqual(
      row?.data.stock.map(({ label, result, rule }) => [label, result, rule]),
      [
        ['S', 10, "both sides' changes add up"],
        ['M', 7, 'first link: smaller'],
      ],
    );
    await flow.apply();
    for (const each of SIDES) assert.deepEqual(shownOn(flow, each)[1], ['MUG-M', 1700, '', 7]);
  });
}

test('[V5] variants that were replaced on both sides at once are joined anew', async () => {
  const flow = await linked();
  for (const side of SIDES) await replace(flow, side, ['MUG-S', 'MUG-M']);
  await flow.lookAt('Mug');
  for (const side of SIDES) assert.equal(shownOn(flow, side).length, 2);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-M'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-M'), [9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('[V5] a key that two variants bear tells of neither which one was replaced', async () => {
  const flow = new EngineFlow({}, 'plain');
  flow.stock(SIDES, { optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'] },
    { sku: '', optionValues: ['M'] },
  ]);
  await flow.link();
  const shop = flow.shop('shopify');
  const { id, variants } = flow.product('shopify', 'Mug');
  const fields = variant({ sku: '', optionValues: ['L'] });
  shop.outside.addVariant(id, { fields, stock: { tracked: true, quantity: 2 } });
  shop.outside.deleteVariant(variants[1]?.stockId ?? '');
  await flow.lookAt('Mug');
  assert.deepEqual(
    flow.product('woocommerce', 'Mug').variants.map((own) => [own.fields.optionValues[0], own.isArchived]),
    [
      ['S', false],
      ['M', true],
      ['L', false],
    ],
    'one that is gone, and a new one',
  );
});

for (const fault of [
  { type: 'rate_limited', retryAfterMs: 60_000 },
  { type: 'server_error', when: 'before' },
] as const)
  test(`[V3, W2] a variant whose create met ${fault.type} is made at the next try`, async () => {
    const flow = await linked();
    const isMet = faultOnce(flow.shop('woocommerce'), 'write_variants', fault);
    flow.shop('shopify').outside.addVariant(flow.product('shopify', 'Mug').id, {
      fields: variant({ sku: 'MUG-L', optionValues: ['L'] }),
      stock: { tracked: true, quantity: 4 },
    });
    await flow.rest();
    assert.ok(isMet(), 'its create was sent');
    assert.deepEqual([flow.quantities('MUG-L'), flow.problems()], [[4, 4], []]);
  });

test('[V5, C29] a variant that was put away with its removal is there again once it is added again', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  assert.equal(shownOn(flow, 'woocommerce').length, 1);
  flow.shop('shopify').outside.addVariant(flow.product('shopify', 'Mug').id, {
    fields: variant({ sku: 'MUG-M', optionValues: ['M'], price: { regularMinor: 1700, saleMinor: null } }),
    stock: { tracked: true, quantity: 4 },
  });
  await flow.rest();
  for (const side of SIDES) assert.deepEqual(shownOn(flow, side)[1], ['MUG-M', 1700, '', 4]);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-M'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-M'), [3, 3]);
  assert.deepEqual(flow.problems(), []);
});

test('[V5, G1] an import that replaces the variants of a whole catalogue is no mass delete', async () => {
  const flow = new EngineFlow();
  for (let i = 1; i <= 15; i += 1)
    flow.stock(SIDES, { title: `Mug ${i}`, optionNames: ['Size'] }, [
      { sku: `MUG-${i}-S`, optionValues: ['S'] },
      { sku: `MUG-${i}-M`, optionValues: ['M'] },
    ]);
  await flow.link();
  const { outside } = flow.shop('shopify');
  for (let i = 1; i <= 15; i += 1) {
    const { id } = flow.product('shopify', `Mug ${i}`);
    const old = present(flow.product('shopify', `Mug ${i}`).variants[1], 'a second variant');
    outside.deleteVariant(old.stockId);
    outside.addVariant(id, { fields: old.fields, stock: { tracked: true, quantity: 8 } });
  }
  await flow.rest();
  assert.deepEqual([flow.status(), flow.problems()], ['active', []]);
  for (let i = 1; i <= 15; i += 1) assert.deepEqual(flow.quantities(`MUG-${i}-M`), [8, 8]);
});

for (const edited of SIDES)
  test(`[V5] a variant that comes back is known by its key, also when the product was edited on ${edited} in between`, async () => {
    const flow = await linked();
    flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
    await flow.rest();
    flow.shop(edited).outside.editProduct(flow.product(edited, 'Mug').id, 'tags', ['new']);
    await flow.rest();
    flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Mug').id, {
      fields: variant({ sku: 'MUG-M', optionValues: ['M'] }),
      stock: { tracked: true, quantity: 10 },
    });
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-M'), 1);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG-M'), [9, 9]);
  });

test('[V5] a removed variant is in no list and no record, though it is known for when it comes back', async () => {
  const flow = await linked();
  const { id } = flow.hub('Mug').row;
  const view = () => {
    const record = findWorkspaceRecord(flow.world.db, 'ws_sim' as WorkspaceId, id);
    const skus = Object.values(record?.product.data.variants ?? {}).map(({ sku }) => sku);
    return [skus, record?.summary.variantCount, record?.summary.sku];
  };
  assert.deepEqual(view(), [['MUG-S', 'MUG-M'], 2, 'MUG-S']);
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-S'));
  await flow.rest();
  assert.deepEqual(view(), [['MUG-M'], 1, 'MUG-M']);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'tags', ['new']);
  await flow.rest();
  assert.deepEqual(view(), [['MUG-M'], 1, 'MUG-M']);
});

test('[V2, M1] values that the shops spell with and without spaces around a sign are of one variant, and are not written to and fro', async () => {
  const flow = new EngineFlow();
  for (const [side, values] of [
    ['woocommerce', ['S/M', 'L/XL']],
    ['shopify', ['S / M', 'L / XL']],
  ] as const)
    flow.stock(
      [side],
      { title: 'Mug', optionNames: ['Size'] },
      values.map((value) => ({ sku: '', optionValues: [value] })),
    );
  await flow.link();
  const shown = () => SIDES.map((side) => flow.product(side, 'Mug').variants.map(({ fields }) => fields.optionValues));
  const written = () => SIDES.map((side) => flow.ours(side));
  const [linked, once] = [shown(), written()];
  assert.deepEqual(
    linked.map((variants) => variants.length),
    [2, 2],
    'none is made',
  );
  await flow.scan();
  await flow.lookAt('Mug');
  assert.deepEqual([flow.problems(), shown(), written()], [[], linked, once]);
  // A person's edit of the spelling is carried like any.
  const { outside } = flow.shop('shopify');
  const [first] = flow.product('shopify', 'Mug').variants;
  outside.editVariant(present(first, 'S/M').stockId, 'optionValues', ['Small/Medium']);
  await flow.rest();
  for (const variants of shown()) assert.deepEqual(variants[0], ['Small/Medium']);
});

for (const side of SIDES)
  test(`[B1, V3] an option's value (and a SKU) is renamed in ${side} and given to a new variant, before anybody looks: both are carried`, async () => {
    const flow = await linked();
    const { outside } = flow.shop(side);
    const { id } = flow.product(side, 'Mug');
    const medium = flow.item(side, 'MUG-M');
    untold(flow, side, () => {
      outside.editVariant(medium, 'optionValues', ['L']);
      outside.editVariant(medium, 'sku', 'MUG-L');
      const fields = variant({ sku: 'MUG-M', optionValues: ['M'] });
      outside.addVariant(id, { fields, stock: { tracked: true, quantity: 7 } });
    });
    await flow.lookAt('Mug');
    for (const each of SIDES)
      assert.deepEqual(
        flow
          .product(each, 'Mug')
          .variants.map(({ fields, quantity }) => [fields.sku, fields.optionValues[0], quantity]),
        [
          ['MUG-S', 'S', 10],
          ['MUG-L', 'L', 10],
          ['MUG-M', 'M', 7],
        ],
      );
    assert.deepEqual(flow.problems(), []);
  });
