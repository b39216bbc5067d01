// Two products, each known of its own shop alone, that turn out to be one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

const NOWHERE = { woocommerce: false, shopify: false };

/** Both shops added the same cup under a SKU of their own to a pair that makes nothing: the hub knows it twice. */
async function open(settings: Partial<PairSettings> = {}, handles = ['cup-w', 'cup-s']): Promise<EngineFlow> {
  const flow = new EngineFlow({ createOn: NOWHERE, ...settings });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.stock(['woocommerce'], { title: 'Cup', handle: handles[0] ?? '' }, [{ sku: 'W', quantity: 10 }]);
  flow.stock(['shopify'], { title: 'Cup', handle: handles[1] ?? '' }, [{ sku: 'S', quantity: 7 }]);
  await flow.rest(30);
  await flow.scan();
  assert.deepEqual([hubsOf(flow), flow.problems()], [3, []]);
  return flow;
}

/** From now on a shop tells of nothing. */
function silence(flow: EngineFlow, side: Side): void {
  const shop = flow.shop(side);
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
}

const hubsOf = (flow: EngineFlow) => flow.rows("SELECT id FROM product WHERE state = 'live'").length;

const joinsOf = (flow: EngineFlow) => flow.rows("SELECT 1 FROM change WHERE cause = 'joined'").length;
const actions = async (flow: EngineFlow) => (await flow.plan()).slice(1).map(({ action }) => action);

/** One product in both shops whose edits and sales cross. */
async function assertOne(flow: EngineFlow, sku: string, words: string, leader: Side = 'shopify'): Promise<void> {
  assert.deepEqual(flow.problems(), [], words);
  assert.equal(hubsOf(flow), 2, words);
  assert.deepEqual(
    SIDES.map((side) => flow.count(side)),
    [2, 2],
    words,
  );
  assert.deepEqual(flow.quantities(sku), [7, 7], words);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 2);
  flow.shop('shopify').outside.sell(flow.item('shopify', sku), 1);
  flow.shop(leader).outside.editProduct(flow.product(leader, 'Cup').id, 'title', 'Tea cup');
  await flow.rest(5);
  assert.deepEqual(flow.quantities(sku), [4, 4], words);
  for (const side of SIDES) assert.ok(flow.product(side, 'Tea cup'), words);
}

for (const side of SIDES)
  test(`[M1] corrected in ${side}, a SKU makes one of two that were known apart`, async () => {
    for (const syncDirection of ['bidirectional', 'woocommerce_to_shopify', 'shopify_to_woocommerce'] as const) {
      const flow = await open({ syncDirection });
      const [from, to] = side === 'woocommerce' ? (['W', 'S'] as const) : (['S', 'W'] as const);
      flow.shop(side).outside.renameSku(flow.item(side, from), to);
      await flow.rest(10);
      await assertOne(flow, to, syncDirection, syncDirection === 'woocommerce_to_shopify' ? 'woocommerce' : 'shopify');
      const [ended] = flow.rows<{ id: string }>("SELECT id FROM product WHERE state = 'deleted'");
      const story = flow.rows('SELECT cause FROM change WHERE product_id = ? ORDER BY seq DESC LIMIT 1', ended?.id);
      assert.deepEqual(story, [{ cause: 'joined' }]);
    }
  });

test('[M1] what the first plan did not make is known: it is found by a SKU that is corrected, and by a product that is added, right afterwards', async () => {
  for (const syncDirection of ['bidirectional', 'woocommerce_to_shopify', 'shopify_to_woocommerce'] as const)
    for (const side of SIDES)
      for (const isAdded of [false, true]) {
        const flow = new EngineFlow({ createOn: NOWHERE, syncDirection });
        const other = otherSide(side);
        flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
        flow.stock([side], { title: 'Cup', handle: 'cup-1' }, [{ sku: 'A', quantity: 10 }]);
        if (!isAdded) flow.stock([other], { title: 'Cup', handle: 'cup-2' }, [{ sku: 'B', quantity: 7 }]);
        await flow.link();
        if (isAdded) flow.stock([other], { title: 'Cup', handle: 'cup-2' }, [{ sku: 'A', quantity: 7 }]);
        else flow.shop(other).outside.renameSku(flow.item(other, 'B'), 'A');
        await flow.rest(10);
        const leader = syncDirection === 'woocommerce_to_shopify' ? 'woocommerce' : 'shopify';
        await assertOne(flow, 'A', `${syncDirection}, ${side}, ${isAdded ? 'added' : 'corrected'}`, leader);
      }
});

test('[M1] two that are given one SKU in the same moment are made one', async () => {
  const flow = await open();
  for (const side of SIDES)
    flow.shop(side).outside.renameSku(flow.item(side, side === 'woocommerce' ? 'W' : 'S'), 'CUP');
  await flow.rest(10);
  await assertOne(flow, 'CUP', 'at once');
});

test('[M1] a plan tells that two known apart are one, and applying it makes them one', async () => {
  for (const createOn of [NOWHERE, { woocommerce: true, shopify: true }]) {
    const flow = await open();
    silence(flow, 'shopify');
    flow.shop('shopify').outside.renameSku(flow.item('shopify', 'S'), 'W');
    flow.change({ createOn });
    const rows = await flow.plan();
    assert.deepEqual(
      rows.slice(1).map(({ action, title, data }) => [action, title, data.reason]),
      [['link', 'Cup', 'sku']],
    );
    await flow.apply();
    await assertOne(flow, 'W', JSON.stringify(createOn), 'woocommerce');
  }
});

test('[M3] two of one shop that bear the SKU of what the other has alone stay apart, until one gives it up', async () => {
  const flow = await open();
  flow.stock(['shopify'], { title: 'Mug', handle: 'mug' }, [{ sku: 'M', quantity: 7 }]);
  await flow.rest(30);
  const cup = flow.item('shopify', 'S');
  const mug = flow.item('shopify', 'M');
  flow.shop('shopify').outside.renameSku(cup, 'W');
  flow.shop('shopify').outside.renameSku(mug, 'W');
  flow.shop('woocommerce').outside.renameSku(flow.item('woocommerce', 'W'), 'X');
  await flow.rest(10);
  assert.equal(hubsOf(flow), 4);
  flow.shop('woocommerce').outside.renameSku(flow.item('woocommerce', 'X'), 'W');
  await flow.rest(10);
  assert.equal(hubsOf(flow), 4, 'nobody guesses which of the two it is');
  flow.shop('shopify').outside.renameSku(mug, 'M');
  await flow.rest(30);
  assert.deepEqual([hubsOf(flow), flow.problems()], [3, []]);
  assert.deepEqual(flow.quantities('W'), [7, 7]);
});

test('[M1] what is added to both shops of a pair that makes nothing, in the same moment, is one from the start', async () => {
  for (const barcode of ['', '4006381333931']) {
    const flow = new EngineFlow({ createOn: NOWHERE });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    flow.stock(SIDES, { title: 'Cup' }, [{ sku: barcode === '' ? 'CUP' : '', barcode, quantity: 10 }]);
    await flow.rest(10);
    assert.deepEqual([flow.rows('SELECT id FROM product').length, flow.problems()], [2, []]);
    assert.deepEqual(Object.keys(flow.hub('Cup').bindings).sort(), ['shopify', 'woocommerce']);
  }
});

test('[M1, M3] a new product with the SKU that a half gave up is not taken for that', async () => {
  const flow = await open();
  const { outside } = flow.shop('shopify');
  outside.editVariant(flow.item('shopify', 'S'), 'weightMg', 777_000);
  await flow.rest(5);
  outside.renameSku(flow.item('shopify', 'S'), 'W');
  await flow.rest(10);
  flow.stock(['shopify'], { title: 'Plate', descriptionHtml: '', tags: ['plates'] }, [{ sku: 'S', weightMg: 0 }]);
  await flow.rest(20);
  const { fields, variants } = flow.product('shopify', 'Plate');
  assert.deepEqual([fields.descriptionHtml, fields.tags, variants[0]?.fields.weightMg], ['', ['plates'], 0]);
});

test('[M1, G8] what two became is the same when it is made again', async () => {
  const flow = await open();
  for (const side of SIDES)
    flow.shop(side).outside.renameSku(flow.item(side, side === 'woocommerce' ? 'W' : 'S'), 'CUP');
  await flow.rest(20);
  const { id } = flow.hub('Cup').row;
  for (const side of SIDES) flow.shop(side).outside.deleteProduct(flow.product(side, 'Cup').id, 'hard');
  await flow.rest(20);
  flow.stock(['shopify'], { title: 'Cup', handle: 'again' }, [{ sku: 'CUP' }]);
  await flow.rest(20);
  assert.equal(flow.hub('Cup').row.id, id);
});

test('[M1] a plan promises no link by handle of two that are known', async () => {
  const flow = await open({}, ['cup', 'cup']);
  const planned = await actions(flow);
  await flow.apply();
  assert.equal(hubsOf(flow) === 2, planned.includes('link'), planned.join());
});
test('[M1] nor of one that is known and one that is new', async () => {
  const flow = new EngineFlow({
    createOn: { woocommerce: true, shopify: true },
    syncDirection: 'woocommerce_to_shopify',
  });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.stock(['shopify'], { title: 'Cup', handle: 'cup' }, [{ sku: 'S', quantity: 7 }]);
  await flow.rest(30);
  silence(flow, 'woocommerce');
  flow.stock(['woocommerce'], { title: 'Cup', handle: 'cup' }, [{ sku: 'W', quantity: 10 }]);
  assert.deepEqual(await actions(flow), ['ambiguous', 'skip']);
});

test('[R10, M1] nor a link by keys that the hub does not hear of while details are off', async () => {
  const flow = await open({ syncProducts: false });
  for (const side of SIDES)
    flow.shop(side).outside.renameSku(flow.item(side, side === 'woocommerce' ? 'W' : 'S'), 'CUP');
  await flow.rest(20);
  const planned = await actions(flow);
  await flow.apply();
  assert.equal(hubsOf(flow) === 2, planned.includes('link'), planned.join());
});

test('[M3] two are given the SKU of a third in one moment: none of them ends', async () => {
  const flow = await open();
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'M', quantity: 7 }]);
  await flow.rest(30);
  for (const sku of ['S', 'M']) flow.shop('shopify').outside.renameSku(flow.item('shopify', sku), 'W');
  await flow.rest(60);
  assert.deepEqual([hubsOf(flow), joinsOf(flow)], [4, 0]);
});
test('[M1, V4] a key that no record shows any more stands in nobody’s way', async () => {
  const flow = new EngineFlow({ createOn: NOWHERE });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.stock(['woocommerce'], { title: 'Cup', handle: 'cup-w', optionNames: ['Color'] }, [
    { sku: 'W1', optionValues: ['Red'] },
    { sku: 'W2', optionValues: ['Blue'] },
  ]);
  flow.stock(['shopify'], { title: 'Cup', handle: 'cup-s', optionNames: ['Color'] }, [
    { sku: 'S', optionValues: ['Red'] },
  ]);
  flow.stock(['shopify'], { title: 'Other' }, [{ sku: 'O' }]);
  await flow.rest(30);
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'W2'));
  await flow.rest(20);
  flow.shop('shopify').outside.renameSku(flow.item('shopify', 'O'), 'W2');
  await flow.rest(20);
  flow.shop('shopify').outside.renameSku(flow.item('shopify', 'S'), 'W1');
  await flow.rest(20);
  assert.deepEqual([flow.problems(), hubsOf(flow)], [[], 3]);
});

test('[M1] what stood in the way is gone: the next full look makes one of the two', async () => {
  const flow = await open();
  flow.unsyncable.set('Bundle', { reason: 'bundle', detail: '' });
  flow.stock(['shopify'], { title: 'Bundle' }, [{ sku: 'W' }]);
  await flow.rest(20);
  flow.shop('shopify').outside.renameSku(flow.item('shopify', 'S'), 'W');
  await flow.rest(20);
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Bundle').id, 'hard');
  await flow.rest(20);
  await flow.scan();
  assert.equal(hubsOf(flow), 2);
});

test('[M1] what was in the bin once, and never had a counterpart, joins like any', async () => {
  const flow = await open();
  const { outside } = flow.shop('woocommerce');
  const { id } = flow.product('woocommerce', 'Cup');
  outside.deleteProduct(id, 'bin');
  await flow.rest(20);
  outside.restore(id);
  await flow.rest(20);
  flow.shop('shopify').outside.renameSku(flow.item('shopify', 'S'), 'W');
  await flow.rest(20);
  await flow.scan();
  assert.equal(hubsOf(flow), 2);
});

test('[M1] a key that its shop told nobody of is found before the other half is made there', async () => {
  const flow = await open();
  silence(flow, 'shopify');
  flow.shop('shopify').outside.renameSku(flow.item('shopify', 'S'), 'W');
  await flow.rest(1);
  flow.change({ createOn: { woocommerce: true, shopify: true } });
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Cup').id, 'tags', ['new']);
  await flow.rest(10);
  await assertOne(flow, 'W', 'found', 'woocommerce');
});
