import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { enqueuePoll } from '../../engine/enqueue.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { discardPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan, cancelRun, requestRun } from '../../engine/runs/request-run.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { Story } from './depth/story.ts';

const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

test('webhooks that never come: the poll finds what moved', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B']) story.addBoth(sku);
    await story.link();
    story.world.fate = () => 'lost';
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    story.shop.placeOrder([{ variant: 'B', quantity: 2 }]);
    story.woo.updateProduct('B', { title: 'Polled' });
    await story.rest();
    assert.deepEqual(
      [story.stock('A'), story.stock('B')],
      [
        [9, 10],
        [10, 8],
      ],
    );
    transact(story.world.ctx.db, (tx) => {
      for (const side of SIDES) enqueuePoll(tx, story.world.stores[side], story.world.clock.now());
    });
    await story.rest();
    assert.deepEqual(
      [story.stock('A'), story.stock('B')],
      [
        [9, 9],
        [8, 8],
      ],
    );
    assert.equal(story.item('shopify', 'B').title, 'Polled');
  }));

test('the schedule polls by itself, so that a lost webhook costs minutes', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link({ syncInterval: 15 });
    story.world.fate = () => 'lost';
    story.shop.placeOrder([{ variant: 'A', quantity: 1 }]);
    await story.rest(16 * 60_000);
    assert.deepEqual(story.stock('A'), [9, 9]);
  }));

test('killed in the middle of everything, and started again', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B', 'C']) story.addBoth(sku);
    await story.link();
    for (let edges = 1; edges <= 12; edges += 1) {
      story.world.life().dieAfterEdges(edges);
      story.ledger.person(() => {
        story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
        story.shop.restock('A', 1);
        story.shop.setPrice('B', `${10 + edges}.00`);
      });
      if (edges % 4 === 0)
        story.ledger.person(() =>
          story.woo.addProduct({ title: `New ${edges}`, sku: `N-${edges}`, regularPrice: '4.00', stock: 2 }),
        );
      await story.rest(3_000);
      if (!story.world.isAlive()) story.world.boot();
    }
    story.world.life().dieAfterEdges(Number.POSITIVE_INFINITY);
    await story.rest(300_000);
    await story.sync();
    assert.deepEqual(story.stock('A'), [10, 10]);
    assert.equal(story.item('woocommerce', 'B').price, 2200);
    for (const edges of [4, 8, 12]) assert.deepEqual(story.stock(`N-${edges}`), [2, 2]);
  }));

test('killed while a plan is applied: it goes on where it was, and nothing is there twice', () =>
  Story.play(async (story) => {
    for (let i = 1; i <= 30; i += 1) {
      story.woo.addProduct({ title: `W ${i}`, sku: `W-${i}`, regularPrice: '4.00', stock: i });
      story.shop.addProduct({ title: `S ${i}`, sku: `S-${i}`, price: '4.00', stock: i });
    }
    await story.world.pairUp();
    const plan = await story.world.plan();
    const { id } = applyPlan(story.world.ctx, plan.id, plan.hash ?? '');
    for (let edges = 3; edges < 40; edges += 6) {
      story.world.life().dieAfterEdges(edges);
      await story.rest(4_000);
    }
    story.world.life().dieAfterEdges(Number.POSITIVE_INFINITY);
    const run = await story.world.finished(id);
    assert.equal(run.status, 'completed', run.errorMessage ?? '');
    await story.rest(600_000);
    await story.sync();
    for (let i = 1; i <= 30; i += 1)
      for (const sku of [`W-${i}`, `S-${i}`]) assert.deepEqual(story.stock(sku), [i, i], sku);
  }));

test('an empty listing halts the pair; nothing is archived; resumed, it goes on', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B', 'C']) story.addBoth(sku);
    await story.link();
    const ids = SIDES.flatMap((side) =>
      side === 'woocommerce' ? story.shelf(side).map(({ productId }) => Number(productId)) : [],
    );
    story.world.fate = () => 'lost';
    // To a listing this is what a store shows that lost its database.
    for (const id of ids) story.woo.trashProduct(id);
    const run = await story.world.finished(
      requestRun(story.world.ctx, { pairId: story.world.pairId, trigger: 'manual' }).id,
    );
    assert.deepEqual([run.status, run.errorCode], ['failed', 'PAIR_HALTED']);
    const { status, halt } = story.world.pair();
    assert.deepEqual([status, halt?.reason, halt?.side], ['halted', 'empty_listing', 'woocommerce']);
    assert.ok(story.shelf('shopify').every(({ isForSale }) => isForSale));
    assert.throws(
      () => requestRun(story.world.ctx, { pairId: story.world.pairId, trigger: 'manual' }),
      refused('PAIR_HALTED'),
    );
    for (const id of ids) {
      story.woo.restoreProduct(id);
      story.woo.updateProduct(id, { status: 'publish' });
    }
    story.world.fate = () => 'arrives';
    story.shop.placeOrder([{ variant: 'A', quantity: 1 }]);
    await story.rest();
    assert.equal(story.item('woocommerce', 'A').stock, 10, 'halted: nothing is written');
    resumePair(story.world.ctx, story.world.pairId);
    await story.rest(90_000);
    assert.deepEqual(story.stock('A'), [9, 9], 'what waited goes on');
    await story.sync();
    assert.ok(story.shelf('shopify').every(({ isForSale }) => isForSale));
  }));

test('more deletes than the guard takes halt the pair before the first beyond it', () =>
  Story.play(async (story) => {
    for (let i = 0; i < 14; i += 1) story.addBoth(`P-${i}`);
    await story.link();
    const ids = story.shelf('shopify').map(({ productId }) => productId);
    story.ledger.person(() => {
      for (const id of ids.slice(0, 12)) story.shop.deleteProduct(id);
    });
    await story.rest(60_000);
    const { status, halt } = story.world.pair();
    assert.deepEqual([status, halt?.reason], ['halted', 'mass_delete']);
    const away = story.shelf('woocommerce').filter(({ isForSale }) => !isForSale);
    assert.ok(away.length <= 10, `${away.length} were put away`);
    resumePair(story.world.ctx, story.world.pairId);
    await story.rest(120_000);
    await story.sync();
    await story.sync();
    assert.equal(story.shelf('woocommerce').filter(({ isForSale }) => isForSale).length, 2, 'a person has agreed');
  }));

test('a run is cancelled between records, and says so', () =>
  Story.play(async (story) => {
    for (let i = 0; i < 130; i += 1)
      story.woo.addProduct({ title: `P ${i}`, sku: `P-${i}`, regularPrice: '4.00', stock: 1 });
    await story.world.pairUp();
    const plan = await story.world.plan();
    const { id } = applyPlan(story.world.ctx, plan.id, plan.hash ?? '');
    await story.world.until('the first of them', () => story.shelf('shopify').length > 0, 20);
    // In another browser, where the plan is still on the screen.
    assert.throws(() => discardPlan(story.world.ctx, plan.id), refused('PLAN_NOT_READY'));
    cancelRun(story.world.ctx, id);
    const run = await story.world.finished(id);
    assert.equal(run.status, 'cancelled');
    assert.ok(story.shelf('shopify').length < 130, 'not all were made');
    assert.throws(() => cancelRun(story.world.ctx, id), refused('RUN_NOT_RUNNING'));
    assert.equal(story.world.pair().status, 'setup');
    const { plan: rest } = { plan: await story.world.plan() };
    const second = await story.world.apply(rest.id, rest.hash);
    assert.equal(second.status, 'completed');
    await story.rest();
    assert.equal(story.shelf('shopify').length, 130, 'planned again, and nothing twice');
  }));

test('a paused pair is left alone, and catches up', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link();
    pausePair(story.world.ctx, story.world.pairId);
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    story.shop.placeOrder([{ variant: 'A', quantity: 1 }]);
    await story.rest(120_000);
    assert.deepEqual(story.stock('A'), [9, 9]);
    assert.equal(story.ledger.landedWrites(), 0);
    resumePair(story.world.ctx, story.world.pairId);
    await story.rest(90_000);
    assert.deepEqual(story.stock('A'), [8, 8]);
  }));

test('credentials that stop working put the store into error; they work again, and nothing is lost', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link();
    const statusOf = () =>
      story.world.db.connection
        .prepare('SELECT status FROM store ORDER BY platform')
        .all()
        .map((row) => (row as { status: string }).status);
    story.woo.setFault(() => ({ kind: 'key_revoked' }));
    story.shop.placeOrder([{ variant: 'A', quantity: 3 }]);
    await story.rest();
    assert.deepEqual(statusOf(), ['connected', 'error']);
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('A'), [9, 7]);
    story.woo.setFault(null);
    await story.rest(180_000);
    assert.deepEqual(story.stock('A'), [6, 6]);
    await story.sync();
    assert.deepEqual(statusOf(), ['connected', 'connected']);
  }));
