// Runs that end in the midst of things, and answers that say something else than was hoped for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../connectors/memory/fault-plan.ts';
import { countWrites } from '../../db/readers/list-runs.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { findRun } from '../../db/writers/runs.ts';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { applyPlan, cancelRun, requestRun } from '../../engine/runs/request-run.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PlanId, RunId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantSnapshot } from '../../model/snapshot.ts';
import { PAIR_ID, WORKSPACE_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';
import { shutOut } from './shut-out.ts';

const openRun = (flow: EngineFlow) =>
  flow.rows<{ id: RunId }>("SELECT id FROM run WHERE status = 'running'")[0]?.id as RunId;

test('[W4] a first link that is cancelled with a create unanswered: the create is settled all the same', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < 3; i += 1) flow.stock(['woocommerce'], { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.plan();
  // Every create lands, its answer is lost, and the process dies before anybody looks.
  const calm = flow.shop('shopify').faults;
  flow.shop('shopify').faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      fault: facts.operation === 'create_product' ? { type: 'connection_lost', when: 'after' } : null,
    }),
  };
  const applied = flow.apply();
  await applied.catch(() => undefined);
  flow.world.process?.kill();
  flow.world.boot();
  const id = openRun(flow);
  if (id !== undefined) cancelRun(flow.world.life().ctx, id);
  flow.shop('shopify').faults = calm;
  await flow.rest(30);
  const open = flow.rows<{ n: number }>('SELECT count(*) AS n FROM product_binding WHERE intent IS NOT NULL');
  assert.deepEqual(open, [{ n: 0 }]);
  await flow.link();
  assert.equal(flow.count('shopify'), 3, 'nothing is made twice');
  for (let i = 0; i < 3; i += 1) assert.deepEqual(flow.quantities(`MUG-${i}`), [10, 10]);
});

test('[W4] killed with a create unanswered, and cancelled before the run looks again', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.plan();
  flow.hands.shopify.writeProducts = () => new Promise(() => undefined);
  const { applyPlan } = await import('../../engine/runs/request-run.ts');
  const [plan] = flow.rows<{ id: never; hash: string }>("SELECT id, hash FROM plan WHERE status <> 'discarded'");
  assert.ok(plan);
  const run = applyPlan(flow.world.life().ctx, plan.id, plan.hash);
  await flow.world.clock.runFor(5_000);
  flow.world.process?.kill();
  delete flow.hands.shopify.writeProducts;
  cancelRun(flow.world.boot().ctx, run.id);
  await flow.rest(10);
  assert.equal(findRun(flow.world.db, run.id)?.status, 'cancelled');
  assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
  await flow.link();
  assert.deepEqual(flow.quantities('MUG'), [10, 10]);
});

test('[G8] a write that is answered by a record in the bin is no success: it is looked at as a delete', async () => {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const { id } = flow.product('woocommerce', 'Mug');
  const { writeProducts } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeProducts = (writes, signal) => {
    delete flow.hands.woocommerce.writeProducts;
    // Somebody is quicker than the request, and the webhook of it is lost.
    const shop = flow.shop('woocommerce');
    const calm = shop.faults;
    shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.deleteProduct(id, 'bin');
    shop.faults = calm;
    return writeProducts(writes, signal);
  };
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>New</p>');
  await flow.rest();
  assert.equal(flow.product('woocommerce', 'Mug').isTrashed, true);
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived', 'the delete was noticed');
});

test('a run that is cancelled while a catalogue is read ends at the next page', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < 120; i += 1) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.plan();
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      latencyMs: facts.operation === 'scan' ? 20_000 : 20,
    }),
  };
  const applied = flow.apply();
  await flow.world.clock.runFor(10_000);
  const id = openRun(flow);
  cancelRun(flow.world.life().ctx, id);
  await flow.world.clock.runFor(25_000);
  assert.equal(findRun(flow.world.db, id)?.status, 'cancelled');
  assert.equal(findPair(flow.world.db, PAIR_ID)?.status, 'setup');
  await applied;
});

test('a run that waits for a store which wants no question for an hour is cancelled at once, and its pair is free', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.plan();
  const { scan } = flow.connector('woocommerce');
  flow.hands.woocommerce.scan = () => {
    throw new ConnectorError('rate_limited', 'slow down', { retryAfterMs: 3_600_000 });
  };
  const { ctx } = flow.world.life();
  const isCancelledSoon = async (id: RunId) => {
    await flow.world.clock.runFor(60_000);
    assert.equal(findRun(flow.world.db, id)?.status, 'running', 'it waits');
    cancelRun(ctx, id);
    await flow.world.clock.runFor(2_000);
    assert.equal(findRun(flow.world.db, id)?.status, 'cancelled');
  };
  const [plan] = flow.rows('SELECT id, hash FROM plan') as { id: PlanId; hash: string }[];
  assert.ok(plan);
  await isCancelledSoon(applyPlan(ctx, plan.id, plan.hash).id);
  assert.equal(findPair(flow.world.db, PAIR_ID)?.status, 'setup');

  flow.hands.woocommerce.scan = scan;
  await flow.link();
  flow.hands.woocommerce.scan = () => {
    throw new ConnectorError('rate_limited', 'slow down', { retryAfterMs: 3_600_000 });
  };
  await isCancelledSoon(requestRun(ctx, { pairId: PAIR_ID, trigger: 'manual' }).id);
  assert.notEqual(
    requestRun(ctx, { pairId: PAIR_ID, trigger: 'manual' }).status,
    'cancelled',
    'the next one is its own',
  );
});

test('a run that gets further with every try is not failed, however often a store lets it down', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < 500; i += 1) flow.stock(SIDES, { title: `Mug ${i}` }, [{ sku: `MUG-${i}` }]);
  await flow.link();
  const { scan } = flow.connector('woocommerce');
  let failures = 0;
  flow.hands.woocommerce.scan = async function* (request) {
    for await (const page of scan(request)) {
      yield page;
      failures += 1;
      throw new ConnectorError('timeout', 'no answer');
    }
  };
  const run = requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'manual' });
  await flow.rest(20);
  assert.ok(failures > 6, `${failures} failures`);
  assert.equal(findRun(flow.world.db, run.id)?.status, 'completed');
});

test('[W5] half of a create is told to us while the other half may still land', async () => {
  const flow = new EngineFlow({ stockBuffer: 2 });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  // The product is there at once, its variants a moment after we have given up waiting for them.
  const calm = flow.shop('woocommerce').faults;
  let asked = 0;
  flow.shop('woocommerce').faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'write_variants') return calm.request(facts);
      asked += 1;
      return { ...calm.request(facts), fault: asked === 1 ? { type: 'late_landing', lateMs: 35 } : null };
    },
  };
  flow.stock(['shopify'], { title: 'Throw', optionNames: ['Size'] }, [
    { sku: 'THROW-S', optionValues: ['S'], quantity: 44 },
    { sku: 'THROW-M', optionValues: ['M'], quantity: 15 },
  ]);
  await flow.rest(30);
  assert.equal(asked, 1, 'what has landed is not sent again');
  assert.equal(flow.count('woocommerce'), 2);
  for (const [sku, quantity] of Object.entries({ 'THROW-S': 44, 'THROW-M': 15 }))
    assert.deepEqual([flow.hubQuantity(sku), ...flow.quantities(sku)], [quantity, quantity - 2, quantity - 2], sku);
});

/** The stock address of a SKU, put away or not. */
function itemEver(flow: EngineFlow, side: Side, sku: string): string {
  const all = [...flow.shop(side).shelf.products.values()].flatMap(({ variants }) => variants);
  return all.find(({ fields }) => fields.sku === sku)?.stockId ?? '';
}

/** The next update of a product there gets no answer; it took effect, or it did not. */
function loseAnswer(flow: EngineFlow, side: Side, when: 'before' | 'after', of: Operation = 'update_product'): void {
  faultOnce(flow.shop(side), of, { type: 'timeout', when });
}

for (const [side, how, cause] of [
  ['shopify', 'hard', 'unanswered'],
  ['woocommerce', 'bin', 'written'],
] as const)
  test(`[W6] a record is deleted (${how}) while a write to it has no answer: the history says what was ${cause}`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const shop = flow.shop(side);
    const record = flow.product(side, 'Mug').id;
    loseAnswer(flow, side, 'after');
    const other = otherSide(side);
    flow.shop(other).outside.editProduct(flow.product(other, 'Mug').id, 'title', 'Cup');
    await flow.world.clock.runFor(5_000);
    assert.equal(shop.shelf.products.get(record)?.fields.title, 'Cup', 'it landed');
    shop.outside.deleteProduct(record, how);
    await flow.rest();
    const lines = flow.changes('title').filter(({ target }) => target === side);
    assert.deepEqual(lines[0], { from: 'Mug', to: 'Cup', cause, target: side });
  });

for (const when of ['before', 'after'] as const)
  test(`[W6] somebody types where a write has no answer (it ${when === 'after' ? 'landed' : 'did not land'}): the history says what was sent`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
    await flow.link();
    const record = flow.product('shopify', 'Mug').id;
    loseAnswer(flow, 'shopify', when);
    flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'title', 'Cup');
    await flow.world.clock.runFor(5_000);
    flow.shop('shopify').outside.editProduct(record, 'title', 'Bowl');
    await flow.rest();
    const lines = flow.changes('title').filter(({ target }) => target === 'shopify');
    assert.deepEqual(lines[0], { from: 'Mug', to: 'Cup', cause: 'unanswered', target: 'shopify' });
    for (const side of SIDES) assert.equal(flow.product(side, 'Bowl').fields.title, 'Bowl', 'the newest wins');
    const written = flow.rows("SELECT 1 FROM change WHERE cause = 'written' AND target IS NOT NULL").length;
    assert.equal(countWrites(flow.world.db, WORKSPACE_ID, 0, PAIR_ID), written, 'it is counted as no write');
  });

test('[W6] a variant is removed while a write to it has no answer: the history says what was sent', async () => {
  const flow = new EngineFlow();
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  await flow.link();
  loseAnswer(flow, 'shopify', 'after', 'write_variants');
  const price = { regularMinor: 1234, saleMinor: null };
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'M'), 'price', price);
  await flow.world.clock.runFor(5_000);
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  const lines = flow.changes('price').filter(({ target }) => target === 'shopify');
  assert.deepEqual(
    lines.map(({ to, cause }) => [to, cause]),
    [[price, 'unanswered']],
  );
});

test('[W4, W6, G12] a write without an answer is settled while a person thinks about the delete that it was part of', async () => {
  for (const choice of ['hub', 'remote'] as const) {
    const flow = new EngineFlow({ conflictResolution: 'manual' });
    flow.stock(SIDES, { title: 'Mug', status: 'draft' }, [{ sku: 'MUG' }]);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    loseAnswer(flow, 'shopify', 'after');
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
    await flow.world.clock.runFor(5_000);
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived', 'it landed');
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'active');
    await flow.rest();
    const [conflict] = flow.conflicts();
    assert.equal(conflict?.field, 'deleted');
    assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
    assert.deepEqual(
      flow.changes('status').filter(({ target }) => target === 'shopify'),
      [{ from: 'draft', to: 'archived', cause: 'unanswered', target: 'shopify' }],
    );
    resolveConflict(flow.world.life().ctx, { conflictId: conflict?.id ?? '', expectedVersion: 1, choice });
    await flow.rest();
    assert.equal(flow.product('shopify', 'Mug').fields.status, choice === 'hub' ? 'active' : 'archived');
    assert.equal(flow.product('woocommerce', 'Mug').isTrashed, choice === 'remote');
  }
});

test("[W4, G9] what had landed before the record went into the bin was seen by who deleted it, and is nobody else's edit later", async () => {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const [own, other] = [flow.product('woocommerce', 'Mug').id, flow.product('shopify', 'Mug').id];
  loseAnswer(flow, 'woocommerce', 'after');
  flow.shop('shopify').outside.editProduct(other, 'descriptionHtml', '<p>First</p>');
  await flow.world.clock.runFor(5_000);
  assert.equal(flow.product('woocommerce', 'Mug').fields.descriptionHtml, '<p>First</p>', 'it landed');
  flow.shop('woocommerce').outside.deleteProduct(own, 'bin');
  await flow.rest();
  assert.deepEqual(flow.conflicts(), []);
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived');
  flow.shop('shopify').outside.editProduct(other, 'descriptionHtml', '<p>Second</p>');
  await flow.rest();
  flow.shop('woocommerce').outside.restore(own);
  await flow.rest();
  assert.deepEqual(flow.conflicts(), []);
  for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.descriptionHtml, '<p>Second</p>');
});

test('[G12] put away without an answer, and put on sale again: whoever wins conflicts, the product is back on both sides', async () => {
  for (const conflictResolution of ['newest', 'oldest', 'woocommerce', 'shopify'] as const) {
    for (const when of ['before', 'after'] as const) {
      const flow = new EngineFlow({ conflictResolution });
      flow.stock(SIDES, { title: 'Mug', status: 'draft' }, [{ sku: 'MUG' }]);
      flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
      await flow.link();
      loseAnswer(flow, 'shopify', when);
      flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
      await flow.world.clock.runFor(5_000);
      flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'active');
      await flow.rest();
      const shown = SIDES.map((side) => [flow.product(side, 'Mug').fields.status, flow.product(side, 'Mug').isTrashed]);
      assert.deepEqual(
        shown,
        [
          ['active', false],
          ['active', false],
        ],
        `${conflictResolution}, ${when}`,
      );
    }
  }
});

test("[G8, G12] what is put on sale by a write of ours without an answer is nobody else's wish: a delete that keeps the counterpart stands", async () => {
  for (const conflictResolution of ['newest', 'manual'] as const) {
    for (const when of ['before', 'after'] as const) {
      const flow = new EngineFlow({ conflictResolution });
      for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
      await flow.link();
      const shop = flow.shop('woocommerce');
      const own = flow.product('woocommerce', 'Mug').id;
      shop.outside.deleteProduct(own, 'bin');
      await flow.rest();
      flow.change({ deletePolicy: 'keep' });
      loseAnswer(flow, 'shopify', when);
      shop.outside.restore(own);
      await flow.poll(0.1);
      assert.ok(flow.hub('Mug').bindings.shopify?.intent, 'it has no answer');
      shop.outside.deleteProduct(own, 'hard');
      await flow.lookAt('Mug', 30);
      const words = `${conflictResolution}, ${when}`;
      // What never arrived is not put on sale any more, without its other half.
      assert.equal(flow.product('shopify', 'Mug').fields.status, when === 'after' ? 'active' : 'archived', words);
      assert.equal(flow.hub('Mug').row.state, 'deleted', words);
      assert.deepEqual([flow.conflicts(), flow.count('woocommerce')], [[], 1], words);
      assert.ok(!flow.changes('deleted').some(({ cause }) => cause === 'edit_wins'), words);
    }
  }
});

test('[G9, W6] what was typed in the shop that deletes, and has arrived in the other by a write without an answer, is no edit against the delete', async () => {
  const flow = new EngineFlow();
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title, status: 'active' }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const { outside } = flow.shop('woocommerce');
  const { id } = flow.product('woocommerce', 'Mug');
  loseAnswer(flow, 'shopify', 'after');
  outside.editProduct(id, 'title', 'Cup');
  await flow.world.clock.runFor(5_000);
  assert.ok(flow.hub('Cup').bindings.shopify?.intent, 'it has no answer');
  outside.deleteProduct(id, 'hard');
  await flow.lookAt('Cup', 30);
  assert.deepEqual([flow.count('woocommerce'), flow.product('shopify', 'Cup').fields.status], [1, 'archived']);
});

test('[G9, G12] an edit that could not take a record out of the bin before its other half was deleted: a restore by hand brings both back', async () => {
  for (const conflictResolution of ['newest', 'oldest', 'woocommerce', 'shopify'] as const) {
    const flow = new EngineFlow({ conflictResolution });
    for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
    await flow.link();
    const [own, other] = [flow.product('woocommerce', 'Mug').id, flow.product('shopify', 'Mug').id];
    const shop = flow.shop('woocommerce');
    const letIn = shutOut(shop, 'update_product');
    shop.outside.deleteProduct(own, 'bin');
    flow.shop('shopify').outside.editProduct(other, 'title', 'Cup');
    await flow.rest();
    assert.equal(flow.product('woocommerce', 'Mug').isTrashed, true, 'the edit has won, and was not let in');
    flow.shop('shopify').outside.deleteProduct(other, 'hard');
    await flow.rest();
    shop.outside.restore(own);
    letIn();
    await flow.rest(60);
    assert.deepEqual(
      SIDES.map((side) => [flow.product(side, 'Cup').fields.status, flow.product(side, 'Cup').isTrashed]),
      [
        ['active', false],
        ['active', false],
      ],
      conflictResolution,
    );
  }
});

test('[G9] an edit that could not take a record out of the bin: a restore by hand, as a draft, puts away nothing', async () => {
  for (const conflictResolution of ['newest', 'woocommerce', 'shopify'] as const) {
    const flow = new EngineFlow({ conflictResolution, preferredSide: 'woocommerce' });
    for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
    await flow.link();
    const own = flow.product('woocommerce', 'Mug').id;
    const shop = flow.shop('woocommerce');
    const letIn = shutOut(shop, 'update_product');
    shop.outside.deleteProduct(own, 'bin');
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
    await flow.rest();
    shop.outside.restore(own);
    shop.outside.editProduct(own, 'status', 'draft');
    letIn();
    await flow.rest(60);
    assert.deepEqual(
      SIDES.map((side) => flow.product(side, 'Cup').fields.status),
      ['active', 'active'],
      conflictResolution,
    );
  }
});

test('[W2, S5] a repeat that a crash leaves without an answer is fenced like a first try: it can land late, too', async () => {
  const flow = new EngineFlow({}, 'keyed');
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  let tries = 0;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== 'write_stock') return calm.request(facts);
      tries += 1;
      if (tries > 2) return calm.request(facts);
      flow.world.clock.setTimer(() => flow.world.process?.kill(), 50);
      const fault = tries === 1 ? ({ type: 'timeout', when: 'before' } as const) : null;
      return { ...calm.request(facts), fault: fault ?? { type: 'late_landing', lateMs: 25_000 } };
    },
  };
  const item = flow.item('shopify', 'MUG');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.world.clock.runFor(10 * 60_000);
  flow.world.boot();
  await flow.world.clock.runFor(5_000);
  assert.equal(tries, 2, 'it was repeated when its first fence was over');
  shop.outside.restock(item, 2);
  flow.world.boot();
  await flow.world.clock.runFor(5_000);
  if (shop.shelf.items.get(item)?.variant.quantity === 11) shop.outside.sell(item, 1);
  await flow.rest(60);
  const outside = shop.shelf.ledger.of(item).filter(({ by, kind }) => by === 'outside' && kind === 'sell').length;
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], Array(3).fill(11 - outside));
});

test('[W4, T2] stock writes without an answer on both sides: that the item is gone on one settles nothing of the other', async () => {
  for (const set of ['keyed', 'real', 'plain'] as const) {
    const flow = new EngineFlow({}, set);
    for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
    await flow.link();
    const calm = flow.shop('shopify').faults;
    for (const side of SIDES) {
      flow.shop(side).faults = {
        ...calm,
        request: (facts) => {
          const isStock = facts.operation === 'write_stock';
          return { ...calm.request(facts), fault: isStock ? { type: 'timeout', when: 'before' } : null };
        },
      };
    }
    const open = () => flow.rows('SELECT side FROM variant_binding WHERE intent_key IS NOT NULL').length;
    for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
    await flow.world.clock.runFor(35_000);
    assert.equal(open(), 2, set);
    // Nobody tells of the delete, and with inventory switched off nothing but the intents' own job looks at the item any more.
    for (const side of SIDES) flow.shop(side).faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    flow.change({ syncInventory: false });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
    await flow.rest(30);
    assert.equal(open(), 0, set);
  }
});

test('[W5, S2] what was made without an answer and went into the bin at once is counted from what it was made with', async () => {
  for (const set of ['keyed', 'real', 'plain'] as const) {
    const flow = new EngineFlow({}, set);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    loseAnswer(flow, 'woocommerce', 'after', 'create_product');
    flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
    await flow.world.clock.runFor(24_000);
    const { id } = flow.product('woocommerce', 'Mug');
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
    flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
    await flow.rest(30);
    assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
    flow.shop('woocommerce').outside.restore(id);
    await flow.rest(30);
    assert.equal(flow.count('woocommerce'), 2);
    assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [7, 7, 7], set);
  }
});

test('[W5, S2] ... also a variant whose SKU another one had that is gone, of which the buffer keeps something back', async () => {
  const flow = new EngineFlow({ stockBuffer: 2 }, 'plain');
  const variants = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, variants);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  for (const side of ['shopify', 'woocommerce'] as const) {
    flow.shop(side).outside.deleteVariant(itemEver(flow, side, 'S'));
    await flow.rest(30);
  }
  loseAnswer(flow, 'woocommerce', 'after', 'write_variants');
  const added = { fields: variant({ sku: 'S', optionValues: ['S'] }), stock: { tracked: true, quantity: 27 } };
  flow.shop('shopify').outside.addVariant(flow.product('shopify', 'Shirt').id, added);
  await flow.world.clock.runFor(24_000);
  const { id } = flow.product('woocommerce', 'Shirt');
  assert.equal(flow.quantity('woocommerce', 'S'), 25, 'it was made');
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'S'), 2);
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest(30);
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest(30);
  const [row] = flow.rows<{ quantity: number }>(
    "SELECT quantity FROM variant WHERE sku = 'S' AND stock_state = 'live'",
  );
  assert.deepEqual([row?.quantity, ...flow.quantities('S')], [25, 23, 23]);
});

test('[S5] stock calls without an answer are repeated as they were sent, also when they come due together', async () => {
  const flow = new EngineFlow();
  const skus = [0, 1, 2, 3, 4].map((i) => `MUG-${i}`);
  for (const sku of skus) flow.stock(SIDES, { title: sku }, [{ sku }]);
  await flow.link();
  const calls: string[] = [];
  let isDeaf = true;
  const { writeStock } = flow.connector('shopify');
  flow.hands.shopify.writeStock = async (writes, signal) => {
    calls.push(writes.map(({ key, expected, to }) => `${key} ${expected} ${to}`).join());
    if (isDeaf) throw new ConnectorError('unknown_outcome', 'no answer');
    return await writeStock(writes, signal);
  };
  for (const sold of [skus.slice(0, 3), skus.slice(3)]) {
    for (const sku of sold) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 1);
    await flow.world.clock.runFor(10_000);
  }
  const sent = calls.splice(0);
  assert.deepEqual(
    sent.map((call) => call.split(',').length),
    [3, 2],
  );
  pausePair(flow.world.life().ctx, PAIR_ID);
  isDeaf = false;
  await flow.rest(10);
  assert.deepEqual(calls, []);
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest(10);
  assert.deepEqual(calls.toSorted(), sent.toSorted());
  for (const sku of skus) assert.deepEqual(flow.quantities(sku), [9, 9]);
});

test('[S4] what turns out to be gone while another call is repeated is not written any more', async () => {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  const skus = ['KEPT', 'GONE', 'OTHER'];
  for (const sku of skus) flow.stock(SIDES, { title: sku }, [{ sku }]);
  await flow.link();
  const calls: (readonly number[])[] = [];
  const gone = flow.product('shopify', 'GONE');
  let isDeaf = true;
  const { writeStock } = flow.connector('shopify');
  flow.hands.shopify.writeStock = async (writes, signal) => {
    if (isDeaf) throw new ConnectorError('unknown_outcome', 'no answer');
    calls.push(writes.map(({ to }) => to));
    if (calls.length === 1) {
      flow.shop('shopify').outside.deleteProduct(gone.id, 'hard');
      await new Promise<void>((resolve) => flow.world.clock.setTimer(resolve, 30_000));
    }
    return await writeStock(writes, signal);
  };
  for (const [i, sku] of ['KEPT', 'GONE'].entries()) {
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), i + 1);
    await flow.world.clock.runFor(10_000);
  }
  pausePair(flow.world.life().ctx, PAIR_ID);
  isDeaf = false;
  await flow.rest(10);
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest(30);
  assert.deepEqual(flow.world.breaches, []);
  assert.deepEqual(calls, [[9]]);
  assert.deepEqual(flow.quantities('KEPT'), [9, 9]);
});

for (const isPhysical of [false, true])
  test(`[W4] a create whose answer is lost shows no weight: ${isPhysical ? 'a person took it away' : 'it needs no shipping, and the weight is a step that was still to come'}`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const { writeProducts } = flow.connector('woocommerce');
    // As WooCommerce does: what needs no shipping loses its weight in the call that makes it, and the next call, which gives it one, gets no answer.
    flow.hands.woocommerce.writeProducts = async (writes, signal) => {
      delete flow.hands.woocommerce.writeProducts;
      await writeProducts(writes, signal);
      flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'CARD'), 'weightMg', null);
      return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'made without its weight') }));
    };
    const card = { sku: 'CARD', weightMg: 5_000, requiresShipping: isPhysical };
    flow.stock(['shopify'], { title: 'Card' }, [card]);
    await flow.rest(30);
    const shown = SIDES.map((side) => flow.product(side, 'Card').variants[0]?.fields.weightMg);
    assert.deepEqual(shown, isPhysical ? [null, null] : [5_000, 5_000]);
    assert.equal(flow.count('woocommerce'), 2);
    assert.deepEqual(flow.quantities('CARD'), [10, 10]);
  });

test('[R15, W6] a price is written over a planned sale, and the answer is lost: the history tells what was planned, once', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const plain = flow.connector('woocommerce');
  let isPlanned = true;
  flow.hands.woocommerce.readProducts = async (ids, signal) => {
    const outcomes = await plain.readProducts(ids, signal);
    if (!isPlanned) return outcomes;
    const plan = (own: VariantSnapshot) => ({ ...own, plannedSale: '8.00 from Monday' });
    return outcomes.map((one) =>
      one.ok ? { ...one, value: { ...one.value, variants: one.value.variants.map(plan) } } : one,
    );
  };
  flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
    await plain.writeProducts(writes, signal, cut);
    isPlanned = false;
    delete flow.hands.woocommerce.writeProducts;
    return writes.map(() => ({ ok: false, error: new ConnectorError('unknown_outcome', 'cut off') }));
  };
  const price = { regularMinor: 2000, saleMinor: 1800 };
  flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG'), 'price', price);
  await flow.rest(60);
  assert.equal(isPlanned, false);
  assert.deepEqual(
    flow.changes('plannedSale').map(({ from, to, target }) => [from, to, target]),
    [['8.00 from Monday', null, 'woocommerce']],
  );
});
