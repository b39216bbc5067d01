// What a reader of SPEC.md alone should be able to foresee: each case mixes rules that stand far apart in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { enqueueProductSync } from '../../engine/enqueue.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { EngineFlow, type FlowVariant } from './engine-flow.ts';

const MUG: readonly FlowVariant[] = [{ sku: 'MUG' }];

async function linked(settings: Partial<PairSettings> = {}, variants = MUG, change = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug', ...change }, variants);
  for (let i = 1; i < 12; i += 1) flow.stock(SIDES, { title: `Bowl ${i}` }, [{ sku: `BOWL-${i}` }]);
  return flow.link();
}

/** What is done is told to nobody; then both sides are looked at in one pass. */
async function unseen(flow: EngineFlow, change: () => unknown): Promise<void> {
  const calm = SIDES.map((side) => flow.shop(side).faults);
  const productId = flow.hub('Mug').row.id;
  SIDES.forEach((side, i) => {
    flow.shop(side).faults = { ...calm[i], delivery: () => ({ delaysMs: [], isLate: false }) } as (typeof calm)[0];
  });
  await change();
  SIDES.forEach((side, i) => {
    flow.shop(side).faults = calm[i] as (typeof calm)[0];
  });
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now()));
  await flow.rest();
}

const only = (flow: EngineFlow, side: Side) => {
  const [binding] = flow.rows<{ id: string }>(
    "SELECT external_id AS id FROM product_binding JOIN variant USING (product_id) WHERE sku LIKE 'MUG%' AND side = ?",
    side,
  );
  return [...flow.shop(side).shelf.products.values()].find(({ id }) => id === binding?.id);
};
const titles = (flow: EngineFlow) => SIDES.map((side) => only(flow, side)?.fields.title);
const type = (flow: EngineFlow, side: Side, title: string) =>
  flow.shop(side).outside.editProduct(only(flow, side)?.id ?? '', 'title', title);

test('[S2] three sold on one side, counted up by two on the other: both count', async () => {
  const flow = await linked();
  await unseen(flow, () => {
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
    flow.shop('shopify').outside.recount(flow.item('shopify', 'MUG'), 12);
  });
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [9, 9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('[S1, S2] what the buffer hides is not sold: the hub counts what is there', async () => {
  const flow = await linked({ stockBuffer: 2 });
  assert.deepEqual(flow.quantities('MUG'), [8, 8]);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 5);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [5, 3, 3]);
});

test('[S1, S9] the last one is sold twice: both show none, and a person is told', async () => {
  const flow = await linked({}, [{ sku: 'MUG', quantity: 1 }]);
  await unseen(flow, () => {
    for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
  });
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [-1, 0, 0]);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
});

test('[R9, R11] a target that was edited keeps what was typed, also when the source changes later', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' });
  type(flow, 'shopify', 'X');
  await flow.rest();
  type(flow, 'woocommerce', 'Y');
  await flow.rest();
  assert.deepEqual(titles(flow), ['Y', 'X']);
  assert.deepEqual(flow.problems(), ['DRIFT']);
});

test('[R6] seen in one pass, nobody knows which came first: the preferred side wins', async () => {
  const flow = await linked({ preferredSide: 'shopify' });
  await unseen(flow, async () => {
    type(flow, 'shopify', 'S-title');
    await flow.world.clock.runFor(1_000);
    type(flow, 'woocommerce', 'W-title');
  });
  assert.deepEqual(titles(flow), ['S-title', 'S-title']);
  const lost = flow.changes('title').some(({ from, cause }) => from === 'W-title' && cause === 'conflict_remote');
  assert.ok(lost, 'the loser stands in the history');
  assert.deepEqual(flow.conflicts(), []);
});

for (const conflictResolution of ['newest', 'manual'] as const)
  test(`[R4] made a draft in WooCommerce and archived in Shopify, before either was seen, is both (${conflictResolution})`, async () => {
    const flow = await linked({ conflictResolution });
    await unseen(flow, () => {
      for (const [side, status] of [
        ['woocommerce', 'draft'],
        ['shopify', 'archived'],
      ] as const)
        flow.shop(side).outside.editProduct(only(flow, side)?.id ?? '', 'status', status);
    });
    assert.deepEqual(
      SIDES.map((side) => only(flow, side)?.fields.status),
      ['draft', 'archived'],
    );
    assert.deepEqual([flow.conflicts(), flow.problems()], [[], []]);
  });

test('[R8] what one side adds is added, what the other removes is removed', async () => {
  const flow = await linked({}, MUG, { tags: ['a', 'b'] });
  await unseen(flow, () => {
    for (const [side, tags] of [
      ['woocommerce', ['a', 'b', 'c']],
      ['shopify', ['b', 'd']],
    ] as const)
      flow.shop(side).outside.editProduct(only(flow, side)?.id ?? '', 'tags', tags);
  });
  for (const side of SIDES) assert.deepEqual([...(only(flow, side)?.fields.tags ?? [])].sort(), ['b', 'c', 'd']);
});

test('[R5, R15] a price is one field: a sale here and a new regular price there are never mixed', async () => {
  const price = { regularMinor: 2000, saleMinor: null };
  const flow = await linked({ conflictResolution: 'woocommerce' }, [{ sku: 'MUG', price }]);
  await unseen(flow, () => {
    const put = (side: Side, regularMinor: number, saleMinor: number | null) =>
      flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'price', { regularMinor, saleMinor });
    put('woocommerce', 2000, 1500);
    put('shopify', 2500, null);
  });
  for (const side of SIDES)
    assert.deepEqual(only(flow, side)?.variants[0]?.fields.price, { regularMinor: 2000, saleMinor: 1500 });
  assert.ok(
    flow.changes('price').some(({ from }) => JSON.stringify(from).includes('2500')),
    'the loser is told',
  );
});

test('[G9] deleted here, edited there before anybody knew: the edit wins, and the record is made again', async () => {
  const flow = await linked();
  await unseen(flow, () => {
    type(flow, 'shopify', 'New');
    flow.shop('woocommerce').outside.deleteProduct(only(flow, 'woocommerce')?.id ?? '', 'hard');
  });
  assert.deepEqual(titles(flow), ['New', 'New']);
  assert.equal(only(flow, 'shopify')?.fields.status, 'active');
});

test('[R4, R7] a person decides on the title alone; when the shops agree by themselves, nothing is left to decide', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  await unseen(flow, () => {
    type(flow, 'woocommerce', 'W');
    type(flow, 'shopify', 'S');
    flow.shop('woocommerce').outside.editProduct(only(flow, 'woocommerce')?.id ?? '', 'descriptionHtml', '<p>tea</p>');
  });
  assert.deepEqual(titles(flow), ['W', 'S']);
  assert.equal(only(flow, 'shopify')?.fields.descriptionHtml, '<p>tea</p>');
  assert.deepEqual(
    flow.conflicts().map(({ field }) => field),
    ['title'],
  );
  type(flow, 'woocommerce', 'S');
  await flow.rest();
  assert.deepEqual([titles(flow), flow.conflicts()], [['S', 'S'], []]);
});

test('[L1, L2, S8] first link: WooCommerce wins, a blank never does, and nothing sells out without consent', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Blue mug', descriptionHtml: '' }, [{ sku: 'MUG', quantity: 0 }]);
  flow.stock(['shopify'], { title: 'Mug, blue', descriptionHtml: '<p>Holds tea.</p>' }, [{ sku: 'MUG', quantity: 20 }]);
  await flow.link();
  assert.deepEqual(titles(flow), ['Blue mug', 'Blue mug']);
  for (const side of SIDES) assert.equal(only(flow, side)?.fields.descriptionHtml, '<p>Holds tea.</p>');
  assert.deepEqual(flow.quantities('MUG'), [0, 20]);
  assert.equal(flow.problems().length, 1);
});

test('[G1, G2, G4, G10] one budget for all harm: the eleventh product halts, and goes through once a person has looked', async () => {
  const flow = await linked();
  const { outside } = flow.shop('woocommerce');
  const bowls = Array.from({ length: 11 }, (_, i) => i + 1);
  const harmed = () =>
    bowls.filter((i) => {
      const { fields, variants } = flow.product('shopify', `Bowl ${i}`);
      return fields.status !== 'active' || (variants[0]?.fields.price.regularMinor ?? 0) < 1000;
    }).length;
  for (const i of bowls) {
    if (i < 10) outside.deleteProduct(flow.product('woocommerce', `Bowl ${i}`).id, 'hard');
    else outside.editVariant(flow.item('woocommerce', `BOWL-${i}`), 'price', { regularMinor: 400, saleMinor: null });
  }
  await flow.rest();
  assert.equal(flow.status(), 'halted');
  assert.ok(harmed() <= 10, `${harmed()} were harmed`);
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.status(), harmed()], ['active', 11]);
});

test('[V4] a variant that was removed is put away on the other side, and what happens to it there is its own', async () => {
  const variants = ['S', 'M', 'L'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));
  const flow = await linked({}, variants, { optionNames: ['Size'] });
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  const left = only(flow, 'woocommerce')?.variants.find(({ fields }) => fields.sku === 'MUG-M');
  assert.equal(left?.isArchived, true);
  flow.shop('woocommerce').outside.editVariant(left?.stockId ?? '', 'price', { regularMinor: 1, saleMinor: null });
  await flow.rest();
  assert.deepEqual(
    only(flow, 'shopify')?.variants.map(({ fields }) => [fields.sku, fields.price.regularMinor]),
    [
      ['MUG-S', 1000],
      ['MUG-L', 1000],
    ],
  );
  assert.deepEqual(flow.problems(), []);
});

test('[G8, G9] an edit that had arrived is none against a delete: the counterpart is put away', async () => {
  const flow = await linked();
  type(flow, 'woocommerce', 'A');
  await flow.rest();
  assert.deepEqual(titles(flow), ['A', 'A']);
  flow.shop('shopify').outside.deleteProduct(only(flow, 'shopify')?.id ?? '', 'hard');
  await flow.rest();
  assert.notEqual(flow.product('woocommerce', 'A').fields.status, 'active');
  assert.equal(flow.conflicts().length, 0);
});

async function change(flow: EngineFlow, settings: Partial<PairSettings>): Promise<void> {
  updatePairSettings(flow.world.life().ctx, PAIR_ID, settings);
  await flow.rest();
  await flow.scan();
}

test('[V3, V4] what a target added and removed of its variants counts once both lead', async () => {
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify' }, sizes, { optionNames: ['Size'] });
  const { outside } = flow.shop('shopify');
  outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  outside.addVariant(only(flow, 'shopify')?.id ?? '', {
    fields: variant({ sku: 'MUG-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 4 },
  });
  await flow.rest();
  const shown = () =>
    only(flow, 'woocommerce')?.variants.flatMap(({ fields, isArchived }) => (isArchived ? [] : [fields.sku]));
  assert.deepEqual([shown(), flow.problems()], [['MUG-S', 'MUG-M'], ['DELETED_ON_TARGET']]);
  await change(flow, { syncDirection: 'bidirectional' });
  assert.deepEqual([shown(), flow.problems(), flow.quantity('woocommerce', 'MUG-L')], [['MUG-S', 'MUG-L'], [], 4]);
});

test('[G8] what was left as it is under "keep" stays so once the policy is another', async () => {
  const flow = await linked({ deletePolicy: 'keep' });
  flow.shop('shopify').outside.deleteProduct(only(flow, 'shopify')?.id ?? '', 'hard');
  await flow.rest();
  await change(flow, { deletePolicy: 'archive' });
  assert.equal(only(flow, 'woocommerce')?.fields.status, 'active');
});

test('[G9] an edit that wins against a delete where nothing may be made lives on where it is', async () => {
  const flow = await linked({ createOn: { woocommerce: true, shopify: false } });
  await unseen(flow, () => {
    type(flow, 'woocommerce', 'Cup');
    flow.shop('shopify').outside.deleteProduct(only(flow, 'shopify')?.id ?? '', 'hard');
  });
  await flow.scan();
  assert.deepEqual([only(flow, 'woocommerce')?.fields.status, flow.count('shopify')], ['active', 11]);
  assert.ok(flow.changes('deleted').some(({ cause }) => cause === 'edit_wins'));
});

test('[T2, S9] inventory switched off: an oversell stays told, and is over with what was restocked once it is on', async () => {
  const flow = await linked({}, [{ sku: 'MUG', quantity: 1 }]);
  await unseen(flow, () => SIDES.map((side) => flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1)));
  await change(flow, { syncInventory: false });
  flow.shop('woocommerce').outside.recount(flow.item('woocommerce', 'MUG'), 5);
  await flow.rest();
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [['OVERSOLD'], [5, 0]]);
  await change(flow, { syncInventory: true });
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [4, 4]]);
});

test('[S1, S9] a buffer is kept back of what there is, never of what is short', async () => {
  const flow = await linked({ stockBuffer: 2 }, [{ sku: 'MUG', backorders: 'yes' }]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 7);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [3, 1, 1]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 4);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [-1, -1, -1]);
});

test('[R10, V3] while details are off neither a product nor a variant is made, and both are once they are on', async () => {
  const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));
  const flow = await linked({}, sizes, { optionNames: ['Size'] });
  await change(flow, { syncProducts: false });
  const { outside } = flow.shop('woocommerce');
  flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  outside.addVariant(only(flow, 'woocommerce')?.id ?? '', {
    fields: variant({ sku: 'MUG-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 4 },
  });
  await flow.rest();
  await flow.scan();
  const made = () => [flow.count('shopify'), only(flow, 'shopify')?.variants.map(({ fields }) => fields.sku)];
  assert.deepEqual(made(), [12, ['MUG-S', 'MUG-M']]);
  await change(flow, { syncProducts: true });
  assert.deepEqual(made(), [13, ['MUG-S', 'MUG-M', 'MUG-L']]);
  assert.equal(flow.quantity('shopify', 'MUG-L'), 4);
});

for (const enforce of [false, true])
  test(`[R11, G8] what is typed at a target that was put away with its source's delete is drift all the same (${enforce ? 'enforced' : 'left alone'})`, async () => {
    const flow = await linked({ syncDirection: 'woocommerce_to_shopify', enforce });
    const { outside } = flow.shop('woocommerce');
    const id = only(flow, 'woocommerce')?.id ?? '';
    outside.deleteProduct(id, 'bin');
    await flow.rest();
    type(flow, 'shopify', 'Cup');
    await flow.rest();
    const told = enforce ? [] : ['DRIFT'];
    const title = enforce ? 'Mug' : 'Cup';
    const shown = () => [only(flow, 'shopify')?.fields.status, only(flow, 'shopify')?.fields.title, flow.problems()];
    assert.deepEqual(shown(), ['archived', title, told]);
    outside.restore(id);
    await flow.rest();
    assert.deepEqual(shown(), ['active', title, told]);
  });

for (const conflictResolution of ['newest', 'woocommerce', 'shopify'] as const)
  test(`[R7, G9] asked about a title and then about the delete of one of the two: another policy (${conflictResolution}) keeps the product, and takes its own title`, async () => {
    const flow = await linked({ conflictResolution: 'manual' });
    await unseen(flow, () => {
      type(flow, 'woocommerce', 'W');
      type(flow, 'shopify', 'S');
    });
    flow.shop('woocommerce').outside.deleteProduct(only(flow, 'woocommerce')?.id ?? '', 'hard');
    await flow.rest();
    assert.deepEqual(
      flow
        .conflicts()
        .map(({ field }) => field)
        .sort(),
      ['deleted', 'title'],
    );
    await change(flow, { conflictResolution });
    const title = conflictResolution === 'shopify' ? 'S' : 'W';
    assert.deepEqual([titles(flow), flow.conflicts()], [[title, title], []]);
    for (const side of SIDES) assert.equal(only(flow, side)?.fields.status, 'active');
  });

for (const what of ['a variant is added', 'a variant is removed', 'a price that is not kept the same is cut'] as const)
  test(`[G9] ${what}, and the product is deleted on the other side before anybody knew: that is no edit against it`, async () => {
    const sizes = ['S', 'M'].map((size) => ({ sku: `MUG-${size}`, optionValues: [size] }));
    const flow = await linked({ syncPrices: false }, sizes, { optionNames: ['Size'] });
    const { outside } = flow.shop('shopify');
    const added = { fields: variant({ sku: 'MUG-L', optionValues: ['L'] }), stock: { tracked: true, quantity: 4 } };
    await unseen(flow, () => {
      if (what === 'a variant is added') outside.addVariant(only(flow, 'shopify')?.id ?? '', added);
      else if (what === 'a variant is removed') outside.deleteVariant(flow.item('shopify', 'MUG-M'));
      else outside.editVariant(flow.item('shopify', 'MUG-M'), 'price', { regularMinor: 700, saleMinor: null });
      flow.shop('woocommerce').outside.deleteProduct(only(flow, 'woocommerce')?.id ?? '', 'bin');
    });
    assert.equal(only(flow, 'shopify')?.fields.status, 'archived');
    assert.deepEqual(flow.conflicts(), []);
  });
