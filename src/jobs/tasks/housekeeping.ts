import type { Db } from '../../db/database.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { pruneAccounts } from '../../db/writers/accounts.ts';
import { pruneAlerts } from '../../db/writers/alerts.ts';
import { pruneDeliveries } from '../../db/writers/deliveries.ts';
import { pruneMessages } from '../../db/writers/endpoints.ts';
import { pruneEvents } from '../../db/writers/events.ts';
import {
  pruneChanges,
  prunePlans,
  pruneProblems,
  pruneRuns,
  pruneUselessPlans,
} from '../../db/writers/prune-history.ts';
import { pruneUsage } from '../../db/writers/usage.ts';
import { TASKS } from '../../engine/enqueue.ts';
import { COUNT_AGE_MAX_MS } from '../../engine/stock/count-stock.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import type { JobOutcome } from '../../model/job.ts';
import { orderWeeklyReports } from '../../notify/alerts/weekly-report.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Task } from '../task.ts';

/** Neither platform repeats a delivery after a day; a week is safe. */
const DELIVERY_KEPT_MS = 7 * DAY_MS;
/** The delivery log of outgoing webhooks, and alerts that were sent. */
const MESSAGE_KEPT_MS = 30 * DAY_MS;
const EVENT_KEPT_MS = 90 * DAY_MS;
/** A year and a month: last year's log is whole when it is asked for. Letters of the contact form go with it. */
const AUDIT_KEPT_MS = 400 * DAY_MS;
const MAIL_KEPT_MS = 30 * DAY_MS;
/** A plan that nobody applied: by then the shops have moved on. One that was applied stays as long as its run. */
const PLAN_KEPT_MS = 30 * DAY_MS;
/** This month and the last. */
const USAGE_KEPT_MS = 62 * DAY_MS;
const EVENT_COUNT_MAX = 500_000;
/** Rows dropped in one transaction. A row of the history stands in six places of the file: 2,000 of them stop everything else for 0.1 s. */
const PORTION = 200;
/** Pause between portions. */
const PAUSE_MS = 20;

/**
 * Forgets old deliveries, events, messages, emails, letters of the contact form, audit entries, usage, and what has expired; fields' history, problems that are over, runs and plans after
 * `historyKeptMs` (null: never; fields' history not before a count can't need it any more); orders the next weekly reports.
 */
export function housekeepingTask(
  ctx: { readonly db: Db; readonly clock: Clock },
  historyKeptMs: number | null = null,
): Task {
  const { db, clock } = ctx;

  async function drop(portion: (nowMs: number) => number, signal: AbortSignal): Promise<void> {
    while (portion(clock.now()) > 0) await clock.sleep(PAUSE_MS, signal);
  }

  return {
    name: TASKS.housekeeping,
    batchMax: 1,
    timeoutMs: 10 * MINUTE_MS,
    async run(jobs, _group, signal) {
      await drop(
        (nowMs) => transactRelaxed(db, (tx) => pruneDeliveries(tx, nowMs - DELIVERY_KEPT_MS, PORTION)),
        signal,
      );
      await drop((nowMs) => transactRelaxed(db, (tx) => pruneAlerts(tx, nowMs - MESSAGE_KEPT_MS, PORTION)), signal);
      await drop((nowMs) => transactRelaxed(db, (tx) => pruneUsage(tx, nowMs - USAGE_KEPT_MS, PORTION)), signal);
      orderWeeklyReports(ctx);
      await drop((nowMs) => transactRelaxed(db, (tx) => pruneMessages(tx, nowMs - MESSAGE_KEPT_MS, PORTION)), signal);
      await drop((nowMs) => {
        const limits = { beforeMs: nowMs - EVENT_KEPT_MS, keepMax: EVENT_COUNT_MAX, max: PORTION };
        return transactRelaxed(db, (tx) => pruneEvents(tx, limits));
      }, signal);
      await drop((nowMs) => {
        const ages = {
          now: nowMs,
          auditBefore: nowMs - AUDIT_KEPT_MS,
          auditMax: PORTION,
          mailBefore: nowMs - MAIL_KEPT_MS,
          replyBefore: nowMs - DAY_MS,
        };
        return transactRelaxed(db, (tx) => pruneAccounts(tx, ages));
      }, signal);
      if (historyKeptMs !== null) {
        // [S10] A person's count of some days ago is corrected by it.
        const changesKeptMs = Math.max(historyKeptMs, COUNT_AGE_MAX_MS);
        await drop((nowMs) => transactRelaxed(db, (tx) => pruneChanges(tx, nowMs - changesKeptMs, PORTION)), signal);
        await drop((nowMs) => transactRelaxed(db, (tx) => pruneProblems(tx, nowMs - historyKeptMs, PORTION)), signal);
        await drop((nowMs) => transactRelaxed(db, (tx) => pruneRuns(tx, nowMs - historyKeptMs, PORTION)), signal);
      }
      await drop(() => transactRelaxed(db, (tx) => pruneUselessPlans(tx, PORTION)), signal);
      await drop((nowMs) => transactRelaxed(db, (tx) => prunePlans(tx, nowMs - PLAN_KEPT_MS, PORTION)), signal);
      return jobs.map((): JobOutcome => ({ type: 'done' }));
    },
  };
}
