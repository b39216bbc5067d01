import { MINUTE_MS } from '../../lib/time.ts';
import type { JobOutcome } from '../../model/job.ts';
import type { NotifyContext } from '../../notify/webhooks/context.ts';
import { SEND_MESSAGE } from '../../notify/webhooks/enqueue-message.ts';
import { sendMessage } from '../../notify/webhooks/send-message.ts';
import type { Task } from '../task.ts';

/** Messages of one endpoint that are under way at once. */
const TOGETHER = 5;

/** Telling others what happened. */
export function notifyTasks(ctx: NotifyContext): readonly Task[] {
  return [
    {
      name: SEND_MESSAGE,
      batchMax: TOGETHER,
      timeoutMs: 2 * MINUTE_MS,
      run: (jobs, _group, signal): Promise<readonly JobOutcome[]> =>
        Promise.all(jobs.map((job) => sendMessage(ctx, job, signal))),
    },
  ];
}
