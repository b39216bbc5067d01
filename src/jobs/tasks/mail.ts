import type { Tx } from '../../db/database.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { JobOutcome } from '../../model/job.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { deliverMail, type OutboxContext } from '../../notify/outbox.ts';
import type { Task } from '../task.ts';

const SEND_MAIL = 'send_mail';

/** Beside everything else: a slow mail server holds no pair up. */
const MAIL_GROUP = 'mail';

export function enqueueMail(tx: Tx, mailId: string, runAt: number): void {
  enqueueJob(tx, {
    key: `mail:${mailId}`,
    task: SEND_MAIL,
    groupKey: MAIL_GROUP,
    payload: { mailId },
    priority: JOB_PRIORITY.request,
    runAt,
  });
}

export function mailTask(ctx: OutboxContext): Task {
  return {
    name: SEND_MAIL,
    batchMax: 10,
    timeoutMs: 5 * MINUTE_MS,
    async run(jobs, _group, signal) {
      const outcomes: JobOutcome[] = [];
      for (const { payload } of jobs) {
        const { mailId } = payload as { readonly mailId: string };
        outcomes.push(await deliverMail(ctx, mailId, signal));
      }
      return outcomes;
    },
  };
}
