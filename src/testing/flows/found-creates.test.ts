// A create without an answer, found again by its mark: until then nobody knew which record of the shop it had become.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productLock } from '../../engine/locks.ts';
import { requestRun } from '../../engine/runs/request-run.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES } from '../../model/platform.ts';
import type { Mark } from '../../model/snapshot.ts';
import { PAIR_ID, SHOPS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

/** A cup that Shopify has, and whose create in WooCommerce lands and is never answered. Whether WooCommerce tells of what happens there. */
async function unanswered({ isTold }: { readonly isTold: boolean }): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  flow.stock(['woocommerce', 'shopify'], { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const shop = flow.shop('woocommerce');
  const { faults } = shop;
  const calm = isTold ? faults : { ...faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'create_product') return calm.request(facts);
      shop.faults = calm;
      return { ...calm.request(facts), fault: { type: 'timeout', when: 'after' } };
    },
  };
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  return flow;
}

/** The first search that finds it goes on to `meanwhile` before the pass is told. */
function onFound(flow: EngineFlow, meanwhile: () => void | Promise<void>): { count: number } {
  const { woocommerce } = flow.hands;
  const searches = { count: 0 };
  Object.assign(woocommerce, {
    async findByMark(mark: Mark, createdAfter: number, signal: AbortSignal) {
      const found = await flow.connector('woocommerce').findByMark(mark, createdAfter, signal);
      if (found === null) return found;
      searches.count += 1;
      if (searches.count === 1) await meanwhile();
      return found;
    },
  });
  return searches;
}

function typeOnBoth(flow: EngineFlow): void {
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Cup').id, 'title', 'Typed in WooCommerce');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Cup').id, 'title', 'Typed in Shopify');
}

const cup = (flow: EngineFlow) => flow.product('woocommerce', 'Cup').id;

async function isInHistory(flow: EngineFlow, searches: { readonly count: number }): Promise<void> {
  await flow.rest(30);
  assert.ok(searches.count > 0, 'it was found');
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [2, 2], 'nothing was made twice');
  assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
  const told = flow.changes('title').flatMap(({ from, to }) => [from, to]);
  for (const title of ['Typed in WooCommerce', 'Typed in Shopify'])
    assert.ok(told.includes(title), `the history knows "${title}"`);
}

test('[W1, W3] what is read of a new record while its create is looked for is not lost', async () => {
  const flow = await unanswered({ isTold: true });
  // The shop tells of the new record, and the look at that comes back when the create may be looked for: both are in one batch.
  await isInHistory(
    flow,
    onFound(flow, () => typeOnBoth(flow)),
  );
});

test('[W1] what a search for a create has found is read again before it is written: a listing may have shown it since', async () => {
  const flow = await unanswered({ isTold: false });
  const { ctx, clock } = flow.world.life();
  const searches = onFound(flow, async () => {
    typeOnBoth(flow);
    requestRun(ctx, { pairId: PAIR_ID, trigger: 'reconcile' });
    await clock.sleep(5_000);
  });
  await isInHistory(flow, searches);
});

test('[W3] the record that a create is found to have become is not written while somebody else has it locked', async () => {
  const flow = await unanswered({ isTold: false });
  const writes = () => flow.ours('woocommerce', 'set_field');
  const { ctx, clock } = flow.world.life();
  const before = writes();
  const searches = onFound(flow, () => {
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Cup').id, 'title', 'Tea cup');
    const release = ctx.locks.tryAcquire([productLock(SHOPS.woocommerce, cup(flow))]);
    assert.ok(release, 'nobody else is at work on it');
    clock.setTimer(() => {
      assert.equal(writes(), before);
      release();
    }, 5_000);
  });
  await flow.rest();
  assert.ok(searches.count > 1, 'it was looked for again when it was free');
  assert.equal(flow.product('woocommerce', 'Tea cup').id, flow.hub('Tea cup').bindings.woocommerce?.externalId);
});

test('[W4, W3] a create that was found by a pass which could not go on is settled by the next', async () => {
  const flow = await unanswered({ isTold: false });
  const searches = onFound(flow, () => {
    const { shopify } = flow.hands;
    Object.assign(shopify, {
      async readProducts() {
        delete shopify.readProducts;
        throw new ConnectorError('unavailable', 'The shop is being mended.');
      },
    });
    typeOnBoth(flow);
  });
  await isInHistory(flow, searches);
  assert.equal(searches.count, 2);
});

test('[M1] a SKU that left a product which is not made yet, for another one, keeps nobody from making it', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: true, shopify: false } });
  flow.stock(['woocommerce'], { title: 'Mug', optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'] },
    { sku: 'MUG-L', optionValues: ['L'] },
  ]);
  flow.stock(['shopify'], { title: 'Jug' }, [{ sku: 'JUG' }]);
  await flow.link();
  const shop = flow.shop('woocommerce');
  shop.outside.editProduct(flow.product('woocommerce', 'Mug').id, 'descriptionHtml', '<p>Known</p>');
  await flow.rest();
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteVariant(flow.item('woocommerce', 'MUG-L'));
  shop.faults = calm;
  shop.outside.renameSku(flow.item('woocommerce', 'JUG'), 'MUG-L');
  await flow.rest();
  flow.change({ createOn: { woocommerce: true, shopify: true } });
  await flow.scan();
  await flow.rest(60);
  assert.deepEqual(flow.problems(), []);
  assert.deepEqual(
    flow.product('shopify', 'Mug').variants.map(({ fields }) => fields.sku),
    ['MUG-S'],
  );
});

test('[M1] a run meets a record that joins a known one, and the known one can not be read just then: it joins all the same', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: true }, syncSchedule: 'manual' });
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  await flow.scan();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  let isFirst = true;
  flow.hands.shopify.readProducts = async (ids, signal) => {
    if (!isFirst) return flow.connector('shopify').readProducts(ids, signal);
    isFirst = false;
    throw new ConnectorError('unavailable', 'a moment');
  };
  await flow.scan();
  await flow.rest(60);
  assert.equal(isFirst, false);
  const bound = flow.rows(
    "SELECT 1 FROM product_binding b JOIN product p ON p.id = b.product_id WHERE p.title = 'Mug'",
  );
  assert.equal(bound.length, 2);
});

test('[V5, W3] a variant that was deleted and added again in WooCommerce before its create was found is one variant, not two', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const { outside, shelf } = flow.shop('woocommerce');
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    delivery: () => ({ delaysMs: [], isLate: false }),
    request: (facts) => {
      if (facts.operation !== 'create_product') return calm.request(facts);
      shop.faults = { ...calm, delivery: shop.faults.delivery };
      return { ...calm.request(facts), fault: { type: 'timeout', when: 'after' } };
    },
  };
  const sizes = ['S', 'L'].map((size) => ({ sku: `CUP-${size}`, optionValues: [size], quantity: 10 }));
  flow.stock(['woocommerce'], { title: 'Cup', optionNames: ['Size'] }, sizes);
  for (let i = 0; flow.count('shopify') < 2; i += 1) {
    assert.ok(i < 600, 'it is made within ten minutes');
    await flow.world.clock.runFor(1_000);
  }
  shop.outside.sell(flow.item('shopify', 'CUP-L'), 1);
  const stockId = flow.item('woocommerce', 'CUP-L');
  const fields = shelf.items.get(stockId)?.variant.fields;
  assert.ok(fields);
  outside.deleteVariant(stockId);
  outside.addVariant(flow.product('woocommerce', 'Cup').id, { fields, stock: { tracked: true, quantity: 10 } });
  await flow.rest(30);
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
  assert.deepEqual(flow.rows('SELECT sku, stock_state FROM variant WHERE sku LIKE ? ORDER BY sku', 'CUP%'), [
    { sku: 'CUP-L', stock_state: 'live' },
    { sku: 'CUP-S', stock_state: 'live' },
  ]);
  assert.deepEqual(flow.quantities('CUP-L'), [9, 9], 'what was sold of it meanwhile counts');
});

test('[M1] what is added to the second shop while a slow search is on its way is not doubled: the search was asked too early', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const { clock } = flow.world;
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  // Met at once, and edited after 12 s: the pass of that edit asks within the time in which nothing is made yet, and is answered after it.
  await clock.runFor(12_000);
  const search = flow.connector('woocommerce').findByKeys;
  flow.hands.woocommerce.findByKeys = async (...args) => {
    const answer = await search(...args);
    await clock.sleep(4_500);
    return answer;
  };
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Cup').id, 'title', 'Tea cup');
  await clock.runFor(2_500);
  const shop = flow.shop('woocommerce');
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.rest();
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [2, 2]);
  assert.deepEqual(flow.problems(), []);
});
