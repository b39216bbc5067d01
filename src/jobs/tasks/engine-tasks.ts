import { isPairHeld } from '../../db/readers/pairs.ts';
import { checkStore } from '../../engine/check-store.ts';
import type { EngineContext } from '../../engine/context.ts';
import { TASKS } from '../../engine/enqueue.ts';
import { ensureWebhooks } from '../../engine/ensure-webhooks.ts';
import { fullSync } from '../../engine/full-sync.ts';
import { lookAtStock } from '../../engine/look-at-stock.ts';
import { planPair } from '../../engine/plan-pair.ts';
import { pollStore } from '../../engine/poll-store.ts';
import { probeStore } from '../../engine/probe-store.ts';
import { retireSecret } from '../../engine/rotate-webhook-secret.ts';
import { runPair } from '../../engine/run-pair.ts';
import { goOnShowing } from '../../engine/show-all.ts';
import { syncProducts } from '../../engine/sync-products.ts';
import { syncStock } from '../../engine/sync-stock.ts';
import type { PairId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { Task } from '../task.ts';

const MINUTE_MS = 60_000;

/** Every kind of work that the engine does in the background. */
export function engineTasks(ctx: EngineContext): readonly Task[] {
  const single = (
    name: string,
    timeoutMs: number,
    work: (ctx: EngineContext, job: ClaimedJob, signal: AbortSignal) => Promise<JobOutcome>,
  ): Task => ({
    name,
    batchMax: 1,
    timeoutMs,
    run: async (jobs, _group, signal) => {
      const outcomes: JobOutcome[] = [];
      for (const job of jobs) outcomes.push(await work(ctx, job, signal));
      return outcomes;
    },
  });
  const isHeld = (group: string): boolean => isPairHeld(ctx.db, group as PairId);
  return [
    {
      name: TASKS.syncStock,
      isHeld,
      batchMax: 250,
      timeoutMs: 10 * MINUTE_MS,
      run: (jobs, group, signal) => syncStock(ctx, group as PairId, jobs, signal),
    },
    {
      name: TASKS.syncProducts,
      isHeld,
      batchMax: 100,
      timeoutMs: 30 * MINUTE_MS,
      run: (jobs, group, signal) => syncProducts(ctx, group as PairId, jobs, signal),
    },
    {
      name: TASKS.lookAtStock,
      isHeld,
      batchMax: 1,
      timeoutMs: 10 * MINUTE_MS,
      run: async ([job], group, signal) =>
        job === undefined ? [] : [await lookAtStock(ctx, group as PairId, job, signal)],
    },
    single(TASKS.planPair, 12 * 60 * MINUTE_MS, planPair),
    single(TASKS.runPair, 24 * 60 * MINUTE_MS, runPair),
    single(TASKS.pollStore, 30 * MINUTE_MS, pollStore),
    single(TASKS.ensureWebhooks, 5 * MINUTE_MS, ensureWebhooks),
    single(TASKS.fullSync, MINUTE_MS, fullSync),
    single(TASKS.showAll, 5 * MINUTE_MS, goOnShowing),
    single(TASKS.probeStore, 5 * MINUTE_MS, probeStore),
    single(TASKS.checkStore, 5 * MINUTE_MS, checkStore),
    single(TASKS.retireSecret, MINUTE_MS, async (context, job) => retireSecret(context, job)),
  ];
}
