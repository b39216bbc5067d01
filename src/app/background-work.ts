import { POLL_MINUTES_MAX } from '../connectors/woocommerce/changes.ts';
import { findPair, findStore, listPairs, listStores } from '../db/readers/pairs.ts';
import { capFences } from '../engine/cap-fences.ts';
import type { EngineContext } from '../engine/context.ts';
import { requestScheduled } from '../engine/runs/request-run.ts';
import { enqueueRestored } from '../engine/stock/resume-stock.ts';
import { createRunner, type Runner } from '../jobs/runner.ts';
import { createScheduler, type Scheduler } from '../jobs/scheduler.ts';
import type { Task } from '../jobs/task.ts';
import { engineTasks } from '../jobs/tasks/engine-tasks.ts';
import { housekeepingTask } from '../jobs/tasks/housekeeping.ts';
import { leftoversTask } from '../jobs/tasks/leftovers.ts';
import type { PairId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { putAside } from './put-aside.ts';

/** Batches in work at once, over all pairs. */
const CONCURRENCY = 8;

export interface BackgroundWork {
  readonly runner: Runner;
  readonly scheduler: Scheduler;
  start(): void;
}

export interface BackgroundOptions {
  /** Tasks beside the engine's. */
  readonly more?: readonly Task[];
  /** Null or left out: for ever. */
  readonly historyKeptMs?: number | null;
}

/** Everything that runs without being asked: durable jobs, and what recurs. */
export function createBackgroundWork(
  ctx: EngineContext,
  { more = [], historyKeptMs = null }: BackgroundOptions = {},
): BackgroundWork {
  const { db, clock, random, log } = ctx;
  const runner = createRunner({
    ...{ db, clock, random, log },
    tasks: [...engineTasks(ctx), housekeepingTask(ctx, historyKeptMs), leftoversTask(ctx), ...more],
    concurrency: CONCURRENCY,
    isLogged: (groupKey) => findPair(db, groupKey as PairId)?.settings.enableLogging === true,
    onQuarantine: (tx, job) => putAside(ctx, tx, job),
  });
  const scheduler = createScheduler({
    ...{ db, clock, log },
    listPairs: () =>
      listPairs(db).map((pair) => ({
        id: pair.id,
        status: pair.status,
        halt: pair.halt,
        storeIds: [pair.woocommerceStoreId, pair.shopifyStoreId],
        settings: pair.settings,
        timeZone: findStore(db, pair.woocommerceStoreId)?.info?.timeZone ?? 'UTC',
        linkedAt: pair.linkedAt,
      })),
    listStores: () =>
      listStores(db).map(({ id, status, createdAt, platform, isSandbox }) => ({
        ...{ id, createdAt },
        isConnected: status !== 'disconnected',
        pollMinutesMax: platform === 'woocommerce' && !isSandbox ? POLL_MINUTES_MAX : null,
      })),
    onSetBack() {
      capFences(ctx);
      // Their rates and tokens hold times of the old clock.
      for (const { id } of listStores(db)) ctx.connectors.forget(id);
    },
    requestRun(pairId, trigger) {
      try {
        requestScheduled(ctx, { pairId, trigger });
      } catch (error) {
        // Paused or halted meanwhile: its next time comes.
        if (!(error instanceof Refusal)) throw error;
        log.info({ pairId, code: error.code }, 'a scheduled sync was left out');
      }
    },
  });

  return {
    runner,
    scheduler,
    start() {
      capFences(ctx);
      enqueueRestored(ctx);
      runner.start();
      scheduler.start();
    },
  };
}
