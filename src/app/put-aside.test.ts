import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../db/database.ts';
import { listEventsAfter } from '../db/readers/events.ts';
import { updatePlan, updateRun } from '../db/writers/runs.ts';
import type { EngineContext } from '../engine/context.ts';
import { TASKS } from '../engine/enqueue.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { insertWorld } from '../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { putAside } from './put-aside.ts';

const WORKSPACE = 'ws_1' as WorkspaceId;

test('a run or plan that a fault of this program stopped has ended for those who are told, too, once', () => {
  const db = openMemoryDatabase();
  const clock = makeTestClock();
  const ctx = { db, clock, random: makeTestRandom() } as unknown as EngineContext;
  const { pairId, runId, planId } = insertWorld(db, WORKSPACE, clock.now());
  const put = (task: string, payload: object) =>
    transact(db, (tx) => {
      const job = { id: 1, key: `${task}:1`, payload, attempts: 5 };
      putAside(ctx, tx, { task, groupKey: pairId, job, error: new TypeError('x is not a function') });
    });
  const told = () => listEventsAfter(db, WORKSPACE, 0, 100).map((event) => [event.type, event.payload] as const);
  const before = told().length;
  transact(db, (tx) => {
    updateRun(tx, runId, { status: 'running' });
    updatePlan(tx, planId, { status: 'planning' });
  });
  put(TASKS.runPair, { runId });
  put(TASKS.runPair, { runId });
  put(TASKS.planPair, { planId });
  const events = told().slice(before);
  assert.deepEqual(
    events.map(([type]) => type),
    ['run_failed', 'problem', 'plan_failed', 'problem'],
  );
  const run = events[0]?.[1] as { readonly runId: string; readonly error: { readonly code: string } };
  assert.deepEqual([run.runId, run.error.code], [runId, 'INTERNAL_ERROR']);
  const plan = events[2]?.[1] as { readonly planId: string; readonly errorCode: string };
  assert.deepEqual([plan.planId, plan.errorCode], [planId, 'INTERNAL_ERROR']);
  assert.doesNotMatch(JSON.stringify(events), /not a function/);
  db.connection.close();
});
