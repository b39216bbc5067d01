import { isPairHeld, isStockHeld } from '../../db/readers/pairs.ts';
import type { EngineContext } from '../../engine/context.ts';
import { TASKS } from '../../engine/enqueue.ts';
import { planPair } from '../../engine/plan/plan-pair.ts';
import { syncProducts } from '../../engine/products/sync-products.ts';
import { fullSync } from '../../engine/runs/full-sync.ts';
import { runPair } from '../../engine/runs/run-pair.ts';
import { pollStore } from '../../engine/signals/poll-store.ts';
import { lookAtStock } from '../../engine/stock/look-at-stock.ts';
import { goOnShowing } from '../../engine/stock/show-all.ts';
import { syncStock } from '../../engine/stock/sync-stock.ts';
import { checkStore } from '../../engine/stores/check-store.ts';
import { ensureWebhooks } from '../../engine/stores/ensure-webhooks.ts';
import { probeStore } from '../../engine/stores/probe-store.ts';
import { retireSecret } from '../../engine/stores/rotate-webhook-secret.ts';
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
  const isHeldForStock = (group: string): boolean => isStockHeld(ctx.db, group as PairId);
  return [
    {
      name: TASKS.syncStock,
      isHeld: isHeldForStock,
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
      isHeld: isHeldForStock,
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
