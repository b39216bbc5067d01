import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { transact } from '../db/database.ts';
import { countJobs, findJob } from '../db/readers/jobs.ts';
import { enqueueJob, wakeGroup } from '../db/writers/jobs.ts';
import { InvariantError } from '../lib/assert.ts';
import { ConnectorError } from '../model/connector-error.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../model/job.ts';
import {
  clock,
  DONE,
  db,
  enqueue,
  gated,
  LONGEST_WAIT,
  log,
  noted,
  quarantined,
  runner,
  startAnew,
  task,
} from '../testing/support/runner-bench.ts';
import { createRunner } from './runner.ts';

describe('claiming', () => {
  test('a job enqueued while the runner idles runs after its commit, and its row goes', async () => {
    const seen: unknown[] = [];
    const r = runner([task('work', async (jobs) => jobs.map(({ payload }) => noted(seen, payload)))]);
    r.start();
    await r.drain();
    enqueue({ key: 'a', payload: { id: 7 } });
    await r.drain();
    assert.deepEqual(seen, [{ id: 7 }]);
    assert.equal(findJob(db, 'a'), null);
    await r.stop(false);
  });

  test('a rolled back enqueue leaves nothing to run', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    r.start();
    assert.throws(() =>
      transact(db, (tx) => {
        enqueueJob(tx, { key: 'a', task: 'work', groupKey: 'g', payload: 1, priority: 0, runAt: 0 });
        throw new Error('no');
      }),
    );
    await r.drain();
    assert.equal(calls.length, 0);
  });

  test('jobs of one group go in batches, and never two batches of one task and group at once', async () => {
    const { task: work, calls } = gated('work', 3);
    const r = runner([work]);
    for (let index = 0; index < 5; index++) enqueue({ key: `k${index}` });
    r.start();
    await clock.drain();
    assert.deepEqual(
      calls.map(({ keys }) => keys),
      [['k0', 'k1', 'k2']],
    );
    calls[0]!.end();
    await clock.drain();
    assert.deepEqual(calls[1]!.keys, ['k3', 'k4']);
    calls[1]!.end();
    await r.drain();
  });

  test('lower priority numbers go first, whatever the order of arrival', async () => {
    const order: string[] = [];
    const note = (name: string) => task(name, async (jobs) => jobs.map(({ key }) => noted(order, key)));
    const r = runner([note('scan'), note('stock'), note('work')], 1);
    enqueue({ key: 'scan', task: 'scan', priority: JOB_PRIORITY.scan });
    enqueue({ key: 'product', task: 'work', groupKey: 'pair_2' });
    enqueue({ key: 'stock', task: 'stock', priority: JOB_PRIORITY.stock });
    r.start();
    await r.drain();
    assert.deepEqual(order, ['stock', 'product', 'scan']);
  });

  test('inside a batch the more urgent come first', async () => {
    const { task: work, calls } = gated('work', 3);
    enqueue({ key: 'later', priority: 20 });
    enqueue({ key: 'soon', priority: 10 });
    enqueue({ key: 'first', priority: 0 });
    const r = runner([work]);
    r.start();
    await clock.drain();
    assert.deepEqual(calls[0]!.keys, ['first', 'soon', 'later']);
  });

  test('a job for later wakes the runner when its time comes, and not before', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    r.start();
    enqueue({ key: 'a', runAt: clock.now() + 5000 });
    await clock.runFor(4999);
    assert.equal(calls.length, 0);
    await clock.runFor(1);
    assert.equal(calls.length, 1);
  });

  test('jobs of a held group stay where they are, wake nobody, and go at once when it is held no more', async () => {
    const done: string[] = [];
    const held = new Set(['pair_1']);
    const work = task('work', async (jobs) => jobs.map(({ key }) => noted(done, key)));
    const r = runner([{ ...work, isHeld: (group) => held.has(group) }]);
    r.start();
    for (const key of ['a', 'b']) enqueue({ key });
    enqueue({ key: 'other', groupKey: 'pair_2' });
    await r.drain();
    await clock.runFor(86_400_000);
    assert.deepEqual(done, ['other']);
    assert.equal(findJob(db, 'a')?.attempts, 0);
    held.clear();
    transact(db, (tx) => wakeGroup(tx, 'pair_1', clock.now()));
    await r.drain();
    assert.deepEqual(done, ['other', 'a', 'b']);
    await r.stop(false);
  });

  test('jobs of an unknown task are left alone and do not block others', async () => {
    const { task: work, calls } = gated('work');
    enqueue({ key: 'old', task: 'gone', priority: 0 });
    enqueue({ key: 'a' });
    const r = runner([work]);
    r.start();
    await clock.drain();
    assert.deepEqual(calls[0]!.keys, ['a']);
    assert.equal(findJob(db, 'old')?.state, 'ready');
    assert.equal(log.lines.filter(({ message }) => /does not know/.test(message)).length, 1);
  });
});

describe('keys', () => {
  test('ten signals of one record are one job; payloads are merged, the urgent priority and early time hold', () => {
    const sum = (a: unknown, b: unknown) => (a as number) + (b as number);
    for (let index = 1; index <= 10; index++) {
      enqueue({ key: 'a', payload: index, priority: 20 - index, runAt: 5000 - index }, sum);
    }
    const job = findJob(db, 'a')!;
    assert.deepEqual([job.payload, job.priority, job.runAt], [55, 10, 4990]);
    assert.equal(countJobs(db, clock.now())[0]!.ready, 1);
  });

  test('a record dirtied while in work is looked at once more', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await clock.drain();
    enqueue({ key: 'a' });
    enqueue({ key: 'a' });
    await clock.drain();
    assert.equal(calls.length, 1);
    calls[0]!.end();
    await clock.drain();
    assert.equal(calls.length, 2);
    calls[1]!.end();
    await r.drain();
    assert.equal(findJob(db, 'a'), null);
  });

  test('a task may ask for its own next turn from inside', async () => {
    let count = 0;
    const work = task('work', async (jobs) => {
      count += 1;
      enqueue({ key: 'a', runAt: clock.now() + 1000 });
      return jobs.map(() => DONE);
    });
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await r.drain();
    assert.equal(count, 1);
    await clock.runFor(2500);
    assert.equal(count, 3);
    await r.stop(true);
  });

  test('a job that backs off keeps its time when more signals come', async () => {
    const work = task('work', async (jobs) => jobs.map(() => ({ type: 'retry', reason: 'down', afterMs: 9000 })));
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await r.drain();
    const dueAt = findJob(db, 'a')!.runAt;
    assert.equal(dueAt, clock.now() + 9000);
    enqueue({ key: 'a', priority: 0 });
    assert.equal(findJob(db, 'a')!.runAt, dueAt);
    assert.equal(findJob(db, 'a')!.priority, 0);
  });
});

describe('outcomes', () => {
  async function once(outcome: JobOutcome) {
    const r = runner([task('work', async () => [outcome])]);
    enqueue({ key: 'a' });
    r.start();
    await r.drain();
    await r.stop(true);
    return findJob(db, 'a');
  }

  test('cancel removes the job', async () => {
    assert.equal(await once({ type: 'cancel', reason: 'gone' }), null);
  });

  test('snooze costs no attempt', async () => {
    const job = await once({ type: 'snooze', ms: 700 });
    assert.deepEqual([job?.attempts, job?.runAt], [0, clock.now() + 700]);
  });

  test('retry costs an attempt and keeps the reason', async () => {
    const job = await once({ type: 'retry', reason: 'store is down' });
    assert.deepEqual([job?.attempts, job?.runAt, job?.lastError], [1, clock.now() + 1000, 'store is down']);
  });

  test('back-off doubles up to about a minute', async () => {
    const r = runner([task('work', async () => [{ type: 'retry', reason: 'x' }])]);
    enqueue({ key: 'a' });
    r.start();
    const waits: number[] = [];
    for (let index = 0; index < 11; index++) {
      await r.drain();
      const wait = findJob(db, 'a')!.runAt - clock.now();
      waits.push(wait / 1000);
      await clock.runFor(wait);
    }
    for (const [index, wait] of waits.entries()) {
      const longest = Math.min(64, 2 ** index);
      assert.ok(wait > longest / 2 && wait <= longest, `wait ${index}: ${wait} s`);
    }
    await r.stop(true);
  });

  test('what began to fail at different times is tried together after a while', async () => {
    const batches: number[] = [];
    let isDown = true;
    const work = task(
      'work',
      async (jobs) => {
        if (!isDown) batches.push(jobs.length);
        return jobs.map(() => (isDown ? { type: 'retry', reason: 'down' } : DONE));
      },
      250,
    );
    const r = runner([work]);
    r.start();
    for (let index = 0; index < 40; index++) {
      enqueue({ key: `k${index}`, runAt: clock.now() });
      await clock.runFor(37 + index * 11);
    }
    await clock.runFor(120_000);
    isDown = false;
    await clock.runFor(64_000);
    assert.equal(
      batches.reduce((sum, size) => sum + size, 0),
      40,
    );
    assert.ok(batches.length <= 2, `batches of ${batches.join(', ')}`);
    await r.stop(true);
  });
});

describe('failures', () => {
  test('passing trouble is retried for ever; what the platform asked for is honoured', async () => {
    const error = new ConnectorError('rate_limited', 'slow down', { retryAfterMs: 42_000 });
    const r = runner([task('work', async () => Promise.reject(error))]);
    enqueue({ key: 'a' });
    r.start();
    await r.drain();
    assert.deepEqual([findJob(db, 'a')?.runAt, findJob(db, 'a')?.attempts], [clock.now() + 42_000, 1]);
    await clock.runFor(42_000 * 20);
    assert.equal(findJob(db, 'a')?.attempts, 21);
    assert.equal(quarantined.length, 0);
    await r.stop(true);
  });

  test('a full disk inside a task is no bug of the task', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const r = runner([task('work', async () => Promise.reject(full))]);
    enqueue({ key: 'a' });
    r.start();
    await clock.runFor(600_000);
    assert.ok(findJob(db, 'a')!.attempts >= 8);
    assert.equal(quarantined.length, 0);
    await r.stop(true);
  });

  test('a poisoned job is found, retried alone and put aside after five throws; its neighbours are done', async () => {
    const done: string[] = [];
    const work = task('work', async (jobs: readonly ClaimedJob[]) => {
      if (jobs.some(({ key }) => key === 'bad')) throw new InvariantError('hub is never null');
      return jobs.map(({ key }) => noted(done, key));
    });
    const r = runner([work]);
    for (const key of ['a', 'bad', 'b']) enqueue({ key });
    r.start();
    await r.drain();
    assert.deepEqual(done, ['a', 'b']);
    await clock.runFor(120_000);
    assert.equal(findJob(db, 'bad'), null);
    assert.equal(quarantined.length, 1);
    assert.equal(quarantined[0]!.job.key, 'bad');
    assert.match(String(log.lines.find(({ level }) => level === 'error')?.fields['stack']), /hub is never null/);
    await r.stop(true);
  });

  test('a task that gives the wrong number of outcomes is a bug', async () => {
    const r = runner([task('work', async () => [])]);
    enqueue({ key: 'a' });
    r.start();
    await r.drain();
    assert.match(String(findJob(db, 'a')?.lastError), /one outcome for each job/);
    await r.stop(true);
  });

  test('a call that takes too long is aborted and tried again', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await clock.runFor(60_000);
    assert.equal(calls.length, 1);
    const job = findJob(db, 'a')!;
    assert.deepEqual([job.state, job.attempts], ['ready', 1]);
    assert.match(String(job.lastError), /longer than 60000 ms/);
    await r.stop(true);
  });

  test('when the end of a job can not be stored it is stored later, and the work is not repeated', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await clock.drain();
    db.hooks.beforeCommit = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    calls[0]!.end();
    await clock.runFor(3500);
    assert.equal(findJob(db, 'a')?.state, 'executing');
    db.hooks.beforeCommit = null;
    await clock.runFor(1000);
    assert.equal(findJob(db, 'a'), null);
    assert.equal(calls.length, 1);
    await r.stop(true);
  });
});

describe('stopping and starting', () => {
  test('stop without abort waits for the batch and settles it', async () => {
    const { task: work, calls } = gated('work');
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await clock.drain();
    const stopped = r.stop(false);
    enqueue({ key: 'b' });
    await clock.drain();
    calls[0]!.end();
    await stopped;
    assert.equal(calls.length, 1);
    assert.equal(findJob(db, 'a'), null);
    assert.equal(findJob(db, 'b')?.state, 'ready');
  });

  test('stop with abort gives the jobs back at no cost', async () => {
    const { task: work } = gated('work');
    const r = runner([work]);
    enqueue({ key: 'a' });
    r.start();
    await clock.drain();
    await r.stop(true);
    const job = findJob(db, 'a')!;
    assert.deepEqual([job.state, job.attempts, job.runAt], ['ready', 0, clock.now()]);
  });

  test('after a kill the orphans go back at once, in the next process', async () => {
    const first = gated('work');
    const killed = runner([first.task]);
    enqueue({ key: 'a' });
    killed.start();
    await clock.drain();
    killed.halt();
    first.calls[0]!.end();
    await clock.drain();
    assert.equal(findJob(db, 'a')?.state, 'executing');
    const second = gated('work');
    runner([second.task]).start();
    await clock.drain();
    assert.deepEqual(second.calls[0]!.keys, ['a']);
  });
});

test('the same history gives the same order, run by run', async () => {
  const orders: string[] = [];
  for (let round = 0; round < 2; round++) {
    startAnew();
    const order: string[] = [];
    const work = (name: string) =>
      task(name, async (jobs, group) => {
        order.push(`${name}:${group}:${jobs.map(({ key }) => key).join('+')}@${clock.now()}`);
        await clock.sleep(jobs.length);
        return jobs.map(({ attempts }, i) => (i % 3 === 2 && attempts < 2 ? { type: 'retry', reason: 'r' } : DONE));
      });
    const r = runner([work('x'), work('y')], 3);
    r.start();
    for (let step = 0; step < 200; step++) {
      enqueue({
        key: `k${(step * 7) % 40}`,
        task: step % 2 ? 'x' : 'y',
        groupKey: `g${step % 5}`,
        priority: (step % 3) * 10,
      });
      await clock.runFor(step % 4);
    }
    await clock.runFor(60_000);
    await r.stop(false);
    orders.push(order.join('\n'));
  }
  assert.equal(orders[0], orders[1]);
  assert.ok(orders[0]!.split('\n').length > 50);
});

test('whatever the interleaving of signals, failures and kills: nothing asked for is lost, nothing runs twice at once', async () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('ask' as const), key: fc.nat(9), group: fc.nat(2) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 3000 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80 }),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 50 }),
      async (steps, dice) => {
        startAnew();
        let asked = 0;
        let rolls = 0;
        const latest = new Map<string, number>();
        const seen = new Map<string, number>();
        const running = new Set<string>();
        const roll = () => dice[rolls++ % dice.length]!;
        const begin = () => {
          const process = clock.process();
          let isDead = false;
          const work = task(
            'work',
            async (jobs, group) => {
              assert.ok(!running.has(group), `${group} is in work already`);
              running.add(group);
              const wait = roll() * 200;
              await process.sleep(wait);
              if (!isDead) running.delete(group);
              if (roll() === 0) throw new ConnectorError('unavailable', 'down');
              return jobs.map(({ key, payload }): JobOutcome => {
                const die = roll();
                if (die === 1) return { type: 'retry', reason: 'die' };
                if (die === 2) return { type: 'snooze', ms: 50 };
                seen.set(key, Math.max(seen.get(key) ?? 0, payload as number));
                return DONE;
              });
            },
            3,
          );
          const r = createRunner({ db, clock: process, random: LONGEST_WAIT, log, tasks: [work], concurrency: 2 });
          r.start();
          return {
            runner: r,
            kill() {
              isDead = true;
              process.kill();
              r.halt();
              running.clear();
            },
          };
        };
        let current = begin();
        for (const action of steps) {
          if (action.do === 'wait') await clock.runFor(action.ms);
          else if (action.do === 'kill') {
            current.kill();
            current = begin();
          } else {
            const key = `g${action.group}k${action.key}`;
            asked += 1;
            latest.set(key, asked);
            enqueue({ key, groupKey: `g${action.group}`, payload: asked });
          }
        }
        // With a die that always says the same a job may never end: from here on everything succeeds.
        dice = [9];
        await clock.runFor(3_600_000);
        assert.deepEqual(countJobs(db, clock.now()), []);
        for (const [key, number] of latest) assert.equal(seen.get(key), number, key);
        await current.runner.stop(true);
        db.connection.close();
      },
    ),
    { numRuns: 150 },
  );
});

test('a task that does not heed its signal is given up half a minute after its time: its lane is free, its jobs come back', async () => {
  const calls: string[][] = [];
  const deaf = task('work', (jobs) => {
    calls.push(jobs.map(({ key }) => key));
    return calls.length === 1 ? new Promise(() => undefined) : Promise.resolve(jobs.map(() => DONE));
  });
  const r = runner([deaf]);
  enqueue({ key: 'a' });
  r.start();
  await clock.runFor(80_000);
  enqueue({ key: 'b' });
  await clock.runFor(5_000);
  assert.deepEqual(calls, [['a']], 'it still has its half minute');
  await clock.runFor(20_000);
  assert.deepEqual(new Set(calls.slice(1).flat()), new Set(['a', 'b']));
  assert.deepEqual(countJobs(db, clock.now()), []);
});

test('a task that does not heed its signal holds a stop up for a few seconds only', async () => {
  const r = runner([task('work', () => new Promise(() => undefined))]);
  enqueue({ key: 'a' });
  r.start();
  await clock.runFor(1_000);
  const from = clock.now();
  await clock.run(r.stop(true));
  assert.equal(clock.now() - from, 6_000);
});

test('nor does one whose time is up already, whenever that was', async () => {
  const r = runner([{ ...task('work', () => new Promise(() => undefined)), timeoutMs: 5_000 }]);
  enqueue({ key: 'a' });
  r.start();
  await clock.runFor(7_000);
  const from = clock.now();
  await clock.run(r.stop(true));
  assert.equal(clock.now() - from, 6_000);
});
