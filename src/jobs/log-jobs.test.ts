import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../db/database.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import { ConnectorError } from '../model/connector-error.ts';
import { JOB_PRIORITY, type JobOutcome } from '../model/job.ts';
import { VirtualClock } from '../testing/simulator/virtual-clock.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { createRunner } from './runner.ts';
import type { Task } from './task.ts';

/** What a store may say of a product, and what nobody may find in these lines. */
const SAID = 'unavailable: Zylindermug of ada@example.com';

const ENDS: Readonly<Record<string, JobOutcome>> = {
  done: { type: 'done' },
  retry: { type: 'retry', reason: SAID },
  snooze: { type: 'snooze', ms: 60_000 },
  cancel: { type: 'cancel', reason: SAID },
};

function start(isLogged: (groupKey: string) => boolean) {
  const clock = new VirtualClock();
  const db = openMemoryDatabase();
  const log = makeTestLog();
  const work: Task = {
    ...{ name: 'work', batchMax: 10, timeoutMs: 60_000 },
    async run(jobs) {
      await clock.sleep(250);
      if (jobs.some(({ key }) => key === 'failed')) throw new ConnectorError('unavailable', SAID);
      return jobs.map(({ key }) => ENDS[key] ?? { type: 'done' });
    },
  };
  const runner = createRunner({ db, clock, log, random: makeTestRandom(), tasks: [work], concurrency: 4, isLogged });
  runner.start();
  return {
    clock,
    enqueue(groupKey: string, ...keys: readonly string[]): void {
      const request = { task: 'work', groupKey, payload: { title: SAID }, priority: JOB_PRIORITY.product, runAt: 0 };
      transact(db, (tx) => {
        for (const key of keys) enqueueJob(tx, { ...request, key });
      });
    },
    lines: () => log.lines.filter(({ message }) => message === 'a job ended'),
  };
}

test('a line for each job of a group that is to be logged: what, about what, how it ended and how long that took', async () => {
  const { clock, enqueue, lines } = start((groupKey) => groupKey === 'pair_1');
  enqueue('pair_1', ...Object.keys(ENDS));
  enqueue('pair_2', 'other');
  await clock.runFor(400);
  assert.deepEqual(
    lines().map(({ level, fields }) => ({ level, ...fields })),
    Object.keys(ENDS).map((key) => ({
      ...{ level: 'info', task: 'work', pairId: 'pair_1', key, attempts: 0 },
      ...{ outcome: key, durationMs: 250, together: 4 },
    })),
  );
});

test('nothing of what a store said or a job holds is in it', async () => {
  const { clock, enqueue, lines } = start(() => true);
  enqueue('pair_1', ...Object.keys(ENDS));
  enqueue('pair_2', 'failed');
  await clock.runFor(400);
  assert.equal(lines().find(({ fields }) => fields['key'] === 'failed')?.fields['outcome'], 'failed');
  assert.doesNotMatch(JSON.stringify(lines()), /Zylinder|ada@|title|reason/);
});

test('whether a group is to be logged is asked each time', async () => {
  let isLogged = false;
  const { clock, enqueue, lines } = start(() => isLogged);
  for (const turn of [false, true, false]) {
    isLogged = turn;
    enqueue('pair_1', `turn_${turn}`);
    await clock.runFor(1_000);
  }
  assert.deepEqual(
    lines().map(({ fields }) => fields['key']),
    ['turn_true'],
  );
});
