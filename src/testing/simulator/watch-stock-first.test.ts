import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { TASKS } from '../../engine/enqueue.ts';
import { createRunner } from '../../jobs/runner.ts';
import type { Task } from '../../jobs/task.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';
import type { Violation } from './check.ts';
import { SeededRandom, seededRandomPort } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';
import { watchStockFirst } from './watch-stock-first.ts';

interface Work {
  readonly task: string;
  readonly group: string;
  readonly priority: number;
  /** When it is due, ms after the beginning. */
  readonly at: number;
}

const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const stock = { task: TASKS.syncStock, group: 'one', priority: JOB_PRIORITY.stock };
const products = { task: TASKS.syncProducts, group: 'one', priority: JOB_PRIORITY.product };

/** The real runner on tasks that take `workMs`. */
async function play(works: readonly Work[], workMs = 100, heldGroup = '') {
  const db = openMemoryDatabase();
  const clock = new VirtualClock();
  const process = clock.process();
  const breaches: Violation[] = [];
  const begun: string[] = [];
  const task = (name: string): Task => ({
    name,
    batchMax: 10,
    timeoutMs: 60_000,
    isHeld: (group) => group === heldGroup,
    run: async (jobs, group) => {
      begun.push(`${name} of ${group}`);
      await process.sleep(workMs);
      return jobs.map(() => ({ type: 'done' }));
    },
  });
  const tasks = watchStockFirst([task(TASKS.syncStock), task(TASKS.syncProducts)], {
    db,
    clock: process,
    onBreach: (breach) => breaches.push(breach),
  });
  const random = seededRandomPort(new SeededRandom('turns'), process);
  const runner = createRunner({ db, clock: process, random, log: QUIET, tasks, concurrency: 8 });
  const now = clock.now();
  transact(db, (tx) => {
    for (const { task: name, group, priority, at } of works)
      enqueueJob(tx, {
        key: `${name} ${group} ${at}`,
        task: name,
        groupKey: group,
        payload: null,
        priority,
        runAt: now + at,
      });
  });
  runner.start();
  await clock.runFor(60_000);
  db.connection.close();
  return { breaches, begun };
}

test('[I9] stock that is due is begun first, and what had begun before goes on', async () => {
  const { breaches, begun } = await play([
    { ...products, at: 0 },
    { ...stock, at: 0 },
    { ...products, at: 1_000 },
    { ...stock, at: 1_000 },
    { ...stock, at: 1_050 },
    { ...products, group: 'two', at: 1_050 },
  ]);
  assert.deepEqual(breaches, []);
  assert.deepEqual(begun.slice(0, 2), ['sync_stock of one', 'sync_products of one']);
});

test('[I9] whatever is begun before stock that is due is named, whatever its priority says', async () => {
  const { breaches } = await play([
    { ...products, group: 'two', at: 0, priority: -1 },
    { ...stock, at: 0 },
  ]);
  assert.deepEqual(breaches, [
    {
      invariant: 'I9 stock first',
      message: 'sync_products of two began while sync_stock of one was due, and before it',
    },
  ]);
});

test('stock that is held, at work, or of stores that hardly answer takes nobody’s turn', async () => {
  const urgent = { ...products, group: 'two', priority: -1 };
  const begins = [
    { ...stock, at: 0 },
    { ...urgent, at: 0 },
  ];
  assert.equal((await play(begins)).breaches.length, 1);
  assert.deepEqual((await play(begins, 100, 'one')).breaches, []);
  const whileAtWork = [
    { ...stock, at: 0 },
    { ...stock, at: 50 },
    { ...urgent, at: 60 },
  ];
  assert.deepEqual((await play(whileAtWork)).breaches, []);
  const afterLongWork = [
    { ...stock, at: 0 },
    { ...stock, at: 20_000 },
    { ...urgent, at: 20_000 },
  ];
  assert.equal((await play(afterLongWork)).breaches.length, 1);
  assert.deepEqual((await play(afterLongWork, 6_000)).breaches, []);
});
