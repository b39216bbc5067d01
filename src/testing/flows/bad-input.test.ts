// What merchants' catalogues really hold. Each case has a rule, words for a person, and loses nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadHub } from '../../engine/hub.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { SIDES } from '../../model/platform.ts';
import { UNSYNCABLE_REASONS } from '../../model/snapshot.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { shutOut } from './shut-out.ts';

test('[B1, M3] a SKU that two products share is listed for a person and never guessed', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(['shopify'], { title: 'Mug one' }, [{ sku: 'MUG' }]);
  flow.stock(['shopify'], { title: 'Mug two' }, [{ sku: 'MUG' }]);
  const plan = await flow.plan();
  assert.deepEqual(
    plan.map(({ action }) => action),
    ['ambiguous', 'ambiguous', 'ambiguous'],
  );
  assert.equal(plan[0]?.data.reason, 'sku');
  assert.deepEqual(plan[0]?.data.candidates?.map(({ title }) => title).sort(), ['Mug one', 'Mug two']);
  await flow.apply();
  await flow.scan();
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [1, 2],
    'nothing is created',
  );
  assert.deepEqual(
    SIDES.map((side) => flow.ours(side)),
    [0, 0],
    'nothing is written',
  );
  assert.match(flow.words('AMBIGUOUS_MATCH').message, /more than one record by its SKU \(MUG\)/);
});

test('[B1] a SKU that becomes a duplicate later is refused by the platform that keeps them unique; all else goes on', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const bowl = flow.item('shopify', 'BOWL');
  flow.shop('shopify').outside.duplicateSku(flow.item('shopify', 'MUG'), bowl);
  await flow.rest();
  const { message, remedy } = flow.words('WRITE_REJECTED');
  assert.match(message, /WooCommerce refused "Bowl"/);
  assert.match(remedy, /stands in the way/);
  flow.shop('shopify').outside.sell(bowl, 4);
  await flow.rest();
  assert.equal(flow.quantity('woocommerce', 'BOWL'), 6, 'its stock is still counted');
  flow.shop('shopify').outside.renameSku(bowl, 'BOWL-2');
  await flow.rest();
  assert.equal(flow.quantity('woocommerce', 'BOWL-2'), 6);
  assert.ok(!flow.problems().includes('WRITE_REJECTED'), 'and the problem is closed by itself');
});

test('[B2] products without a SKU: matched by handle with the same options, else made; two blanks are never the same', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: '' }]);
  flow.stock(['woocommerce'], { title: 'Bowl' }, [{ sku: '' }]);
  flow.stock(['shopify'], { title: 'Plate' }, [{ sku: ' ' }]);
  const plan = await flow.plan();
  assert.deepEqual(
    plan.map(({ title, action }) => [title, action]),
    [
      ['Mug', 'link'],
      ['Bowl', 'create'],
      ['Plate', 'create'],
    ],
  );
  await flow.apply();
  for (const side of SIDES) for (const title of ['Mug', 'Bowl', 'Plate']) assert.ok(flow.product(side, title));
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [3, 3],
  );
});

for (const reason of UNSYNCABLE_REASONS) {
  test(`[L5, B4, B5, B6] ${reason}: refused whole, with the reason; linked as soon as it fits`, async () => {
    const flow = new EngineFlow();
    flow.unsyncable.set('Odd', { reason, detail: 'as the shop says' });
    flow.stock(['woocommerce'], { title: 'Odd' }, [{ sku: 'ODD' }]);
    flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
    const plan = await flow.plan();
    const odd = plan.find(({ title }) => title === 'Odd');
    assert.equal(odd?.action, 'skip');
    assert.match(odd?.data.reason ?? '', /^Left out whole: .* .*\(as the shop says\)\.$/);
    await flow.apply();
    await flow.scan();
    assert.equal(flow.count('shopify'), 1, 'no part of it is made');
    const { message, remedy } = flow.words(`UNSYNCABLE_${reason.toUpperCase()}`);
    assert.match(message, /"Odd" on WooCommerce is left out whole: .+ \(as the shop says\)\./);
    assert.match(remedy, /both platforms can hold it/);
    flow.unsyncable.clear();
    await flow.scan();
    assert.ok(flow.product('shopify', 'Odd'));
    assert.deepEqual(flow.problems(), [], 'the problem is closed by itself');
  });
}

test('[L5] a linked product that stops fitting keeps what it has, on both sides; its stock is still counted', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  flow.unsyncable.set('Mug with four options', { reason: 'too_many_options', detail: '' });
  const { id } = flow.product('woocommerce', 'Mug');
  flow.shop('woocommerce').outside.editProduct(id, 'title', 'Mug with four options');
  flow.shop('woocommerce').outside.editProduct(id, 'descriptionHtml', '<p>New</p>');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug').fields.descriptionHtml, '<p>Holds tea.</p>');
  assert.match(flow.words('UNSYNCABLE_TOO_MANY_OPTIONS').message, /more than 3 options/);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  flow.unsyncable.clear();
  await flow.scan();
  assert.equal(flow.product('shopify', 'Mug with four options').fields.descriptionHtml, '<p>New</p>');
  assert.deepEqual(flow.problems(), []);
});

test('[B5] 2,048 variants are linked, and one sale of one of them is one write', async () => {
  const flow = new EngineFlow();
  const variants = Array.from({ length: 2_048 }, (_, i) => ({ sku: `RING-${i}`, optionValues: [`No ${i}`] }));
  flow.stock(SIDES, { title: 'Ring', optionNames: ['Number'] }, variants);
  await flow.link();
  assert.equal(flow.hub('Ring').variants.size, 2_048);
  const before = flow.ours('shopify');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'RING-2047'), 1);
  await flow.rest();
  assert.equal(flow.quantity('shopify', 'RING-2047'), 9);
  assert.equal(flow.ours('shopify') - before, 1);
});

test('[B8] markup, entities, quotes and emoji in titles arrive as they are, and do not come back', async () => {
  const titles = [
    '<b>Mug</b> & "Co" ☕',
    'Tom &amp; Jerry’s',
    '5″ plate — “new”',
    'كوب 杯子 👩‍🍳',
    '  spaced  out ',
    '&lt;script&gt;',
    "'; DROP TABLE product; --",
  ];
  const flow = new EngineFlow();
  titles.forEach((title, i) => {
    flow.stock(['woocommerce'], { title, handle: `odd-${i}` }, [{ sku: `ODD-${i}` }]);
  });
  await flow.link();
  for (const title of titles) assert.ok(flow.product('shopify', title), title);
  const writes = () => SIDES.reduce((sum, side) => sum + flow.ours(side), 0);
  const before = writes();
  await flow.scan();
  await flow.scan();
  assert.equal(writes(), before, 'nothing comes back');
});

test('[B10] at first link an empty shop is no outage: everything is created there', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 4 }]);
  const plan = await flow.plan();
  assert.deepEqual(
    plan.map(({ action }) => action),
    ['create'],
  );
  await flow.apply();
  assert.deepEqual(flow.quantities('MUG'), [4, 4]);
  assert.equal(flow.status(), 'active');
});

test('[B10] an empty listing makes no plan, and says so in words', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < 12; i += 1) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.link();
  flow.shop('shopify').listingOutage = 'empty';
  assert.deepEqual(await flow.plan().then((plan) => plan.filter(({ action }) => action === 'create')), []);
  assert.deepEqual([flow.planStatus().status, flow.planStatus().errorCode], ['failed', 'EMPTY_LISTING']);
  assert.match(flow.planStatus().errorMessage ?? '', /Shopify listed only 0 products/);
});

test('[B11] a listing that is cut short is never taken for a catalogue', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < 120; i += 1) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  const calm = flow.shop('woocommerce').faults;
  let pages = 0;
  flow.shop('woocommerce').faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'scan') return calm.request(facts);
      pages += 1;
      return { ...calm.request(facts), fault: pages === 2 ? { type: 'cut_listing' } : null };
    },
  };
  // The second page fails once; the reading goes on there, and the plan is of everything.
  const plan = await flow.plan();
  assert.equal(plan.filter(({ action }) => action === 'link').length, 120);
  assert.equal(plan.length, 120);
  await flow.apply();
  pages = 0;
  const before = SIDES.map((side) => flow.ours(side));
  await flow.scan();
  assert.deepEqual(
    SIDES.map((side) => flow.ours(side)),
    before,
  );
  assert.equal(flow.status(), 'active');
});

test('[M5] two records that claim one of the other shop, each by a SKU of its own, are both listed for a person', async () => {
  for (const isLive of [false, true]) {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true } });
    flow.stock(['shopify'], { title: 'Set', optionNames: ['Part'] }, [
      { sku: 'CUP', optionValues: ['Cup'] },
      { sku: 'PLATE', optionValues: ['Plate'] },
    ]);
    const both = () => {
      flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
      flow.stock(['woocommerce'], { title: 'Plate' }, [{ sku: 'PLATE' }]);
    };
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    if (!isLive) both();
    const plan = await flow.plan();
    if (!isLive)
      assert.deepEqual(
        plan.filter(({ title }) => title !== 'Bowl').map(({ action, title }) => [title, action]),
        [
          ['Cup', 'ambiguous'],
          ['Plate', 'ambiguous'],
          ['Set', 'ambiguous'],
        ],
      );
    await flow.apply();
    if (isLive) {
      both();
      await flow.rest();
      assert.ok(flow.problems().includes('AMBIGUOUS_MATCH'));
    }
    assert.throws(() => flow.hub('Cup'));
    assert.throws(() => flow.hub('Plate'));
    assert.equal(flow.count('shopify'), 2);
  }
});

test('[M4] a record whose SKUs lead to two of the other shop is linked with neither, also when only one of them is known', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true } });
  flow.stock(['woocommerce'], { title: 'Set', optionNames: ['Part'] }, [
    { sku: 'CUP', optionValues: ['Cup'] },
    { sku: 'PLATE', optionValues: ['Plate'] },
  ]);
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  flow.stock(['shopify'], { title: 'Plate' }, [{ sku: 'PLATE' }]);
  await flow.link();
  // Signals about one of the two and about the whole: the other one has told nobody of itself.
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Cup').id, 'title', 'Blue cup');
  await flow.rest();
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Set').id, 'title', 'Blue set');
  await flow.rest();
  assert.ok(flow.problems().includes('AMBIGUOUS_MATCH'));
  assert.equal(flow.product('woocommerce', 'Blue set').variants.length, 2);
  assert.equal(flow.ours('woocommerce') + flow.ours('shopify'), 0, 'nothing was written to any of them');
});

test('[M3] a SKU that another record bears too links nothing, also when the other one has told nobody of itself', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true } });
  flow.stock(SIDES, { title: 'Set', optionNames: ['Part'] }, [
    { sku: 'CUP', optionValues: ['Cup'] },
    { sku: 'PLATE', optionValues: ['Plate'] },
  ]);
  flow.stock(['shopify'], { title: 'Copy' }, [{ sku: 'CUP' }]);
  await flow.link();
  for (const side of ['shopify', 'woocommerce'] as const) {
    flow.shop(side).outside.editProduct(flow.product(side, 'Set').id, 'title', `Set of ${side}`);
    await flow.rest();
  }
  assert.ok(flow.problems().includes('AMBIGUOUS_MATCH'));
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, `Set of ${side}`).variants.length),
    [2, 2],
  );
  assert.equal(flow.ours('woocommerce') + flow.ours('shopify'), 0, 'nothing was written to any of them');
});

test('[M1, M3] what is known on one side only is matched before it is made: listed while a SKU is shared, joined when it is not', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  for (const title of ['Mug one', 'Mug two']) flow.stock(['shopify'], { title }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const createOn = async (shopify: boolean) => {
    updatePairSettings(flow.world.life().ctx, PAIR_ID, { createOn: { woocommerce: true, shopify } });
    await flow.rest();
  };
  await createOn(false);
  // Nobody has told us of the plate that is there as well.
  flow.stock(['woocommerce'], { title: 'Plate' }, [{ sku: 'PLATE', quantity: 8 }]);
  await flow.rest();
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  flow.stock(['shopify'], { title: 'Flat plate' }, [{ sku: 'PLATE', quantity: 6 }]);
  await flow.world.clock.runFor(60_000);
  await createOn(true);
  assert.equal(flow.count('shopify'), 4, 'nothing is made a second time');
  assert.equal(flow.hub('Plate').bindings.shopify?.externalId, flow.product('shopify', 'Plate').id);
  assert.deepEqual(flow.quantities('PLATE'), [6, 6]);
  const listed = () =>
    flow.rows<{ subject: string }>("SELECT subject FROM problem WHERE code = 'AMBIGUOUS_MATCH' AND state = 'open'");
  assert.ok(listed().some(({ subject }) => subject.startsWith('woocommerce:')));
  shop.faults = calm;
  shop.outside.renameSku(flow.product('shopify', 'Mug two').variants[0]?.stockId ?? '', 'MUG-2');
  await flow.rest();
  await flow.scan();
  assert.deepEqual(listed(), []);
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [4, 4],
    'the other one is carried over',
  );
  assert.equal(flow.hub('Mug').bindings.shopify?.externalId, flow.product('shopify', 'Mug').id);
});

test('[M1, M4] a product whose counterpart cannot be told is not made, and what is typed into it counts all the same', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Jug' }, [{ sku: 'JUG', barcode: '4006381333931' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const letIn = shutOut(flow.shop('woocommerce'), 'create_product');
  flow.stock(['shopify'], { title: 'Mug B' }, [{ sku: 'B' }]);
  await flow.rest();
  flow.stock(['woocommerce'], { title: 'Set', optionNames: ['Size'] }, [
    { sku: 'A', optionValues: ['A'], barcode: '4006381333931' },
    { sku: 'B', optionValues: ['B'] },
  ]);
  letIn();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug B').id, 'title', 'Cup B');
  await flow.rest();
  assert.equal(flow.hub('Cup B').row.title, 'Cup B');
  assert.equal(flow.count('woocommerce'), 3, 'it was not made');
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH'], 'of the set, and of what it may be');
  // A person gives it a barcode of its own.
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'A'), 'barcode', '');
  await flow.rest(30);
  assert.deepEqual(flow.problems(), []);
  assert.equal(flow.hub('Set').bindings.shopify?.externalId, flow.product('shopify', 'Set').id);
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [3, 3]);
});

test('[R9] what was deleted at the source does not come back because its target has something alike; made anew there, the two are one', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify' });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const { row } = flow.hub('Mug');
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
  await flow.rest();
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug').id, 'hard');
  await flow.rest();
  const stateOf = () => loadHub(flow.world.db, row.id)?.row.state;
  assert.equal(stateOf(), 'deleted');
  flow.stock(['shopify'], { title: 'Mug of theirs' }, [{ sku: 'MUG' }]);
  await flow.rest();
  assert.equal(stateOf(), 'deleted');
  assert.equal(flow.count('woocommerce'), 1);
  flow.stock(['woocommerce'], { title: 'Mug again' }, [{ sku: 'MUG' }]);
  await flow.rest();
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [2, 2]);
  assert.equal(flow.product('shopify', 'Mug again').variants[0]?.fields.sku, 'MUG');
});

test('[B1] a SKU goes from one product to another on Shopify: WooCommerce refuses the second until the first has let go, and no longer', async () => {
  for (const how of ['renamed', 'deleted', 'swapped'] as const) {
    const flow = new EngineFlow();
    for (const sku of ['A', 'B', 'C', 'D']) flow.stock(SIDES, { title: `Mug ${sku}` }, [{ sku }]);
    await flow.link();
    const { outside } = flow.shop('shopify');
    const [first, second] = ['A', 'B'].map((sku) => flow.item('shopify', sku));
    // Typed into the second one before the first lets go: Shopify allows it.
    outside.editVariant(second ?? '', 'sku', 'A');
    await flow.rest(1);
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED'], how);
    if (how === 'renamed') outside.editVariant(first ?? '', 'sku', 'NEW');
    if (how === 'deleted')
      flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug A').id, 'hard');
    if (how === 'swapped') {
      outside.editVariant(first ?? '', 'sku', 'B');
      await flow.rest(1);
      assert.deepEqual(flow.problems(), ['WRITE_REJECTED', 'WRITE_REJECTED'], 'each is in the way of the other');
      // What the remedy says: one of the two is given another value for a while.
      outside.editVariant(first ?? '', 'sku', 'T');
      await flow.rest(1);
      outside.editVariant(first ?? '', 'sku', 'B');
    }
    await flow.rest(5);
    assert.equal(flow.product('woocommerce', 'Mug B').variants[0]?.fields.sku, 'A', how);
    if (how === 'swapped') assert.equal(flow.product('woocommerce', 'Mug A').variants[0]?.fields.sku, 'B');
    assert.deepEqual(flow.problems(), [], how);
  }
});
