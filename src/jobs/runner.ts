import PQueue from 'p-queue';
import type { Db, Tx } from '../db/database.ts';
import { type LaneHead, listLaneHeads } from '../db/readers/jobs.ts';
import { transactRelaxed } from '../db/relaxed.ts';
import { type Claim, claimJobs, releaseOrphans, settleJobs, takeAskedFor } from '../db/writers/jobs.ts';
import { assert } from '../lib/assert.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { ClaimedJob } from '../model/job.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { type JobResult, runBatch } from './batch.ts';
import { classifyFailure, failureText } from './failure.ts';
import { chooseLanes, type Lane, laneKey, nextDueAt, SLOW_MS, Turns, urgency } from './lanes.ts';
import { logJobs } from './log-jobs.ts';
import { isQuarantined, settlementOf } from './settlement.ts';
import type { Task } from './task.ts';

export interface Quarantined {
  readonly task: string;
  readonly groupKey: string;
  readonly job: ClaimedJob;
  readonly error: unknown;
}

export interface RunnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tasks: readonly Task[];
  /** Batches in work at once, over all groups. */
  readonly concurrency: number;
  /** Called inside the transaction that puts the job aside, so that what is shown about it commits with it. */
  readonly onQuarantine?: (tx: Tx, quarantined: Quarantined) => void;
  /** Whether each job of that group that ends has a line in the log. Asked each time: it must cost next to nothing. */
  readonly isLogged?: (groupKey: string) => boolean;
}

export interface Runner {
  /** Takes orphans of the process before back and begins to claim. */
  start(): void;
  /** Looks for due work soon. Only needed when rows changed behind `enqueueJob`'s back: it wakes the runner after its commit by itself. */
  wake(): void;
  /** Resolves when nothing is running and nothing is due; later work may still be scheduled. */
  drain(): Promise<void>;
  /** Claims nothing more and resolves when all batches have ended and are settled. `abort`: they are asked to end now, at no cost to their jobs. */
  stop(abort: boolean): Promise<void>;
  /** Never touches the database again: the process lock was lost (or, in the simulator, the process was killed). */
  halt(): void;
  /** Batches in work now. */
  runningCount(): number;
}

/** How long to wait when the database itself refuses (disk full). */
const DATABASE_RETRY_MS = SECOND_MS;

const RE_ARMED = 'another time';

interface Batch {
  readonly task: Task;
  readonly lane: Lane;
  readonly claims: readonly Claim[];
}

/** Runs what the `job` table says. One runner per database. */
export function createRunner(options: RunnerOptions): Runner {
  const { db, clock, random, log, concurrency } = options;
  const tasks = new Map(options.tasks.map((task) => [task.name, task]));
  assert(tasks.size === options.tasks.length, 'task names are unique');
  assert(concurrency >= 1, 'a runner has at least one slot');
  const queue = new PQueue({ concurrency });
  const turns = new Turns();
  const beat = random.unit();
  /** Priority of each batch in flight, by lane key. */
  const running = new Map<string, number>();
  /** Keys of lanes whose last batch was slow. */
  const slow = new Set<string>();
  const stopping = new AbortController();
  const unknownTasks = new Set<string>();
  let state: 'idle' | 'running' | 'stopping' | 'halted' = 'idle';
  let isPumpScheduled = false;
  let timer: { readonly at: number; readonly abort: AbortController } | null = null;
  let drainWaiters: (() => void)[] = [];

  function onCommit(): void {
    // A lane that has a batch in work is looked at when that ends.
    if (takeAskedFor(db).some((lane) => lane === null || !running.has(laneKey(lane.groupKey, lane.task)))) wake();
  }

  function wake(): void {
    if (isPumpScheduled || state !== 'running') return;
    isPumpScheduled = true;
    queueMicrotask(() => {
      isPumpScheduled = false;
      pump();
    });
  }

  function pump(): void {
    if (state !== 'running' || running.size >= concurrency) return;
    try {
      const nowMs = clock.now();
      const heads = listLaneHeads(db).filter((head) => isKnown(head) && !isHeld(head));
      const lanes = chooseLanes(heads, nowMs, running, concurrency, turns, slow);
      for (const batch of claim(lanes, nowMs)) launch(batch);
      arm(running.size >= concurrency ? null : nextDueAt(heads, nowMs, running));
      if (running.size === 0 && lanes.length === 0) releaseDrain();
    } catch (error) {
      log.error({ error: failureText(error) }, 'jobs can not be claimed; trying again soon');
      arm(clock.now() + DATABASE_RETRY_MS);
    }
  }

  function isKnown(head: LaneHead): boolean {
    if (tasks.has(head.task)) return true;
    if (!unknownTasks.has(head.task)) {
      unknownTasks.add(head.task);
      log.warn({ task: head.task }, 'jobs of a task that this version does not know are left alone');
    }
    return false;
  }

  function isHeld({ task, groupKey }: LaneHead): boolean {
    return tasks.get(task)?.isHeld?.(groupKey) === true;
  }

  function claim(lanes: readonly Lane[], nowMs: number): readonly Batch[] {
    if (lanes.length === 0) return [];
    return transactRelaxed(db, (tx) => {
      const batches: Batch[] = [];
      for (const lane of lanes) {
        const task = tasks.get(lane.task);
        if (task === undefined) continue;
        const claims = claimJobs(tx, lane, nowMs, task.batchMax);
        if (claims.length > 0) batches.push({ task, lane, claims });
      }
      return batches;
    });
  }

  function launch(batch: Batch): void {
    running.set(batch.lane.key, urgency(batch.lane));
    queue.add(() => work(batch)).catch(onBug);
  }

  async function work(batch: Batch): Promise<void> {
    const { task, lane, claims } = batch;
    const startedAt = clock.now();
    const results = await runBatch(task, claims, lane.groupKey, clock, stopping.signal);
    const durationMs = clock.now() - startedAt;
    report(batch, results);
    await settle(batch, results);
    running.delete(lane.key);
    if (clock.now() - startedAt < SLOW_MS) slow.delete(lane.key);
    else slow.add(lane.key);
    wake();
    if (!isHalted() && options.isLogged?.(lane.groupKey) === true)
      logJobs(log, { task: task.name, groupKey: lane.groupKey, claims, results, durationMs });
  }

  async function settle(batch: Batch, results: readonly JobResult[]): Promise<void> {
    let isReporting = true;
    while (!isHalted()) {
      try {
        settleOnce(batch, results, isReporting);
        return;
      } catch (error) {
        // The work is done and must not be done again because the disk is full: its end waits for the disk.
        log.error({ task: batch.task.name, error: failureText(error) }, 'jobs can not be settled; trying again soon');
        if (classifyFailure(error).type === 'bug') isReporting = false;
        await clock.sleep(DATABASE_RETRY_MS, stopping.signal).catch(() => undefined);
        // Left as executing: the next process takes them up as orphans.
        if (stopping.signal.aborted) return;
      }
    }
  }

  function isHalted(): boolean {
    return state === 'halted';
  }

  function settleOnce(batch: Batch, results: readonly JobResult[], isReporting: boolean): void {
    const { task, lane, claims } = batch;
    const nowMs = clock.now();
    transactRelaxed(db, (tx) => {
      const settlements = claims.map((claim, index) => {
        const result: JobResult = results[index] ?? { type: 'interrupted' };
        if (isReporting && result.type === 'failed' && isQuarantined(claim, result)) {
          const { id, key, payload, attempts } = claim;
          const job = { id, key, payload, attempts };
          options.onQuarantine?.(tx, { task: task.name, groupKey: lane.groupKey, job, error: result.error });
        }
        return settlementOf(claim, result, nowMs, beat);
      });
      settleJobs(tx, settlements);
    });
  }

  function report(batch: Batch, results: readonly JobResult[]): void {
    for (const [index, result] of results.entries()) {
      const claim = batch.claims[index];
      if (claim === undefined) continue;
      const fields = { task: batch.task.name, groupKey: batch.lane.groupKey, key: claim.key, attempts: claim.attempts };
      if (result.type === 'failed' && result.failure.type === 'bug') {
        const stack = result.error instanceof Error ? result.error.stack : undefined;
        const text = isQuarantined(claim, result)
          ? 'a job failed too often and was put aside'
          : 'a job failed: this is a bug';
        log.error({ ...fields, error: failureText(result.error), stack }, text);
      } else if (result.type === 'failed') {
        log.warn({ ...fields, error: failureText(result.error) }, 'a job is tried again later');
      } else if (result.type === 'outcome' && result.outcome.type === 'cancel') {
        log.warn({ ...fields, reason: result.outcome.reason }, 'a job was given up');
      } else if (result.type === 'outcome' && result.outcome.type === 'retry') {
        log.debug({ ...fields, reason: result.outcome.reason }, 'a job is tried again later');
      }
    }
  }

  /** Sets the one timer that wakes the runner when the next job falls due. */
  function arm(at: number | null): void {
    if (timer !== null && timer.at === at) return;
    timer?.abort.abort(RE_ARMED);
    timer = null;
    if (at === null || state !== 'running') return;
    const current = { at, abort: new AbortController() };
    timer = current;
    clock.sleep(Math.max(0, at - clock.now()), current.abort.signal).then(
      () => {
        if (timer === current) timer = null;
        wake();
      },
      () => undefined,
    );
  }

  function releaseDrain(): void {
    const waiters = drainWaiters;
    drainWaiters = [];
    for (const resolve of waiters) resolve();
  }

  function close(next: 'stopping' | 'halted'): void {
    state = next;
    db.hooks.afterCommit.delete(onCommit);
    arm(null);
    releaseDrain();
  }

  function onBug(error: unknown): void {
    log.error(
      { error: failureText(error), stack: error instanceof Error ? error.stack : undefined },
      'the job runner failed',
    );
  }

  return {
    start() {
      assert(state === 'idle', 'a runner is started once');
      state = 'running';
      const orphanCount = transactRelaxed(db, (tx) => releaseOrphans(tx, clock.now()));
      if (orphanCount > 0) log.info({ orphanCount }, 'jobs that were cut off are taken up again');
      db.hooks.afterCommit.add(onCommit);
      wake();
    },
    wake,
    drain() {
      return new Promise((resolve) => {
        if (state !== 'running') return resolve();
        drainWaiters.push(resolve);
        wake();
      });
    },
    async stop(abort) {
      if (state === 'halted') return;
      close('stopping');
      if (abort) stopping.abort(new Error('the server is stopping'));
      await queue.onIdle();
    },
    halt() {
      close('halted');
      stopping.abort(new Error('the server was halted'));
    },
    runningCount: () => running.size,
  };
}
