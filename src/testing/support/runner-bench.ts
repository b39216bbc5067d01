import { beforeEach } from 'node:test';
import { type Db, transact } from '../../db/database.ts';
import { enqueueJob, type JobRequest } from '../../db/writers/jobs.ts';
import { createRunner, type Quarantined, type Runner } from '../../jobs/runner.ts';
import type { Task } from '../../jobs/task.ts';
import { JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import type { Random } from '../../ports/random.ts';
import { VirtualClock } from '../simulator/virtual-clock.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { makeTestLog, type TestLog } from './test-log.ts';

// A runner on a virtual clock with a database of its own, made anew before each test of the file that imports this.

/** Jitter at its upper end. */
export const LONGEST_WAIT: Random = { id: (prefix) => prefix, unit: () => 1 - Number.EPSILON };
export const DONE: JobOutcome = { type: 'done' };
export let db: Db;
export let clock: VirtualClock;
export let log: TestLog;
export let quarantined: Quarantined[];

beforeEach(() => {
  startAnew();
  log = makeTestLog();
  quarantined = [];
});

/** Another database and another clock, within a test. */
export function startAnew(): void {
  db = openMemoryDatabase();
  clock = new VirtualClock();
}

export function runner(tasks: readonly Task[], concurrency = 4): Runner {
  return createRunner({
    db,
    clock,
    random: LONGEST_WAIT,
    log,
    tasks,
    concurrency,
    onQuarantine: (_tx, job) => void quarantined.push(job),
  });
}

export function task(name: string, run: Task['run'], batchMax = 10): Task {
  return { name, batchMax, timeoutMs: 60_000, run };
}

export function enqueue(
  request: Partial<JobRequest> & { key: string },
  merge?: (a: unknown, b: unknown) => unknown,
): void {
  const full = { task: 'work', groupKey: 'pair_1', payload: null, priority: JOB_PRIORITY.product, runAt: clock.now() };
  transact(db, (tx) => enqueueJob(tx, { ...full, ...request }, merge));
}

export function noted<T>(list: T[], item: T): JobOutcome {
  list.push(item);
  return DONE;
}

/** A task that records its calls and waits until the test lets them end. */
export function gated(name: string, batchMax = 10) {
  const calls: { keys: readonly string[]; group: string; end: () => void; fail: (error: unknown) => void }[] = [];
  const run: Task['run'] = (jobs, group, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      calls.push({
        keys: jobs.map(({ key }) => key),
        group,
        end: () => resolve(jobs.map(() => DONE)),
        fail: reject,
      });
    });
  return { task: task(name, run, batchMax), calls };
}
