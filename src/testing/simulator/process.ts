import { MemoryConnector } from '../../connectors/memory/connector.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { Db } from '../../db/database.ts';
import { capFences } from '../../engine/cap-fences.ts';
import type { EngineContext } from '../../engine/context.ts';
import { createRecordLocks } from '../../engine/locks.ts';
import { createStrangers } from '../../engine/matching/strangers.ts';
import { createDeliveryIntake } from '../../engine/signals/accept-delivery.ts';
import { wakeWaiters } from '../../engine/wake-waiters.ts';
import { createRunner, type Runner } from '../../jobs/runner.ts';
import { engineTasks } from '../../jobs/tasks/engine-tasks.ts';
import type { StoreId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import type { PerSide, Side } from '../../model/platform.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import type { Log } from '../../ports/log.ts';
import type { Violation } from './check.ts';
import type { ProcessClock } from './process-clock.ts';
import { type SeededRandom, seededRandomPort } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { watchStockFirst } from './watch-stock-first.ts';
import { watchStockWrites } from './watch-writes.ts';

/** Thrown at a transaction's edge: kill -9. */
class Killed extends Error {}

export interface OurProcess {
  readonly ctx: EngineContext;
  readonly clock: ProcessClock;
  receive(storeId: StoreId, delivery: RawDelivery): Promise<boolean>;
  /** Dies at the n-th transaction edge from now. */
  dieAfterEdges(edges: number): void;
  kill(): void;
}

export interface ProcessOptions {
  readonly db: Db;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly shops: PerSide<MemoryPlatform>;
  readonly storeIds: PerSide<StoreId>;
  readonly log: Log;
  /** Batches in work at once. */
  readonly concurrency: number;
  readonly onBug: (error: unknown) => void;
  readonly onBreach: (breach: Violation) => void;
  readonly settingsHeld: (at: number) => readonly PairSettings[];
}

/** One life of our program on a database that outlives it: the real engine, intake and job runner, on virtual time. */
export function startProcess(options: ProcessOptions): OurProcess {
  const { shops, random, log } = options;
  const clock = options.clock.process();
  let edgesLeft = Number.POSITIVE_INFINITY;
  let runner: Runner | null = null;
  const die = () => {
    clock.kill();
    runner?.halt();
  };
  const edge = () => {
    // What a dead process still has on the stack must not reach the file any more.
    if (!clock.isAlive()) throw new Killed();
    edgesLeft -= 1;
    if (edgesLeft > 0) return;
    die();
    throw new Killed();
  };
  const db: Db = { ...options.db, hooks: { beforeCommit: edge, afterCommit: new Set([edge]) } };
  const isAlive = () => clock.isAlive();
  const asleep = () => clock.asleep();
  const brokenAt = () => clock.brokenAt();
  const connect = (side: Side) =>
    watchStockWrites(new MemoryConnector(shops[side], { isAlive, asleep, brokenAt }), {
      db,
      storeId: options.storeIds[side],
      clock,
      onBreach: options.onBreach,
      settingsHeld: options.settingsHeld,
    });
  const connectors = { woocommerce: connect('woocommerce'), shopify: connect('shopify') };
  const ctx: EngineContext = {
    db,
    clock,
    random: seededRandomPort(random.fork(`ids:${options.clock.now()}`), clock),
    log,
    cipher: { seal: (plain) => plain, open: (sealed) => sealed },
    connectors: {
      forStore: (store) => connectors[store.platform],
      probe: () => {
        throw new Error('the simulator connects its stores itself');
      },
      forget: () => undefined,
    },
    locks: createRecordLocks(wakeWaiters(db, clock)),
    strangers: createStrangers(),
    publicUrl: 'http://twinshelf.test',
  };
  capFences(ctx);
  runner = createRunner({
    db,
    clock,
    random: ctx.random,
    log,
    tasks: watchStockFirst(engineTasks(ctx), { db, clock, onBreach: options.onBreach }),
    concurrency: options.concurrency,
    onQuarantine: (_tx, { error }) => {
      if (!(error instanceof Killed)) options.onBug(error);
    },
  });
  runner.start();
  const accept = createDeliveryIntake(ctx);
  return {
    ctx,
    clock,
    async receive(storeId, delivery) {
      if (!clock.isAlive() || clock.asleep() !== null) return false;
      const result = await accept(storeId, delivery);
      return clock.isAlive() && (result === 'stored' || result === 'duplicate');
    },
    dieAfterEdges(edges) {
      edgesLeft = edges;
    },
    kill: die,
  };
}
