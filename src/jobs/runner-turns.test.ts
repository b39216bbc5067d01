import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../db/database.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import { JOB_PRIORITY } from '../model/job.ts';
import { clock, DONE, db, enqueue, gated, runner, task } from '../testing/support/runner-bench.ts';
import { SLOW_MS } from './lanes.ts';

test('[W7] groups take turns: one sale of a small pair does not wait behind 10,000 of a big one', async () => {
  const order: string[] = [];
  const work = task(
    'work',
    async (jobs, group) => {
      order.push(group);
      return jobs.map(() => DONE);
    },
    100,
  );
  transact(db, (tx) => {
    for (let index = 0; index < 10_000; index++) {
      enqueueJob(tx, { key: `b${index}`, task: 'work', groupKey: 'big', payload: null, priority: 0, runAt: 0 });
    }
    enqueueJob(tx, { key: 's', task: 'work', groupKey: 'small', payload: null, priority: 0, runAt: 1 });
    enqueueJob(tx, { key: 't', task: 'work', groupKey: 'tiny', payload: null, priority: 0, runAt: 1 });
  });
  const r = runner([work], 1);
  r.start();
  await r.drain();
  assert.equal(order.length, 102);
  assert.ok(order.indexOf('small') < 3 && order.indexOf('tiny') < 3, order.slice(0, 5).join());
});

test('[W7] a pair that sells all the time does not give its turn with products away', async () => {
  const order: string[] = [];
  const products = task(
    'products',
    async (jobs, group) => {
      order.push(group);
      await clock.sleep(100);
      return jobs.map(() => DONE);
    },
    1,
  );
  let sales = 0;
  const sell = () => enqueue({ key: `sale${sales}`, task: 'stock', groupKey: 'small', priority: JOB_PRIORITY.stock });
  const stock = task('stock', async (jobs) => {
    await clock.sleep(20);
    sales += 1;
    if (sales < 100) sell();
    return jobs.map(() => DONE);
  });
  for (let n = 0; n < 10; n += 1)
    for (const group of ['big', 'great']) enqueue({ key: `${group}${n}`, task: 'products', groupKey: group });
  enqueue({ key: 'small', task: 'products', groupKey: 'small', runAt: clock.now() + 50 });
  sell();
  const r = runner([products, stock], 2);
  r.start();
  await clock.runFor(3_000);
  assert.equal(order.length, 21);
  assert.ok(order.indexOf('small') < 3, order.join());
});

test('[W7] products of many pairs leave a slot free for a sale', async () => {
  const products = gated('products');
  const stock = gated('stock');
  const r = runner([products.task, stock.task], 3);
  for (let pair = 0; pair < 6; pair++) {
    const priority = pair < 3 ? JOB_PRIORITY.possibleSale : JOB_PRIORITY.product;
    enqueue({ key: `product${pair}`, task: 'products', groupKey: `p${pair}`, priority });
  }
  r.start();
  await clock.drain();
  assert.equal(products.calls.length, 2);
  enqueue({ key: 'sale', task: 'stock', groupKey: 'p9', priority: JOB_PRIORITY.stock });
  await clock.drain();
  assert.equal(stock.calls.length, 1);
});

test('scans of many pairs leave slots free for a sale', async () => {
  const scan = gated('scan');
  const stock = gated('stock');
  const r = runner([scan.task, stock.task], 4);
  for (let pair = 0; pair < 6; pair++) {
    enqueue({ key: `scan${pair}`, task: 'scan', groupKey: `p${pair}`, priority: JOB_PRIORITY.scan });
  }
  r.start();
  await clock.drain();
  assert.equal(scan.calls.length, 2);
  enqueue({ key: 'sale', task: 'stock', groupKey: 'p9', priority: JOB_PRIORITY.stock });
  await clock.drain();
  assert.equal(stock.calls.length, 1);
});

test('stores that do not answer hold half of the slots, and no more once that is known', async () => {
  const stock = gated('stock');
  const r = runner([stock.task], 4);
  const sell = (group: string) => enqueue({ key: group, task: 'stock', groupKey: group, priority: JOB_PRIORITY.stock });
  const dead = ['d1', 'd2', 'd3', 'd4'];
  for (const group of dead) sell(group);
  r.start();
  await clock.drain();
  assert.equal(stock.calls.length, 4);
  await clock.runFor(SLOW_MS);
  for (const { end } of stock.calls.splice(0)) end();
  await clock.drain();
  for (const group of dead) sell(group);
  await clock.drain();
  assert.equal(stock.calls.length, 2);
  sell('alive');
  await clock.drain();
  assert.equal(stock.calls.at(-1)?.group, 'alive');
  for (const { end } of stock.calls.splice(0)) end();
  await clock.drain();
  assert.deepEqual(stock.calls.map(({ group }) => group).sort(), ['d3', 'd4']);
  sell('d1');
  sell('d2');
  await clock.drain();
  assert.equal(stock.calls.length, 4, 'they have answered at once');
});

test('[W7] one turn in four is for what is less urgent: shops that are edited without end starve neither edits of others, nor runs, nor the rest of their own', async () => {
  const order: string[] = [];
  let more = 0;
  const flood = (group: string) =>
    enqueue({ key: `flood${more++}`, task: 'products', groupKey: group, priority: JOB_PRIORITY.possibleSale });
  const products = task(
    'products',
    async (jobs, group) => {
      order.push(...jobs.map(({ key }) => key));
      await clock.sleep(100);
      if (group !== 'other' && more < 400) flood(group);
      return jobs.map(() => DONE);
    },
    1,
  );
  const run = task('run', async (jobs) => {
    order.push(...jobs.map(({ key }) => key));
    return jobs.map(() => DONE);
  });
  for (const group of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']) flood(group);
  enqueue({ key: 'edit', task: 'products', groupKey: 'other' });
  enqueue({ key: 'own', task: 'products', groupKey: 'a' });
  enqueue({ key: 'run', task: 'run', groupKey: 'other', priority: JOB_PRIORITY.request });
  enqueue({ key: 'look', task: 'run', groupKey: 'b', priority: JOB_PRIORITY.scan });
  runner([products, run], 3).start();
  await clock.runFor(3_000);
  for (const key of ['edit', 'own', 'run', 'look'])
    assert.ok(order.includes(key) && order.indexOf(key) < 24, `${key}: ${order.indexOf(key)}`);
});

test('[W7] polls do not take the last slot beside products', async () => {
  const products = gated('products');
  const poll = gated('poll');
  const stock = gated('stock');
  const r = runner([products.task, poll.task, stock.task], 3);
  for (let pair = 0; pair < 3; pair++) {
    enqueue({ key: `product${pair}`, task: 'products', groupKey: `p${pair}` });
    enqueue({ key: `poll${pair}`, task: 'poll', groupKey: `s${pair}`, priority: JOB_PRIORITY.scan });
  }
  r.start();
  await clock.drain();
  assert.equal(products.calls.length + poll.calls.length, 2);
  enqueue({ key: 'sale', task: 'stock', groupKey: 'p9', priority: JOB_PRIORITY.stock });
  await clock.drain();
  assert.equal(stock.calls.length, 1);
});
