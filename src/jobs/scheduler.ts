import { type Db, transact } from '../db/database.ts';
import { listMeta } from '../db/readers/meta.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import { setMeta } from '../db/writers/meta.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { failureText } from './failure.ts';
import { dueWork, type ScheduledPair, type ScheduledStore } from './schedule.ts';

export interface SchedulerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly listPairs: (db: Db) => readonly ScheduledPair[];
  readonly listStores: (db: Db) => readonly ScheduledStore[];
}

export interface Scheduler {
  /** Looks now, and again whenever something falls due, until it is stopped. */
  start(): void;
  stop(): void;
}

const PREFIX = 'schedule.';
const SINCE = `${PREFIX}since`;

/** Enqueues what is due and notes it, in one transaction. Returns when to look again, ms. */
export function enqueueDue(options: SchedulerOptions): number {
  const { db, clock } = options;
  const nowMs = clock.now();
  const noted = listMeta(db, PREFIX);
  const lastAt = new Map([...noted].map(([key, value]) => [key, Number(value)]));
  const since = lastAt.get('since');
  const due = dueWork({
    pairs: options.listPairs(db),
    stores: options.listStores(db),
    lastAt,
    since: since ?? nowMs,
    nowMs,
  });
  if (due.jobs.length > 0 || since === undefined) {
    transact(db, (tx) => {
      if (since === undefined) setMeta(tx, SINCE, String(nowMs));
      for (const job of due.jobs) {
        enqueueJob(tx, job);
        setMeta(tx, `${PREFIX}${job.key}`, String(nowMs));
      }
    });
  }
  return due.nextAt;
}

/** Drives `enqueueDue` by the clock. What was missed while the server was off is caught up once at start. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, log } = options;
  const stopped = new AbortController();

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      let nextAt = clock.now() + MINUTE_MS;
      try {
        nextAt = enqueueDue(options);
      } catch (error) {
        log.error({ error: failureText(error) }, 'recurring work can not be enqueued; trying again in a minute');
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
