import { type Db, transact } from '../db/database.ts';
import { listMeta } from '../db/readers/meta.ts';
import { enqueueJob, pullJobs } from '../db/writers/jobs.ts';
import { setMeta } from '../db/writers/meta.ts';
import { enqueuePoll, TASKS } from '../engine/enqueue.ts';
import { enqueueStoreCheck } from '../engine/stores/check-store.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { PairId } from '../model/ids.ts';
import { JOB_PRIORITY } from '../model/job.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { failureText } from './failure.ts';
import { dueWork, type ScheduledAction, type ScheduledPair, type ScheduledStore } from './schedule.ts';

export interface SchedulerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly listPairs: (db: Db) => readonly ScheduledPair[];
  readonly listStores: (db: Db) => readonly ScheduledStore[];
  /** Starts a full sync; one that is open already is left to go on. Called outside of a transaction. */
  readonly requestRun: (pairId: PairId, trigger: 'scheduled' | 'reconcile') => void;
  /** The clock was set back, and jobs and notes have been moved with it: for whatever else remembers a time. */
  readonly onSetBack?: () => void;
}

export interface Scheduler {
  /** Looks now, and again whenever something falls due, until it is stopped. */
  start(): void;
  stop(): void;
}

/** Group of housekeeping, which belongs to no pair and no store. */
const INSTANCE_GROUP = 'instance';
const PREFIX = 'schedule.';
const SINCE = 'since';

/** Sets off what is due and notes it. Returns when to look again, ms. */
export function actOnSchedule(options: SchedulerOptions): number {
  const { db, clock, log } = options;
  const nowMs = clock.now();
  const lastAt = followClock(
    options,
    new Map([...listMeta(db, PREFIX)].map(([key, value]) => [key, Number(value)])),
    nowMs,
  );
  const since = lastAt.get(SINCE);
  if (since === undefined) transact(db, (tx) => setMeta(tx, PREFIX + SINCE, String(nowMs)));
  const pairs = options.listPairs(db);
  const stores = options.listStores(db);
  const due = dueWork({ pairs, stores, lastAt, since: since ?? nowMs, nowMs });
  for (const action of due.actions) {
    try {
      act(options, action, nowMs);
    } catch (error) {
      // One pair's trouble does not hold up the others; it is noted as done, and due again at its next time.
      log.error({ action: action.key, error: failureText(error) }, 'recurring work could not be set off');
    }
    // Noted after: a crash in between sets it off once more, which the keys of jobs and runs absorb.
    transact(db, (tx) => setMeta(tx, PREFIX + action.key, String(nowMs)));
  }
  return due.nextAt;
}

/** A clock that was set back by no more than this is let be, ms. */
const SET_BACK_MIN_MS = MINUTE_MS;

/**
 * What was done last was done in the future: the clock was set back since. A machine that starts with a wrong clock, or is given another, would leave what
 * waits alone until the old time comes again, which may be in years. Returns the notes as they are now.
 */
function followClock(
  { db, log, onSetBack }: SchedulerOptions,
  lastAt: ReadonlyMap<string, number>,
  nowMs: number,
): ReadonlyMap<string, number> {
  const byMs = Math.max(0, ...lastAt.values()) - nowMs;
  if (byMs <= SET_BACK_MIN_MS) return lastAt;
  const moved = new Map([...lastAt].map(([key, at]) => [key, at - byMs]));
  const jobs = transact(db, (tx) => {
    for (const [key, at] of moved) setMeta(tx, PREFIX + key, String(at));
    return pullJobs(tx, nowMs, byMs);
  });
  log.warn({ byMs, jobs }, 'the clock was set back: what waits is moved with it');
  onSetBack?.();
  return moved;
}

function act(options: SchedulerOptions, action: ScheduledAction, nowMs: number): void {
  const { db } = options;
  switch (action.type) {
    case 'sync_pair':
      options.requestRun(action.pairId, action.trigger);
      return;
    case 'poll_store':
      transact(db, (tx) => enqueuePoll(tx, action.storeId, nowMs));
      return;
    case 'ensure_webhooks':
      transact(db, (tx) =>
        enqueueJob(tx, {
          key: `webhooks:${action.storeId}`,
          task: TASKS.ensureWebhooks,
          groupKey: action.storeId,
          payload: { storeId: action.storeId },
          priority: JOB_PRIORITY.housekeeping,
          runAt: nowMs,
        }),
      );
      return;
    case 'check_store':
      transact(db, (tx) => enqueueStoreCheck(tx, action.storeId, nowMs));
      return;
    case 'housekeeping':
      transact(db, (tx) =>
        enqueueJob(tx, {
          key: 'housekeeping',
          task: TASKS.housekeeping,
          groupKey: INSTANCE_GROUP,
          payload: null,
          priority: JOB_PRIORITY.housekeeping,
          runAt: nowMs,
        }),
      );
      return;
  }
}

/** Drives `actOnSchedule` by the clock. What was missed while the server was off is caught up once at start. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, log } = options;
  const stopped = new AbortController();

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      let nextAt = clock.now() + MINUTE_MS;
      try {
        nextAt = actOnSchedule(options);
      } catch (error) {
        log.error({ error: failureText(error) }, 'the schedule can not be read; trying again in a minute');
      }
      await clock.sleep(Math.max(1, nextAt - clock.now()), stopped.signal).catch(() => undefined);
    }
  }

  return {
    start() {
      void loop();
    },
    stop: () => stopped.abort(new Error('the scheduler was stopped')),
  };
}
