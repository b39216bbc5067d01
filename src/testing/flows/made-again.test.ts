import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { LINK_RULES } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

// A product that was deleted and is made again under the same keys, while its other half is gone as well.

type Settings = ConstructorParameters<typeof EngineFlow>[0];

async function linked(settings: Settings = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const i of [1, 2, 3]) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

function mute(flow: EngineFlow, side: Side): void {
  const shop = flow.shop(side);
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
}

/** Deleted on `side` and put away on the other, where it then goes too, and nobody tells. */
async function goneOnBoth(flow: EngineFlow, side: Side, how: 'hard' | 'bin'): Promise<void> {
  flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard');
  await flow.rest();
  const other = otherSide(side);
  const putAway = flow.product(other, 'Mug 1');
  mute(flow, other);
  flow.shop(other).outside.deleteProduct(putAway.id, how);
}

const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });

/** What each shop shows under the SKU. */
const goods = (flow: EngineFlow, sku: string) =>
  SIDES.map((side) =>
    [...flow.shop(side).shelf.products.values()]
      .filter(({ variants }) => variants.some(({ fields }) => fields.sku === sku))
      .map(({ fields, variants }) => [fields.title, fields.descriptionHtml, variants[0]?.fields.price.regularMinor]),
  );

const shown = (flow: EngineFlow) =>
  SIDES.map((side) => [flow.product(side, 'Mug 1').fields.status, flow.quantity(side, 'MUG-1')]);

const causes = (flow: EngineFlow) => flow.changes('deleted').map(({ cause }) => cause);

for (const [side, how] of [
  ['woocommerce', 'hard'],
  ['shopify', 'hard'],
  ['shopify', 'bin'],
] as const)
  test(`[G8, S7] made again in ${side}, and the half that had been put away is gone (${how}) by then: no new delete, it comes back too`, async () => {
    const flow = await linked();
    await goneOnBoth(flow, side, how);
    flow.stock([side], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
    await flow.rest(120);
    assert.deepEqual(shown(flow), [
      ['active', 7],
      ['active', 7],
    ]);
    await flow.scan();
    assert.equal(flow.hub('Mug 1').row.state, 'live');
    assert.equal(flow.product(side, 'Mug 1').fields.status, 'active');
    assert.deepEqual(causes(flow), ['delete', 'restore', ...(how === 'hard' ? ['gone_too'] : [])]);
    assert.deepEqual(flow.conflicts(), []);
  });

for (const side of SIDES)
  for (const linkRule of LINK_RULES)
    for (const isGoneOnBoth of [false, true])
      test(`[G8] deleted on ${side}${isGoneOnBoth ? ' and on the other side' : ''}, and made again there with another title and price: it has these, whatever "${linkRule}" says`, async () => {
        const flow = await linked({ linkRule, conflictResolution: 'manual' });
        const known = flow.product(side, 'Mug 1').fields.descriptionHtml;
        assert.notEqual(known, '');
        flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard');
        await flow.rest();
        const other = otherSide(side);
        if (isGoneOnBoth) flow.shop(other).outside.deleteProduct(flow.product(other, 'Mug 1').id, 'hard');
        for (let i = 0; i < 2; i += 1) await flow.scan();
        const again = { title: 'Better mug', descriptionHtml: '' };
        flow.stock([side], again, [{ sku: 'MUG-1', quantity: 7, price: price(3000) }]);
        await flow.rest();
        await flow.scan();
        // A blank never wins (L2).
        const expected = [['Better mug', known, 3000]];
        assert.deepEqual(goods(flow, 'MUG-1'), [expected, expected]);
        assert.deepEqual([flow.problems(), flow.conflicts(), flow.quantities('MUG-1')], [[], [], [7, 7]]);
      });

for (const source of SIDES)
  test(`[G8, L4] one-way from ${source}: what was deleted on the target and made again there has what the source says`, async () => {
    const direction = source === 'woocommerce' ? 'woocommerce_to_shopify' : 'shopify_to_woocommerce';
    const flow = await linked({ syncDirection: direction });
    const target = otherSide(source);
    flow.shop(target).outside.deleteProduct(flow.product(target, 'Mug 1').id, 'hard');
    for (let i = 0; i < 2; i += 1) await flow.scan();
    const [before] = goods(flow, 'MUG-1').flat();
    flow.stock([target], { title: 'Better mug' }, [{ sku: 'MUG-1', price: price(3000) }]);
    await flow.rest();
    assert.deepEqual(goods(flow, 'MUG-1'), [[before], [before]]);
    assert.deepEqual(flow.problems(), []);
  });

test('[G8, G9] made again as a draft while the other half is in the bin: it comes out as a draft, and stays', async () => {
  const flow = await linked();
  await goneOnBoth(flow, 'shopify', 'bin');
  flow.stock(['shopify'], { title: 'Mug 1', status: 'draft' }, [{ sku: 'MUG-1', quantity: 7 }]);
  await flow.rest(60);
  for (let i = 0; i < 3; i += 1) await flow.scan();
  assert.deepEqual(shown(flow), [
    ['draft', 7],
    ['draft', 7],
  ]);
  assert.equal(flow.product('woocommerce', 'Mug 1').isTrashed, false);
  assert.deepEqual(causes(flow), ['delete', 'restore']);
});

for (const conflictResolution of ['newest', 'manual'] as const)
  test(`[G8, G9] the write that takes it out of the bin fails once: it is sent again, and "${conflictResolution}" asks nobody`, async () => {
    for (const kind of ['unavailable', 'unknown_outcome'] as const) {
      const flow = await linked({ conflictResolution });
      await goneOnBoth(flow, 'shopify', 'bin');
      let left = 1;
      flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
        left -= 1;
        if (left < 0) return flow.connector('woocommerce').writeProducts(writes, signal, cut);
        return writes.map(() => ({ ok: false, error: new ConnectorError(kind, 'no') }));
      };
      flow.stock(['shopify'], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
      await flow.rest(120);
      await flow.scan();
      assert.ok(left < 0);
      assert.deepEqual(shown(flow), [
        ['active', 7],
        ['active', 7],
      ]);
      assert.equal(flow.product('woocommerce', 'Mug 1').isTrashed, false);
      assert.deepEqual(causes(flow), ['delete', 'restore']);
      assert.deepEqual(flow.conflicts(), []);
    }
  });

test('[V4, G8] made again with fewer variants: the one that nobody has any more is made nowhere', async () => {
  for (const isKnown of [true, false]) {
    const flow = new EngineFlow();
    const sizes = (title: string, sku: string) =>
      flow.stock(SIDES, { title, optionNames: ['Size'] }, [
        { sku: `${sku}-S`, optionValues: ['S'] },
        { sku: `${sku}-L`, optionValues: ['L'], quantity: 4 },
      ]);
    for (const i of [1, 2, 3]) sizes(`Mug ${i}`, `MUG-${i}`);
    await flow.link();
    await goneOnBoth(flow, 'woocommerce', 'hard');
    if (isKnown) for (let i = 0; i < 2; i += 1) await flow.scan();
    flow.stock(['woocommerce'], { title: 'Mug 1', optionNames: ['Size'] }, [
      { sku: 'MUG-1-S', optionValues: ['S'], quantity: 7 },
    ]);
    await flow.rest(120);
    assert.deepEqual(
      SIDES.map((side) => flow.product(side, 'Mug 1').variants.map(({ fields, quantity }) => [fields.sku, quantity])),
      [[['MUG-1-S', 7]], [['MUG-1-S', 7]]],
    );
    assert.deepEqual(flow.problems(), []);
    const told = isKnown ? ['delete', 'gone_too', 'restore', 'gone'] : ['delete', 'restore', 'gone_too', 'gone'];
    assert.deepEqual(causes(flow), told, 'the guard counts one product once');
  }
});

test('[V4, G9] a variant that was refused on one side and whose record is gone on the other is made nowhere', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug 1', optionNames: ['Size'] }, [{ sku: 'MUG-1-S', optionValues: ['S'] }]);
  for (const i of [2, 3]) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.link();
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'that variant is refused') }));
  const { id, variants } = flow.product('woocommerce', 'Mug 1');
  const [small] = variants;
  assert.ok(small);
  flow.shop('woocommerce').outside.addVariant(id, {
    fields: { ...small.fields, sku: 'MUG-1-L', optionValues: ['L'], barcode: '' },
    stock: { tracked: true, quantity: 4 },
  });
  await flow.rest(30);
  delete flow.hands.shopify.writeProducts;
  for (const side of SIDES) mute(flow, side);
  flow.shop('woocommerce').outside.deleteProduct(id, 'hard');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'descriptionHtml', '<p>New</p>');
  await flow.lookAt('Mug 1');
  await flow.rest(60);
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, 'Mug 1').variants.map(({ fields }) => fields.sku)),
    [['MUG-1-S'], ['MUG-1-S']],
  );
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  test(`[M1, G8] made again in both shops within seconds, ${side} first: they are joined, not doubled`, async () => {
    for (const isKnown of [true, false]) {
      const flow = await linked();
      const other = otherSide(side);
      flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard');
      await flow.rest();
      const shop = flow.shop(other);
      const usual = shop.faults;
      if (!isKnown) mute(flow, other);
      shop.outside.deleteProduct(flow.product(other, 'Mug 1').id, 'hard');
      if (isKnown) await flow.rest();
      shop.faults = usual;
      flow.stock([side], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
      await flow.world.clock.runFor(4_000);
      flow.stock([other], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
      await flow.rest(60);
      for (const each of SIDES)
        assert.equal([...flow.shop(each).shelf.products.values()].filter((p) => p.fields.title === 'Mug 1').length, 1);
      assert.equal(flow.hub('Mug 1').row.state, 'live');
    }
  });

test('[R10, R11] one-way, and nothing may be made on the target: that its half is missing there is told', async () => {
  for (const settings of [{ createOn: { woocommerce: false, shopify: false } }, { syncProducts: false }]) {
    const flow = await linked({ syncDirection: 'woocommerce_to_shopify', ...settings });
    await goneOnBoth(flow, 'woocommerce', 'hard');
    flow.stock(['woocommerce'], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
    await flow.rest(120);
    assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
  }
});

test('[G8] made archived without an answer, and put into the bin by hand: it stays there', async () => {
  const flow = await linked();
  const { writeProducts } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
    delete flow.hands.woocommerce.writeProducts;
    await writeProducts(writes, signal, cut);
    mute(flow, 'woocommerce');
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Cup').id, 'bin');
    return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'lost') }));
  };
  flow.stock(['shopify'], { title: 'Cup', status: 'archived' }, [{ sku: 'CUP' }]);
  await flow.rest(90);
  await flow.scan();
  assert.equal(flow.product('woocommerce', 'Cup').isTrashed, true);
  assert.equal(flow.product('shopify', 'Cup').fields.status, 'archived');
  assert.deepEqual(causes(flow), ['delete']);
});

test('[S9, T2] made again below zero while inventory is switched off: of its stock nobody is told before it is on', async () => {
  const flow = await linked({ syncInventory: false });
  await goneOnBoth(flow, 'shopify', 'hard');
  flow.stock(['shopify'], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: -3, backorders: 'yes' }]);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), []);
  flow.change({ syncInventory: true });
  await flow.scan();
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  await flow.scan();
  assert.equal(flow.rows<{ count: number }>("SELECT count FROM problem WHERE state = 'open'")[0]?.count, 1, 'once');
});

test('[S9, T2] below zero, and in the bin of the only shop that has it before inventory is on: told once it is back', async () => {
  const flow = await linked({ syncInventory: false, createOn: { woocommerce: false, shopify: false } });
  flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP', quantity: -3, backorders: 'yes' }]);
  await flow.rest(60);
  const { id } = flow.product('woocommerce', 'Cup');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest(60);
  flow.change({ syncInventory: true });
  for (let i = 0; i < 3; i += 1) await flow.scan();
  assert.deepEqual(flow.problems(), [], 'nobody sells it');
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
});

test('[G8, P1] the write that takes it out of the bin as a draft is refused: a person is told for as long as it is', async () => {
  const flow = await linked();
  await goneOnBoth(flow, 'shopify', 'bin');
  flow.hands.woocommerce.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
  flow.stock(['shopify'], { title: 'Mug 1', status: 'draft' }, [{ sku: 'MUG-1', quantity: 7 }]);
  await flow.rest(60);
  await flow.scan();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  delete flow.hands.woocommerce.writeProducts;
  await flow.scan();
  await flow.rest(60);
  assert.equal(flow.product('woocommerce', 'Mug 1').isTrashed, false);
  assert.deepEqual(flow.problems(), []);
});

test('[M1, M3] it is not made with a SKU that the hub holds on to and another record of that shop bears: a person is told', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true } });
  const sizes = (large: string) => [
    { sku: 'MUG-S', optionValues: ['Small'] },
    { sku: large, optionValues: ['Large'] },
  ];
  const mug = { title: 'Mug 1', optionNames: ['Size'] };
  flow.stock(['shopify'], mug, sizes('MUG-L'));
  flow.stock(['shopify'], { title: 'Jug' }, [{ sku: 'JUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const { outside, shelf } = flow.shop('shopify');
  for (const title of ['Mug 1', 'Jug'])
    outside.editProduct(flow.product('shopify', title).id, 'descriptionHtml', '<p>Known</p>');
  await flow.rest();
  outside.deleteProduct(flow.product('shopify', 'Mug 1').id, 'hard');
  // Its SKU is another product's by then, and it comes back in the other shop without one: the hub holds on to its own (L2).
  outside.renameSku(flow.product('shopify', 'Jug').variants[0]?.stockId ?? '', 'MUG-L');
  await flow.rest();
  flow.stock(['woocommerce'], mug, sizes(''));
  await flow.rest(60);
  const inShopify = () =>
    [...shelf.products.values()].map(({ fields, variants }) => [
      fields.title,
      ...variants.map((variant) => variant.fields.sku),
    ]);
  assert.deepEqual(inShopify(), [
    ['Jug', 'MUG-L'],
    ['Bowl', 'BOWL'],
  ]);
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);

  outside.renameSku(flow.product('shopify', 'Jug').variants[0]?.stockId ?? '', 'JUG');
  await flow.scan();
  await flow.rest(60);
  assert.deepEqual(inShopify().slice(2), [['Mug 1', 'MUG-S', 'MUG-L']]);
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  for (const choice of ['hub', 'remote'] as const)
    test(`[G8, G9] while a person is asked about a delete on ${side}, the other half is deleted and made again: decided (${choice}), it is one product in both shops`, async () => {
      const flow = await linked({ conflictResolution: 'manual' });
      const other = otherSide(side);
      untold(flow, side, (outside) => outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard'));
      untold(flow, other, (outside) =>
        outside.editProduct(flow.product(other, 'Mug 1').id, 'descriptionHtml', '<p>2</p>'),
      );
      await flow.lookAt('Mug 1');
      const [conflict] = flow.conflicts();
      assert.deepEqual([conflict?.field, conflict?.side], ['deleted', side]);
      const { id } = flow.hub('Mug 1').row;
      untold(flow, other, (outside) => outside.deleteProduct(flow.product(other, 'Mug 1').id, 'hard'));
      flow.stock([other], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
      // Its new half has taken the place of the old one, and waits until it is known what becomes of the delete.
      const isBound = () =>
        flow.rows('SELECT 1 FROM product_binding WHERE product_id = ? AND side = ?', id, other).length > 0;
      for (let i = 0; isBound(); i += 1) {
        assert.ok(i < 3_000, 'it never took its place');
        await flow.world.clock.runFor(10);
      }
      const { id: conflictId = '', version: expectedVersion = 0 } = conflict ?? {};
      resolveConflict(flow.world.life().ctx, { conflictId, expectedVersion, choice });
      await flow.rest(60);
      assert.deepEqual(shown(flow), [
        ['active', 7],
        ['active', 7],
      ]);
      assert.deepEqual([flow.count('woocommerce'), flow.count('shopify'), flow.problems()], [3, 3, []]);
      const states = flow.rows(
        'SELECT state, count(*) AS n FROM product WHERE id NOT IN (SELECT product_id FROM product_binding) GROUP BY state',
      );
      assert.deepEqual(states, [], 'what is nowhere is known as there');
    });

for (const first of SIDES)
  for (const back of ['restored in WooCommerce and added in Shopify', 'added in both shops'] as const)
    test(`[S7, M1] deleted in both shops, ${first} first, and ${back}: the two are of the same goods, and never summed`, async () => {
      const flow = await linked({ stockLinkRule: 'sum' });
      const old = {
        woocommerce: flow.product('woocommerce', 'Mug 1').id,
        shopify: flow.product('shopify', 'Mug 1').id,
      };
      const isRestored = back !== 'added in both shops';
      for (const side of [first, otherSide(first)]) {
        flow.shop(side).outside.deleteProduct(old[side], isRestored ? 'bin' : 'hard');
        await flow.rest();
      }
      if (isRestored) flow.shop('woocommerce').outside.restore(old.woocommerce);
      else flow.stock(['woocommerce'], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 10 }]);
      if (isRestored && first === 'woocommerce')
        flow.shop('woocommerce').outside.editProduct(old.woocommerce, 'status', 'active');
      flow.stock(['shopify'], { title: 'Mug 1' }, [{ sku: 'MUG-1', quantity: 7 }]);
      await flow.rest(120);
      assert.deepEqual([flow.problems(), ...flow.quantities('MUG-1')], [[], 7, 7]);
      assert.deepEqual(
        flow.changes('deleted').filter(({ cause }) => cause === 'delete').length,
        1,
        'it was deleted once',
      );
    });
