// The server is stopped in the middle of a run: it goes on afterwards, and says of no product that it was left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { deleteJobs } from '../../db/writers/jobs.ts';
import { applyPlan, cancelRun, requestRun, requestScheduled } from '../../engine/runs/request-run.ts';
import { runPair } from '../../engine/runs/run-pair.ts';
import type { RunId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import type { RunStats } from '../../model/run.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const COUNT = 250;

interface Run {
  readonly id: RunId;
  readonly status: string;
  readonly stats: RunStats;
}

function latestRun(flow: EngineFlow): Run {
  const [run] = flow.rows<{ id: RunId; status: string; stats: string }>('SELECT * FROM run ORDER BY id DESC LIMIT 1');
  assert.ok(run);
  return { ...run, stats: JSON.parse(run.stats) as RunStats };
}

/** How long a call is under way when the run is asked to end: it was not answered yet. */
const UNDER_WAY_MS = 2;

/** Runs the job by hand; it is asked to end while the given call of this name is under way, and then once more, to its end. */
async function stopAndGoOn(flow: EngineFlow, call: 'writeProducts' | 'readProducts', count: number): Promise<Run> {
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => deleteJobs(tx, PAIR_ID, 1_000));
  const { id } = latestRun(flow);
  const job = { id: 1, key: '', payload: { runId: id }, attempts: 0 };
  const stop = new AbortController();
  let left = count;
  const real = flow.connector('shopify')[call] as (...args: readonly unknown[]) => Promise<never>;
  flow.hands.shopify[call] = (...args: readonly unknown[]) => {
    left -= 1;
    if (left === 0)
      void flow.world.clock.sleep(UNDER_WAY_MS).then(() => stop.abort(new Error('the server is stopping')));
    return real(...args);
  };
  const stopped = flow.world.clock.run(runPair(ctx, job, stop.signal));
  await assert.rejects(Promise.resolve(stopped), /the server is stopping/);
  assert.equal(latestRun(flow).status, 'running');
  assert.deepEqual(flow.rows('SELECT count(*) AS n FROM product_binding WHERE intent IS NOT NULL'), [{ n: 0 }]);
  flow.hands.shopify = {};
  await flow.world.clock.run(runPair(ctx, job, new AbortController().signal));
  return latestRun(flow);
}

test('[W2] a plan that is being applied: what has left when the server stops is heard out', async () => {
  const flow = new EngineFlow();
  for (let i = 0; i < COUNT; i += 1) flow.stock(['woocommerce'], { title: `Cup ${i}` }, [{ sku: `CUP-${i}` }]);
  await flow.plan();
  const { ctx } = flow.world.life();
  const [plan] = flow.rows<{ id: never; hash: string }>('SELECT id, hash FROM plan');
  assert.ok(plan);
  applyPlan(ctx, plan.id, plan.hash);
  const { status, stats } = await stopAndGoOn(flow, 'writeProducts', 2);
  assert.equal(status, 'completed');
  assert.deepEqual([stats.totalProcessed, stats.failed, stats.skipped], [COUNT, 0, 0], JSON.stringify(stats));
});

test('a full comparison', async () => {
  const flow = new EngineFlow({ syncSchedule: 'manual' });
  for (let i = 0; i < COUNT; i += 1) flow.stock(SIDES, { title: `Cup ${i}` }, [{ sku: `CUP-${i}` }]);
  await flow.link();
  requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'manual' });
  for (let i = 0; i < COUNT; i += 1) {
    const { id } = flow.product('woocommerce', `Cup ${i}`);
    flow.shop('woocommerce').outside.editProduct(id, 'title', `Mug ${i}`);
  }
  const { status, stats } = await stopAndGoOn(flow, 'writeProducts', 2);
  assert.equal(status, 'completed');
  assert.deepEqual([stats.totalProcessed, stats.failed], [COUNT, 0], JSON.stringify(stats));
  const { writeBatchMax } = flow.connector('shopify').capabilities;
  assert.ok(
    stats.skipped <= writeBatchMax,
    `only what was taken back unsent comes by itself: ${JSON.stringify(stats)}`,
  );
});

test('a sync is asked for while the one before is being cancelled: it is refused, since it would end with that, and taken once that has ended', async () => {
  const flow = new EngineFlow({ syncSchedule: 'manual' });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  for (let i = 0; i < COUNT; i += 1) flow.stock(['woocommerce'], { title: `Cup ${i}` }, [{ sku: `CUP-${i}` }]);
  const { ctx } = flow.world.life();
  const ask = () => requestRun(ctx, { pairId: PAIR_ID, trigger: 'manual' });
  const first = ask();
  await flow.world.clock.runFor(100);
  cancelRun(ctx, first.id);
  assert.throws(ask, { code: 'PAIR_BUSY' });
  await flow.rest();
  assert.equal(latestRun(flow).status, 'cancelled');
  assert.ok(flow.count('shopify') < COUNT);
  assert.notEqual(ask().id, first.id);
  await flow.rest();
  assert.equal(latestRun(flow).status, 'completed');
  assert.equal(flow.count('shopify'), COUNT + 1);
});

test('[T1] the hour of a pair comes while a sync is being cancelled: it is made up for', async () => {
  const flow = new EngineFlow({ syncSchedule: 'weekly' });
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  for (let i = 0; i < COUNT; i += 1) flow.stock(['woocommerce'], { title: `Cup ${i}` }, [{ sku: `CUP-${i}` }]);
  const { ctx } = flow.world.life();
  const first = requestRun(ctx, { pairId: PAIR_ID, trigger: 'manual' });
  await flow.world.clock.runFor(100);
  cancelRun(ctx, first.id);
  requestScheduled(ctx, { pairId: PAIR_ID, trigger: 'scheduled' });
  await flow.rest();
  assert.equal(flow.count('shopify'), COUNT + 1);
});
