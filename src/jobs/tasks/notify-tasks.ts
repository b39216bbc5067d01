import { MINUTE_MS } from '../../lib/time.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { SEND_ALERTS } from '../../notify/alerts/collect-alerts.ts';
import type { AlertContext } from '../../notify/alerts/context.ts';
import { sendAlerts } from '../../notify/alerts/send-alerts.ts';
import { sendWeeklyReport, WEEKLY_REPORT } from '../../notify/alerts/weekly-report.ts';
import { SEND_MESSAGE } from '../../notify/webhooks/enqueue-message.ts';
import { sendMessage } from '../../notify/webhooks/send-message.ts';
import { SEND_WAITING, sendWaiting } from '../../notify/webhooks/send-waiting.ts';
import type { Task } from '../task.ts';

/** Messages of one endpoint that are under way at once. */
const TOGETHER = 5;

/** Telling others what happened. */
export function notifyTasks(ctx: AlertContext): readonly Task[] {
  const local = (name: string, work: (ctx: AlertContext, job: ClaimedJob) => JobOutcome): Task => ({
    name,
    batchMax: 1,
    timeoutMs: MINUTE_MS,
    run: async (jobs) => jobs.map((job) => work(ctx, job)),
  });
  return [
    {
      name: SEND_MESSAGE,
      batchMax: TOGETHER,
      timeoutMs: 2 * MINUTE_MS,
      run: (jobs, _group, signal): Promise<readonly JobOutcome[]> =>
        Promise.all(jobs.map((job) => sendMessage(ctx, job, signal))),
    },
    local(SEND_WAITING, sendWaiting),
    local(SEND_ALERTS, sendAlerts),
    local(WEEKLY_REPORT, sendWeeklyReport),
  ];
}
