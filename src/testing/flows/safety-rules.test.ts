import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import { requestRun } from '../../engine/runs/request-run.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { Halt } from '../../model/pair.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const titles = (count: number) => Array.from({ length: count }, (_, i) => `Mug ${i + 1}`);

async function linked(count: number, settings: ConstructorParameters<typeof EngineFlow>[0] = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  titles(count).forEach((title, i) => {
    flow.stock(SIDES, { title }, [{ sku: `MUG-${i + 1}` }]);
  });
  return flow.link();
}

type Harm = (flow: EngineFlow, title: string, sku: string) => unknown;

const HARMS: readonly (readonly [
  string,
  Halt['reason'],
  Harm,
  (flow: EngineFlow, title: string, sku: string) => boolean,
])[] = [
  [
    'G2',
    'mass_delete',
    (flow, title) => flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', title).id, 'bin'),
    (flow, title) => flow.product('shopify', title).fields.status !== 'active',
  ],
  [
    'G2',
    'mass_draft',
    (flow, title) =>
      flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', title).id, 'status', 'draft'),
    (flow, title) => flow.product('shopify', title).fields.status !== 'active',
  ],
  [
    'G3',
    'mass_zero',
    (flow, _title, sku) => flow.shop('woocommerce').outside.recount(flow.item('woocommerce', sku), 0),
    (flow, _title, sku) => flow.quantity('shopify', sku) === 0,
  ],
  [
    'G4',
    'mass_price_cut',
    (flow, _title, sku) =>
      flow
        .shop('woocommerce')
        .outside.editVariant(flow.item('woocommerce', sku), 'price', { regularMinor: 100, saleMinor: null }),
    (flow, title) => flow.product('shopify', title).variants[0]?.fields.price.regularMinor === 100,
  ],
];

for (const [rule, reason, harm, isCarriedOver] of HARMS) {
  const carried = (flow: EngineFlow) =>
    titles(12).filter((title, i) => isCarriedOver(flow, title, `MUG-${i + 1}`)).length;

  test(`[G1, ${rule}] ${reason}: ten in a day pass, the eleventh halts the pair, and nothing of it is carried over`, async () => {
    const flow = await linked(12);
    for (const [i, title] of titles(10).entries()) {
      harm(flow, title, `MUG-${i + 1}`);
      await flow.rest(2);
    }
    assert.equal(flow.status(), 'active');
    assert.equal(carried(flow), 10);
    harm(flow, 'Mug 11', 'MUG-11');
    await flow.rest();
    assert.equal(flow.status(), 'halted');
    assert.deepEqual(flow.halt(), { ...flow.halt(), reason, count: 11, limit: 10 });
    assert.equal(carried(flow), 10);
  });

  test(`[G1, G10, ${rule}] ${reason}: all at once halts before more than the guard allows; a person may let it pass`, async () => {
    const flow = await linked(12);
    for (const [i, title] of titles(12).entries()) harm(flow, title, `MUG-${i + 1}`);
    await flow.rest();
    assert.equal(flow.halt()?.reason, reason);
    assert.ok(carried(flow) <= 10, `${carried(flow)} were carried over`);
    resumePair(flow.world.life().ctx, PAIR_ID);
    await flow.rest();
    await flow.scan();
    assert.equal(flow.status(), 'active');
    assert.equal(carried(flow), 12);
  });

  test(`[G1, ${rule}] ${reason}: the next day counts anew`, async () => {
    const flow = await linked(12);
    for (const [i, title] of titles(12).entries()) {
      harm(flow, title, `MUG-${i + 1}`);
      await flow.rest(3 * 60);
    }
    assert.equal(flow.status(), 'active', 'eight a day are a matter of course');
    assert.equal(carried(flow), 12);
  });
}

test('[G1, G2, G3, G4] all kinds of harm draw on one budget', async () => {
  const flow = await linked(12);
  for (const [i, title] of titles(11).entries()) {
    HARMS[i % HARMS.length]?.[2](flow, title, `MUG-${i + 1}`);
    await flow.rest(2);
  }
  await flow.rest();
  assert.deepEqual(flow.halt(), { ...flow.halt(), reason: 'mass_zero', count: 11, limit: 10 });
});

test('[G1, G10] two kinds of harm in one batch come through as a person lets them pass, one after the other', async () => {
  const flow = await linked(32);
  const shop = flow.shop('woocommerce');
  titles(32).forEach((title, i) => {
    if (i < 16) shop.outside.editProduct(flow.product('woocommerce', title).id, 'status', 'draft');
    else
      shop.outside.editVariant(flow.item('woocommerce', `MUG-${i + 1}`), 'price', { regularMinor: 1, saleMinor: null });
  });
  const carried = () =>
    titles(32).filter((title) => {
      const { fields, variants } = flow.product('shopify', title);
      return fields.status !== 'active' || variants[0]?.fields.price.regularMinor === 1;
    }).length;
  await flow.rest();
  assert.notEqual(flow.halt(), null);
  for (let looks = 0; flow.halt() !== null && looks < 4; looks += 1) {
    resumePair(flow.world.life().ctx, PAIR_ID);
    await flow.rest();
  }
  assert.equal(flow.halt(), null);
  assert.equal(carried(), 32);
});

test('[G1] a product counts once, however many of its variants and fields are harmed', async () => {
  const flow = new EngineFlow();
  const skus = Array.from({ length: 25 }, (_, i) => `MUG-${i}`);
  flow.stock(
    SIDES,
    { title: 'Mug', optionNames: ['No.'] },
    skus.map((sku) => ({ sku, optionValues: [sku] })),
  );
  await flow.link();
  for (const sku of skus) {
    flow.shop('woocommerce').outside.recount(flow.item('woocommerce', sku), 0);
    flow
      .shop('woocommerce')
      .outside.editVariant(flow.item('woocommerce', sku), 'price', { regularMinor: 100, saleMinor: null });
  }
  for (const sku of skus.slice(12)) flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', sku));
  await flow.rest();
  assert.equal(flow.status(), 'active');
  assert.equal(flow.quantity('shopify', 'MUG-3'), 0);
});

test('[G5, B10] an empty listing where records were known halts the pair, and nothing is put away', async () => {
  const flow = await linked(12);
  flow.shop('shopify').listingOutage = 'empty';
  await flow.scan();
  assert.deepEqual(flow.halt(), { ...flow.halt(), reason: 'empty_listing', side: 'shopify' });
  assert.ok(titles(12).every((title) => flow.product('woocommerce', title).fields.status === 'active'));
});

test('[G5, G10] a shop that lists nothing for days halts the pair again once a person’s word for it is over', async () => {
  const flow = await linked(12);
  flow.shop('shopify').listingOutage = 'empty';
  await flow.scan();
  assert.equal(flow.halt()?.reason, 'empty_listing');
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.scan();
  assert.equal(flow.status(), 'active');
  await flow.rest(36 * 60);
  await flow.scan();
  assert.equal(flow.halt()?.reason, 'empty_listing');
  assert.ok(titles(12).every((title) => flow.product('woocommerce', title).fields.status === 'active'));
});

test('[G6] a complete listing that lost more than the guard allows halts the pair', async () => {
  const flow = await linked(40);
  flow.shop('woocommerce').listingOutage = 'shrunken';
  await flow.scan();
  assert.equal(flow.halt()?.reason, 'shrunken_listing');
  assert.ok((flow.halt()?.count ?? 0) > (flow.halt()?.limit ?? 0), 'the numbers say why');
  flow.shop('woocommerce').listingOutage = null;
  resumePair(flow.world.life().ctx, PAIR_ID);
  for (let i = 0; i < 3; i += 1) await flow.scan();
  assert.equal(flow.status(), 'active');
  assert.ok(titles(40).every((title) => flow.product('shopify', title).fields.status === 'active'));
});

test('[G10] consent is for what halted the pair, and for a time', async () => {
  const flow = await linked(24);
  const [draft, zero] = [HARMS[1], HARMS[2]];
  const all = titles(24).map((title, i) => [title, `MUG-${i + 1}`] as const);
  assert.ok(draft && zero);
  for (const [title, sku] of all.slice(0, 12)) draft[2](flow, title, sku);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_draft');
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest();
  assert.equal(flow.status(), 'active');
  for (const [title, sku] of all.slice(0, 12)) zero[2](flow, title, sku);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_zero', 'consent to drafts is none to empty shelves');
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest(24 * 60);
  for (const [title, sku] of all.slice(12)) zero[2](flow, title, sku);
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_zero', 'and it does not last for ever');
});

test('[G7] a delete that no webhook told is found by two complete listings and proved by its id', async () => {
  const flow = await linked(3);
  // Deleted for good in WooCommerce, which tells nobody.
  const calm = flow.shop('woocommerce').faults;
  flow.shop('woocommerce').faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'hard');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
  for (let i = 0; i < 3; i += 1) await flow.scan();
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'archived');
  assert.equal(flow.product('shopify', 'Mug 2').fields.status, 'active');
});

test('[G7] a listing that leaves a record out is no proof', async () => {
  const flow = await linked(15);
  const calm = flow.shop('woocommerce').faults;
  flow.shop('woocommerce').faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      fault: facts.operation === 'scan' ? { type: 'shrunken_listing', keep: 0.7 } : null,
    }),
  };
  for (let i = 0; i < 4; i += 1) await flow.scan();
  assert.ok(titles(15).every((title) => flow.product('shopify', title).fields.status === 'active'));
});

test('[G7] a store that has forgotten every record is an outage, not a wish', async () => {
  for (const count of [1, 3]) {
    const flow = await linked(count);
    for (const title of titles(count))
      flow.shop('shopify').outside.deleteProduct(flow.product('shopify', title).id, 'hard');
    await flow.rest(60);
    const put = titles(count).filter((title) => flow.product('woocommerce', title).fields.status !== 'active');
    // The only record there was has no other that could answer for the store.
    assert.equal(put.length, count === 1 ? 1 : 0, `${count} records`);
  }
});

test('[G7] a store that has forgotten every record is not believed when it is only the side to be written', async () => {
  const flow = await linked(3);
  flow.shop('woocommerce').readOutage = 'forgetful';
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'title', 'Mug one');
  await flow.rest(5);
  assert.deepEqual(flow.changes('deleted'), []);
  flow.shop('woocommerce').readOutage = null;
  await flow.rest(60);
  assert.equal(flow.count('woocommerce'), 3, 'nothing was made again');
  assert.equal(flow.product('woocommerce', 'Mug one').fields.status, 'active');
});

test('[G7] a store that forgets every record for the length of one request is not believed', async () => {
  const flow = await linked(3);
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  shop.readOutage = 'forgetful';
  let reads = 0;
  shop.faults = {
    ...calm,
    request: (facts) => {
      // What was asked before this was answered as if nothing were there; from now on it knows them all again.
      if (facts.operation === 'read_products' && reads++ > 0) shop.readOutage = null;
      return calm.request(facts);
    },
  };
  shop.outside.editProduct(flow.product('woocommerce', 'Mug 1').id, 'title', 'Mug one');
  await flow.rest(60);
  assert.ok(reads > 1, 'a witness was asked');
  assert.deepEqual(flow.changes('deleted'), []);
  assert.equal(flow.product('shopify', 'Mug one').fields.status, 'active');
});

test('[G8] a delete archives the counterpart, and a restore brings it back with the status that it had', async () => {
  for (const status of ['active', 'unlisted', 'draft'] as const) {
    const flow = new EngineFlow();
    flow.stock(SIDES, { status }, [{ sku: 'MUG', quantity: 4 }]);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const { id } = flow.product('woocommerce', 'Mug');
    flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
    await flow.rest();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
    assert.equal(flow.quantity('shopify', 'MUG'), 4, 'stock is untouched');
    assert.equal(flow.product('shopify', 'Bowl').fields.status, 'active', 'other records are untouched');
    flow.shop('woocommerce').outside.restore(id);
    await flow.rest();
    assert.deepEqual(
      SIDES.map((side) => flow.product(side, 'Mug').fields.status),
      [status, status],
    );
  }
});

test('[G8] restored and made a draft before anybody looked, or put into the bin as a draft: the draft is a wish, and goes over', async () => {
  for (const when of ['before', 'after'] as const) {
    const flow = new EngineFlow();
    for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
    await flow.link();
    const { outside } = flow.shop('woocommerce');
    const { id } = flow.product('woocommerce', 'Mug');
    if (when === 'before') outside.editProduct(id, 'status', 'draft');
    outside.deleteProduct(id, 'bin');
    await flow.rest();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
    outside.restore(id);
    if (when === 'after') outside.editProduct(id, 'status', 'draft');
    await flow.rest();
    assert.deepEqual(
      SIDES.map((side) => flow.product(side, 'Mug').fields.status),
      ['draft', 'draft'],
      when,
    );
    assert.deepEqual(flow.conflicts(), []);
    outside.editProduct(id, 'status', 'active');
    await flow.rest();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'active');
  }
});

test('[G8] nothing is ever deleted, and with "keep" nothing is archived either', async () => {
  const flow = await linked(3, { deletePolicy: 'keep' });
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'bin');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
  for (const side of SIDES)
    for (const kind of ['delete', 'trash', 'delete_variant']) assert.equal(flow.ours(side, kind), 0);
});

test('[G8] deleted on both sides at once: one delete, and a restore from the bin brings it back with what was typed before', async () => {
  const flow = await linked(3, { conflictResolution: 'oldest' });
  for (const side of SIDES) {
    const shop = flow.shop(side);
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  }
  const { id } = flow.product('woocommerce', 'Mug 1');
  flow.shop('woocommerce').outside.editProduct(id, 'descriptionHtml', '<p>New</p>');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug 1').id, 'hard');
  await flow.lookAt('Mug 1');
  assert.deepEqual(
    flow.changes('deleted').map(({ cause }) => cause),
    ['delete', 'gone_too'],
  );
  flow.shop('woocommerce').outside.restore(id);
  await flow.lookAt('Mug 1');
  await flow.scan();
  const shown = SIDES.map((side) => flow.product(side, 'Mug 1').fields);
  assert.deepEqual(
    shown.map(({ status, descriptionHtml }) => [status, descriptionHtml]),
    [
      ['active', '<p>New</p>'],
      ['active', '<p>New</p>'],
    ],
  );
});

for (const conflictResolution of ['newest', 'manual'] as const)
  test(`[G8, G9] what is gone on both sides is deleted, whatever was typed before; under "${conflictResolution}" nobody is asked`, async () => {
    for (const side of SIDES) {
      const flow = await linked(3, { conflictResolution });
      const other = otherSide(side);
      const ids = { [side]: flow.product(side, 'Mug 1').id, [other]: flow.product(other, 'Mug 1').id };
      flow.hands[side].writeProducts = async (writes) =>
        writes.map(() => ({ ok: false, error: new ConnectorError('unavailable', 'busy') }));
      flow.shop(other).outside.editProduct(ids[other] ?? '', 'descriptionHtml', '<p>New</p>');
      await flow.rest(1);
      flow.shop(side).outside.deleteProduct(ids[side] ?? '', 'hard');
      await flow.world.clock.runFor(10_000);
      flow.shop(other).outside.deleteProduct(ids[other] ?? '', 'hard');
      delete flow.hands[side].writeProducts;
      await flow.rest(30);
      assert.deepEqual(flow.conflicts(), []);
      assert.deepEqual(flow.rows("SELECT state FROM product WHERE title = 'Mug 1'"), [{ state: 'deleted' }]);
      assert.deepEqual(
        flow.changes('deleted').map(({ cause }) => cause),
        ['delete', 'gone_too'],
      );
      for (const each of SIDES) assert.equal(flow.count(each), 2);
    }
  });

test('[G9] a delete against an edit that it had not seen: the edit wins, the record comes back, and the history says so', async () => {
  for (const field of ['title', 'price'] as const) {
    for (const how of ['bin', 'hard'] as const) {
      const flow = await linked(3, { conflictResolution: 'newest' });
      const { id } = flow.product('woocommerce', 'Mug 1');
      if (field === 'title')
        flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'descriptionHtml', '<p>New</p>');
      else
        flow
          .shop('shopify')
          .outside.editVariant(flow.item('shopify', 'MUG-1'), 'price', { regularMinor: 1300, saleMinor: null });
      flow.shop('woocommerce').outside.deleteProduct(id, how);
      await flow.rest(30);
      for (let i = 0; i < 3; i += 1) await flow.scan();
      const name = `${field}, ${how}`;
      assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active', name);
      const back = [...flow.shop('woocommerce').shelf.products.values()].filter(
        (product) => product.fields.title === 'Mug 1' && !product.isTrashed,
      );
      assert.equal(back.length, 1, `${name}: it is back once`);
      if (field === 'title') assert.equal(back[0]?.fields.descriptionHtml, '<p>New</p>');
      else assert.equal(back[0]?.variants[0]?.fields.price.regularMinor, 1300);
      assert.ok(
        flow.changes('deleted').some(({ cause }) => cause === 'edit_wins'),
        `${name}: the history says so`,
      );
    }
  }
});

test('[G9, M1, M3] what an edit brings back is not made where another record bears its SKU by now', async () => {
  const flow = await linked(3, { conflictResolution: 'newest' });
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  flow.stock(['shopify'], { title: 'Twin' }, [{ sku: 'MUG-1' }]);
  shop.faults = calm;
  const twin = flow.product('shopify', 'Twin').id;
  await flow.world.clock.runFor(60_000);
  flow
    .shop('woocommerce')
    .outside.editProduct(flow.product('woocommerce', 'Mug 1').id, 'descriptionHtml', '<p>New</p>');
  shop.outside.deleteProduct(flow.product('shopify', 'Mug 1').id, 'hard');
  await flow.rest(30);
  assert.equal(flow.count('shopify'), 3, 'none is made beside it');
  assert.equal(flow.hub('Mug 1').bindings.shopify?.externalId, twin);
  assert.equal(flow.product('woocommerce', 'Mug 1').fields.status, 'active');
});

test('[G9] a delete against an edit under "manual": a person decides, and until then both are left as they are', async () => {
  const flow = await linked(3, { conflictResolution: 'manual' });
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'descriptionHtml', '<p>New</p>');
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'bin');
  await flow.rest(30);
  assert.deepEqual(
    flow.conflicts().map(({ field, side }) => [field, side]),
    [['deleted', 'woocommerce']],
  );
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
  assert.equal(flow.product('woocommerce', 'Mug 1').isTrashed, true);
  for (let i = 0; i < 2; i += 1) await flow.scan();
  assert.equal(flow.conflicts().length, 1, 'asked once');
});

test('[G11] a record that comes back closes the conflict over its delete, and what was decided does not count for the next', async () => {
  for (const isDecided of [false, true]) {
    const flow = await linked(3, { conflictResolution: 'manual' });
    const { id } = flow.product('woocommerce', 'Mug 1');
    const ask = async (text: string) => {
      flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'descriptionHtml', text);
      flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
      await flow.rest(30);
      assert.deepEqual(
        flow.conflicts().map(({ field }) => field),
        ['deleted'],
      );
    };
    await ask('<p>New</p>');
    flow.shop('woocommerce').outside.restore(id);
    const [conflict] = flow.conflicts();
    if (isDecided && conflict !== undefined)
      resolveConflict(flow.world.life().ctx, { conflictId: conflict.id, expectedVersion: 1, choice: 'remote' });
    await flow.rest(30);
    assert.deepEqual(flow.conflicts(), [], 'there is nothing to decide any more');
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
    flow.shop('woocommerce').outside.editProduct(id, 'status', 'active');
    await flow.rest();
    await ask('<p>Newer</p>');
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active', 'a person is asked again');
  }
});

test('[G12] a counterpart that was put away with a delete and is put on sale again brings the product back on both sides', async () => {
  for (const how of ['bin', 'hard'] as const) {
    const flow = await linked(3, { conflictResolution: 'newest' });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, how);
    if (how === 'hard') for (let i = 0; i < 3; i += 1) await flow.scan();
    await flow.rest();
    const { id } = flow.product('shopify', 'Mug 1');
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'archived');
    flow.shop('shopify').outside.editProduct(id, 'status', 'active');
    await flow.rest(30);
    const live = [...flow.shop('woocommerce').shelf.products.values()].filter(
      (product) => product.fields.title === 'Mug 1' && !product.isTrashed,
    );
    assert.deepEqual(
      live.map((product) => product.fields.status),
      ['active'],
      how,
    );
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
    assert.ok(flow.changes('deleted').some(({ cause }) => cause === 'edit_wins'));
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-1'), 1);
    await flow.rest();
    assert.equal(flow.hubQuantity('MUG-1'), 9, 'it is kept the same again');
  }
});

test('[G12] under "manual" a person decides, and until then both are left as they are', async () => {
  for (const choice of ['hub', 'remote'] as const) {
    const flow = await linked(3, { conflictResolution: 'manual' });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'bin');
    await flow.rest();
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug 1').id, 'status', 'active');
    await flow.rest();
    await flow.scan();
    const [conflict] = flow.conflicts();
    assert.deepEqual([conflict?.field, conflict?.side], ['deleted', 'woocommerce']);
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
    resolveConflict(flow.world.life().ctx, { conflictId: conflict?.id ?? '', expectedVersion: 1, choice });
    await flow.rest();
    assert.deepEqual(flow.conflicts(), []);
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, choice === 'hub' ? 'active' : 'archived');
    assert.equal(flow.product('woocommerce', 'Mug 1').isTrashed, choice === 'remote');
  }
});

test('[G12] what a person decides to be deleted is put away, also where somebody puts it on sale before that is carried out', async () => {
  for (const side of SIDES) {
    const flow = new EngineFlow({ conflictResolution: 'manual' });
    for (const title of titles(3)) flow.stock(SIDES, { title, status: 'draft' }, [{ sku: title }]);
    await flow.link();
    const other = otherSide(side);
    const { id } = flow.product(other, 'Mug 1');
    flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard');
    flow.shop(other).outside.editProduct(id, 'descriptionHtml', '<p>New</p>');
    await flow.rest();
    const [conflict] = flow.conflicts();
    flow.shop(other).outside.editProduct(id, 'status', 'active');
    resolveConflict(flow.world.life().ctx, { conflictId: conflict?.id ?? '', expectedVersion: 1, choice: 'remote' });
    await flow.rest();
    assert.equal(flow.product(other, 'Mug 1').fields.status, other === 'shopify' ? 'archived' : 'draft', other);
    assert.ok(flow.changes('status').some(({ from, target }) => from === 'active' && target === other));
  }
});

test('[G7] records that are gone and that a person is asked about keep no other delete from being proven', async () => {
  const flow = await linked(12, { conflictResolution: 'manual' });
  const all = titles(12);
  for (const title of all.slice(0, 3)) {
    flow.shop('shopify').outside.deleteProduct(flow.product('shopify', title).id, 'hard');
    flow
      .shop('woocommerce')
      .outside.editProduct(flow.product('woocommerce', title).id, 'descriptionHtml', '<p>New</p>');
  }
  await flow.rest();
  assert.equal(flow.conflicts().length, 3);
  const [, , , gone = ''] = all;
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', gone).id, 'hard');
  await flow.rest();
  assert.equal(flow.product('woocommerce', gone).fields.status, 'draft', 'it was put away');
});

test('[G7, G8] a plan shows what would be put away with a delete, and applying it asks for the record itself first', async () => {
  const flow = await linked(3);
  const shop = flow.shop('woocommerce');
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'bin');
  const plan = await flow.plan();
  assert.deepEqual(
    plan
      .filter(({ action }) => action !== 'link')
      .map(({ action, title, data }) => [action, title, data.side, data.fields[0]?.to]),
    [['archive', 'Mug 1', 'shopify', 'archived']],
  );
  await flow.apply();
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'archived');
});

test('[G8, G12] a plan does not offer to make anew what was deleted, unless it was put on sale again', async () => {
  for (const side of SIDES) {
    const flow = await linked(3);
    const other = side === 'woocommerce' ? 'shopify' : 'woocommerce';
    flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug 1').id, 'hard');
    await flow.rest(30);
    const planned = async () =>
      (await flow.plan())
        .filter(({ action, title }) => title === 'Mug 1' && action !== 'link')
        .map(({ action }) => action);
    assert.deepEqual(await planned(), [], `deleted in ${side}`);
    const shop = flow.shop(other);
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.editProduct(flow.product(other, 'Mug 1').id, 'status', 'active');
    assert.deepEqual(await planned(), ['create'], `put on sale again in ${other}`);
  }
});

test('[G8] a plan does not offer to make anew what was deleted and whose counterpart was left as it is', async () => {
  for (const settings of [{ deletePolicy: 'keep' }, { syncProducts: false }] as const) {
    const flow = await linked(3, settings);
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'hard');
    await flow.rest(30);
    assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active');
    const plan = await flow.plan();
    assert.deepEqual(
      plan.filter(({ action }) => action !== 'link'),
      [],
      JSON.stringify(settings),
    );
  }
});

test('[G5] a scan that a crash cuts in two, wherever it is cut, is one listing: an empty shop after it is noticed', async () => {
  for (let edges = 1; edges <= 14; edges += 1) {
    const flow = await linked(4);
    const scanNumber = () => flow.rows<{ n: number }>('SELECT scan_number AS n FROM pair')[0]?.n ?? 0;
    const before = scanNumber();
    requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' });
    flow.world.process?.dieAfterEdges(edges);
    await flow.world.clock.runFor(20_000);
    flow.world.life();
    await flow.rest();
    assert.equal(scanNumber(), before + 1, `cut off after ${edges}`);
    flow.world.setListing('woocommerce', 'empty');
    await flow.scan();
    assert.equal(flow.halt()?.reason, 'empty_listing', `cut off after ${edges}`);
  }
});

test('[G7] a listing that was cut short shows nothing: two complete ones without a record are enough to ask for it', async () => {
  const flow = await linked(4);
  flow.world.setListing('shopify', 'empty');
  await flow.scan();
  assert.equal(flow.halt()?.reason, 'empty_listing', 'WooCommerce was listed, and then it ended');
  flow.world.setListing('shopify', null);
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest();
  const shop = flow.shop('woocommerce');
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteProduct(flow.product('woocommerce', 'Mug 1').id, 'hard');
  await flow.scan();
  assert.equal(flow.product('shopify', 'Mug 1').fields.status, 'active', 'one listing may have a hole');
  await flow.scan();
  assert.notEqual(flow.product('shopify', 'Mug 1').fields.status, 'active');
});

test('[G8] a record that was to join one which is gone is none that was deleted: it is carried over anew', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true } });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.link();
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  // The hub has to know of it, and must not be told that it is gone.
  shop.outside.editProduct(flow.product('shopify', 'Cup').id, 'title', 'Tea cup');
  await flow.rest();
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteProduct(flow.product('shopify', 'Tea cup').id, 'hard');
  flow.stock(['woocommerce'], { title: 'Blue cup' }, [{ sku: 'CUP' }]);
  await flow.rest();
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, 'Blue cup').fields.status),
    ['active', 'active'],
  );
  assert.equal(flow.hub('Blue cup').row.state, 'live');
});
