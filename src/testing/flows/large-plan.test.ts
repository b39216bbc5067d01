// What is dropped of a plan of large shops: never so much in one go that nobody else is let in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { deleteJobs } from '../../db/writers/jobs.ts';
import { storeObservation } from '../../db/writers/observations.ts';
import { pruneUselessPlans } from '../../db/writers/prune-history.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { discardPlan, planPair, requestPlan } from '../../engine/plan/plan-pair.ts';
import type { PlanId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const RECORDS = 3000;
const CHANGES_MAX = 2_100;

/** A plan that has observed two large shops, and the largest transaction from then on. */
async function observed(): Promise<{ flow: EngineFlow; planId: PlanId; left: () => number; largest: () => number }> {
  const flow = await new EngineFlow().link();
  const { ctx } = flow.world.life();
  const { id: planId } = requestPlan(ctx, PAIR_ID);
  transact(ctx.db, (tx) => {
    deleteJobs(tx, PAIR_ID, 100);
    for (const side of SIDES)
      for (let i = 0; i < RECORDS; i += 1)
        storeObservation(tx, planId, side, { externalId: `${i}` } as ProductSnapshot, [{ type: 'sku', value: `${i}` }]);
  });
  const changes = () => flow.rows<{ n: number }>('SELECT total_changes() AS n')[0]?.n ?? 0;
  let before = changes();
  let largest = 0;
  ctx.db.hooks.afterCommit.add(() => {
    largest = Math.max(largest, changes() - before);
    before = changes();
  });
  const count = (table: string) => flow.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;
  const left = () => ['observation', 'observation_key', 'plan_item', 'scan_progress'].reduce((n, t) => n + count(t), 0);
  return { flow, planId, left, largest: () => largest };
}

test('a plan that is discarded leaves what it observed to its job', async () => {
  const { flow, planId, left, largest } = await observed();
  const { ctx } = flow.world.life();
  discardPlan(ctx, planId);
  assert.ok(left() > 0);
  const job = { id: 1, key: '', payload: { planId }, attempts: 0 };
  await flow.world.clock.run(planPair(ctx, job, new AbortController().signal));
  assert.equal(left(), 0);
  assert.ok(largest() > 0 && largest() <= CHANGES_MAX, `${largest()} rows in one transaction`);
});

test('one that nobody comes back to is cleared by housekeeping, a portion in a transaction', async () => {
  const { flow, planId, left, largest } = await observed();
  const { ctx } = flow.world.life();
  discardPlan(ctx, planId);
  while (transact(ctx.db, (tx) => pruneUselessPlans(tx, 1_000)) > 0);
  assert.equal(left(), 0);
  assert.equal(findPlan(ctx.db, planId)?.status, 'discarded');
  assert.ok(largest() <= CHANGES_MAX, `${largest()} rows in one transaction`);
});

test('a plan that was discarded while a store turned its reading away has not failed, and no event says so', async () => {
  for (const isDiscarded of [false, true]) {
    const flow = await new EngineFlow().link();
    const { ctx } = flow.world.life();
    const { id: planId } = requestPlan(ctx, PAIR_ID);
    transact(ctx.db, (tx) => deleteJobs(tx, PAIR_ID, 100));
    flow.shop('woocommerce').revokeCredentials();
    const job = { id: 1, key: '', payload: { planId }, attempts: 0 };
    const reading = planPair(ctx, job, new AbortController().signal);
    if (isDiscarded) discardPlan(ctx, planId);
    await flow.world.clock.run(reading);
    const told = flow.rows("SELECT type FROM event WHERE type = 'plan_failed'").length;
    const status = findPlan(ctx.db, planId)?.status;
    assert.deepEqual([status, told], isDiscarded ? ['discarded', 0] : ['failed', 1]);
  }
});
