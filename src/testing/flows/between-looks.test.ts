// Creates, matching, the first link, runs and what is told: what goes on in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { getStore } from '../../db/readers/pairs.ts';
import { raiseProblem } from '../../db/writers/history.ts';
import { enqueueFullSync } from '../../engine/enqueue.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { haltPair, pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { applyPlan, requestScheduled } from '../../engine/runs/request-run.ts';
import { noteStoreAnswers } from '../../engine/stores/store-state.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProblemId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID, STORE_IDS } from '../simulator/world.ts';
import { EngineFlow, record } from './engine-flow.ts';
import { untold } from './untold.ts';

const HOUR_MS = 3_600_000;
const BOTH = { createOn: { woocommerce: true, shopify: true } };

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const title of ['Bowl', 'Jug']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  return flow.link();
}

function withSku(flow: EngineFlow, side: Side, sku: string): number {
  const products = [...flow.shop(side).shelf.products.values()];
  return products.filter(({ variants }) => variants.some(({ fields }) => fields.sku === sku)).length;
}

/** A first link that makes sixty cups in Shopify. */
async function cupsPlanned(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  for (let i = 0; i < 60; i += 1) flow.stock(['woocommerce'], { title: `Cup ${i}` }, [{ sku: `CUP-${i}` }]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.plan();
  return flow;
}

test('[M1] a first link is stopped for hours: what somebody added to the other shop meanwhile is not made twice', async () => {
  const flow = await cupsPlanned();
  const [plan] = flow.rows<{ id: never; hash: string }>('SELECT id, hash FROM plan');
  assert.ok(plan);
  applyPlan(flow.world.life().ctx, plan.id, plan.hash);
  while (flow.count('shopify') < 15) await flow.world.clock.runFor(20);
  flow.world.process?.kill();
  assert.ok(flow.count('shopify') < 60);
  await flow.world.clock.runFor(3 * HOUR_MS);
  flow.stock(['shopify'], { title: 'Cup 59' }, [{ sku: 'CUP-59' }]);
  await flow.world.clock.runFor(HOUR_MS);
  flow.world.boot();
  await flow.rest(30);
  assert.equal(withSku(flow, 'shopify', 'CUP-59'), 1);
  assert.deepEqual(flow.problems(), []);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'CUP-59'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('CUP-59'), [9, 9]);
});

test('[M1] a first link takes its time: what somebody adds to the other shop while it makes products is not made twice', async () => {
  const flow = await cupsPlanned();
  const write = flow.connector('shopify').writeProducts;
  let batches = 0;
  flow.hands.shopify.writeProducts = async (...args) => {
    batches += 1;
    if (batches === 2) flow.stock(['shopify'], { title: 'Cup 59' }, [{ sku: 'CUP-59' }]);
    const answer = await write(...args);
    await flow.world.clock.sleep(20_000);
    return answer;
  };
  await flow.apply();
  await flow.rest();
  assert.ok(batches > 2);
  assert.equal(withSku(flow, 'shopify', 'CUP-59'), 1);
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  test(`[B1, M3] two are added to ${side} with one SKU within seconds, and the other shop has none: neither is made there until it is unique`, async () => {
    const other = side === 'shopify' ? 'woocommerce' : 'shopify';
    const flow = await linked();
    const { outside, shelf } = flow.shop(side);
    flow.stock([side], { title: 'One' }, [{ sku: 'X', quantity: 5 }]);
    await flow.world.clock.runFor(3_000);
    const two = shelf.addProduct(record({ title: 'Two' }, [{ sku: 'X', quantity: 7 }]), null);
    outside.editProduct(two.id, 'tags', ['two']);
    await flow.rest(30);
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH']);
    assert.equal(flow.count(other), 2);
    outside.renameSku(two.variants[0]?.stockId ?? '', 'Y');
    await flow.rest(30);
    assert.deepEqual(flow.problems(), []);
    assert.deepEqual(
      [flow.quantities('X'), flow.quantities('Y')],
      [
        [5, 5],
        [7, 7],
      ],
    );
  });

for (const when of ['renamed', 'added'] as const)
  test(`[B1, M3] of two that one shop alone has, one was ${when} with the SKU of the other before creating is switched on: neither is made, as the plan says`, async () => {
    const flow = await linked({ createOn: { woocommerce: false, shopify: false } });
    flow.stock(['shopify'], { title: 'One' }, [{ sku: 'X', quantity: 5 }]);
    await flow.rest(5);
    flow.stock(['shopify'], { title: 'Two' }, [{ sku: when === 'added' ? 'X' : 'Y', quantity: 7 }]);
    await flow.rest(5);
    if (when === 'renamed')
      flow.shop('shopify').outside.renameSku(flow.product('shopify', 'Two').variants[0]?.stockId ?? '', 'X');
    await flow.rest(5);
    flow.change(BOTH);
    await flow.scan();
    assert.equal(flow.count('woocommerce'), 2);
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH']);
  });

test('[M1] what is added or edited between the first plan and its applying is looked at right after, also when its shop was polled meanwhile', async () => {
  const flow = new EngineFlow();
  for (const title of ['Bowl', 'Jug']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.plan();
  flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Jug').id, 'tags', ['x']);
  // Another pair of the shop has it polled each minute; or its webhooks had to be repaired.
  await flow.rest(5);
  await flow.poll(5);
  await flow.apply();
  await flow.rest();
  assert.equal(flow.count('shopify'), 3);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'JUG'), 2);
  await flow.rest();
  assert.deepEqual(flow.quantities('JUG'), [8, 8]);
});

const CUTS: Readonly<Record<string, (flow: EngineFlow) => Promise<void>>> = {
  'a pause': async (flow) => {
    const { ctx } = flow.world.life();
    pausePair(ctx, PAIR_ID);
    await flow.rest();
    resumePair(ctx, PAIR_ID);
  },
  'a halt': async (flow) => {
    const { ctx } = flow.world.life();
    haltPair(ctx, PAIR_ID, { reason: 'mass_delete', side: 'shopify', count: 11, limit: 10, at: 0 });
    await flow.rest();
    resumePair(ctx, PAIR_ID);
  },
};

for (const [what, cut] of Object.entries(CUTS))
  test(`[T1, A2] the full look that a changed setting has set off is cut off by ${what}: it is made up for once the pair goes on`, async () => {
    const flow = await linked({ createOn: { woocommerce: false, shopify: true } });
    flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
    await flow.rest();
    updatePairSettings(flow.world.life().ctx, PAIR_ID, BOTH);
    await flow.world.clock.runFor(15);
    assert.equal(flow.rows("SELECT 1 FROM run WHERE status = 'running'").length, 1);
    await cut(flow);
    await flow.rest(60);
    assert.deepEqual([flow.status(), flow.count('woocommerce')], ['active', 3]);
  });

test('[T1, A2] a setting is changed while a store does not let us in: the full look follows once it does', async () => {
  const flow = await linked({ createOn: { woocommerce: false, shopify: true } });
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.rest();
  const shop = flow.shop('woocommerce');
  shop.revokeCredentials();
  shop.outside.editProduct(flow.product('woocommerce', 'Bowl').id, 'tags', ['x']);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['STORE_NO_ACCESS']);
  updatePairSettings(flow.world.life().ctx, PAIR_ID, BOTH);
  await flow.rest();
  shop.restoreCredentials();
  await flow.rest(60);
  assert.deepEqual([flow.problems(), flow.count('woocommerce')], [[], 3]);
});

test('[A2] a full sync that falls due while a store does not let us in asks it nothing, and does not list the other for nothing', async () => {
  const flow = await linked();
  const shop = flow.shop('shopify');
  shop.revokeCredentials();
  shop.outside.editProduct(flow.product('shopify', 'Bowl').id, 'tags', ['x']);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['STORE_NO_ACCESS']);
  const asked: string[] = [];
  for (const side of SIDES) {
    const { faults } = flow.shop(side);
    flow.shop(side).faults = {
      ...faults,
      request: (facts) => {
        asked.push(`${side} ${facts.operation}`);
        return faults.request(facts);
      },
    };
  }
  for (let i = 0; i < 3; i += 1) await flow.scan();
  assert.deepEqual(
    asked.filter((one) => !one.endsWith('inspect')),
    [],
  );
});

test('[P1, M3] an ambiguous record that no product is known by is deleted without a word: nobody is told of it any more', async () => {
  const flow = await linked();
  flow.stock(['shopify'], { title: 'Bowl again' }, [{ sku: 'BOWL', quantity: 5 }]);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
  untold(flow, 'shopify', () =>
    flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Bowl again').id, 'hard'),
  );
  await flow.poll();
  for (let i = 0; i < 2; i += 1) await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

test('[P1, L5] a new product that cannot be held is deleted without a word: nobody is told of it any more', async () => {
  const flow = await linked();
  flow.unsyncable.set('Bundle', { reason: 'bundle', detail: '' });
  flow.stock(['shopify'], { title: 'Bundle' }, [{ sku: 'BUNDLE' }]);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE']);
  untold(flow, 'shopify', () =>
    flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Bundle').id, 'hard'),
  );
  await flow.poll();
  for (let i = 0; i < 2; i += 1) await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

for (const how of ['bin', 'hard'] as const)
  test(`[P1, B12] a create is refused, and the product is deleted where it came from (${how}): nobody is told of it any more`, async () => {
    const flow = await linked();
    flow.hands.shopify.writeProducts = async (writes) =>
      writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no such thing here') }));
    flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
    await flow.rest();
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
    const { outside } = flow.shop('woocommerce');
    outside.deleteProduct(flow.product('woocommerce', 'Cup').id, how);
    await flow.rest();
    for (let i = 0; i < 3; i += 1) await flow.scan();
    assert.deepEqual(flow.problems(), []);
  });

test('[P1, L5] a new product that could not be held fits now, and is ambiguous: a person is told of that alone', async () => {
  const flow = await linked();
  flow.unsyncable.set('Bundle', { reason: 'bundle', detail: '' });
  flow.stock(['shopify'], { title: 'Bundle' }, [{ sku: 'BOWL' }]);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE']);
  flow.unsyncable.clear();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Bundle').id, 'tags', ['x']);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
});

test('[P1, A1] a new record that could not be read is read, and is ambiguous: a person is told of that alone', async () => {
  const flow = await linked();
  const { readProducts } = flow.connector('shopify');
  const error = new ConnectorError('rejected', 'not this one');
  let isRefused = true;
  const { id } = flow.shop('shopify').outside.addProduct(record({ title: 'Twin' }, [{ sku: 'BOWL' }]));
  flow.hands.shopify.readProducts = async (ids, signal) => {
    const answers = await readProducts(ids, signal);
    return answers.map((answer, i) => (isRefused && ids[i] === id ? { ok: false, error } : answer));
  };
  await flow.rest();
  assert.deepEqual(flow.problems(), ['READ_REFUSED']);
  isRefused = false;
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
});

test('[A1, P1] a pair that is synced by hand: its listing is refused once, and answered the next time: nobody is told any more', async () => {
  const flow = await linked({ syncSchedule: 'manual' });
  flow.hands.shopify.scan = () => {
    throw new ConnectorError('rejected', 'Query cost is not allowed');
  };
  await flow.scan();
  assert.deepEqual(flow.problems(), ['STORE_REFUSES']);
  delete flow.hands.shopify.scan;
  await flow.scan();
  assert.deepEqual(flow.problems(), []);
});

test('[M3] one of two is given the SKU of yet another: those whose SKU is unique now are looked at all the same', async () => {
  const flow = await linked();
  const shop = flow.shop('shopify');
  for (const sku of ['X', 'Y']) flow.stock(SIDES, { title: sku }, [{ sku, quantity: 5 }]);
  flow.stock(['shopify'], { title: 'X two' }, [{ sku: 'X', quantity: 5 }]);
  await flow.link();
  assert.equal(flow.problems().length, 3);
  shop.outside.renameSku(flow.product('shopify', 'X two').variants[0]?.stockId ?? '', 'Y');
  await flow.rest();
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'X'), 2);
  await flow.rest();
  assert.deepEqual(flow.quantities('X'), [3, 3]);
});

test('[P2, A1] a shop refuses one kind of question for an hour, and answers its polls: a person is told once', async () => {
  const flow = await linked();
  flow.hands.shopify.findByKeys = async () => {
    throw new ConnectorError('rejected', 'The firewall does not like this SKU');
  };
  flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  for (let i = 0; i < 60; i += 1) await flow.poll(1);
  assert.equal(flow.rows("SELECT 1 FROM problem WHERE code = 'STORE_REFUSES'").length, 1);
});

test('[A2, T1] a store lets the probe in and refuses its catalogue: it is asked for that no more often than it is probed', async () => {
  const flow = await linked();
  let scans = 0;
  flow.hands.shopify.scan = () => {
    scans += 1;
    throw new ConnectorError('unauthorized', 'The catalogue is not for you');
  };
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => enqueueFullSync(tx, PAIR_ID, ctx.clock.now()));
  await flow.rest(120);
  assert.ok(scans > 1 && scans <= 9, `${scans} looks in two hours`);
});

test('[A2] what falls due by the clock while a store does not let us in is one look, once it does', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const shop = flow.shop('shopify');
  shop.revokeCredentials();
  await flow.poll(1);
  assert.deepEqual(flow.problems(), ['STORE_NO_ACCESS']);
  const before = flow.rows('SELECT 1 FROM run').length;
  for (let hour = 0; hour < 5; hour += 1) {
    requestScheduled(ctx, { pairId: PAIR_ID, trigger: 'scheduled' });
    await flow.rest(10);
  }
  assert.equal(flow.rows('SELECT 1 FROM run').length, before);
  shop.restoreCredentials();
  await flow.rest(60);
  assert.equal(flow.rows("SELECT 1 FROM run WHERE status = 'completed'").length, before + 1);
});

test('[P1] what a clock that was ahead has told of a store is over when it answers', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const { id, workspaceId } = getStore(ctx.db, STORE_IDS.shopify);
  const words = { code: 'STORE_AWAY', level: 'error', message: 'm', remedy: 'r', details: null } as const;
  const about = { workspaceId, pairId: PAIR_ID, storeId: id, productId: null, side: 'shopify', subject: id } as const;
  const dayAhead = ctx.clock.now() + 86_400_000;
  transact(ctx.db, (tx) => raiseProblem(tx, 'prb_ahead' as ProblemId, { ...about, ...words }, dayAhead));
  assert.deepEqual(flow.problems(), ['STORE_AWAY']);
  noteStoreAnswers(ctx, id);
  assert.deepEqual(flow.problems(), []);
});
