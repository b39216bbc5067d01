import { createBackgroundWork } from '../../../app/background-work.ts';
import { createConnectorDirectory } from '../../../app/connector-directory.ts';
import { isPing } from '../../../connectors/woocommerce/webhook.ts';
import type { Db } from '../../../db/database.ts';
import { findRequestsPerMinute } from '../../../db/readers/pairs.ts';
import type { EngineContext } from '../../../engine/context.ts';
import { createRecordLocks } from '../../../engine/locks.ts';
import { createStrangers } from '../../../engine/matching/strangers.ts';
import { createDeliveryIntake, type DeliveryResult } from '../../../engine/signals/accept-delivery.ts';
import { wakeWaiters } from '../../../engine/wake-waiters.ts';
import type { Runner } from '../../../jobs/runner.ts';
import type { StoreId } from '../../../model/ids.ts';
import type { RawDelivery } from '../../../ports/connector.ts';
import type { Log } from '../../../ports/log.ts';
import type { ProcessClock } from '../../simulator/process-clock.ts';
import { type SeededRandom, seededRandomPort } from '../../simulator/random.ts';
import { createWire, type WireOptions } from './wire.ts';

/** Thrown at a transaction's edge: kill -9. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export const PUBLIC_URL = 'https://twinshelf.example';

export interface OurProcess {
  readonly ctx: EngineContext;
  readonly clock: ProcessClock;
  /** What a webhook is answered with; null when the process died over it. */
  receive(storeId: StoreId, delivery: RawDelivery): Promise<DeliveryResult | 'ping' | null>;
  /** Dies at the n-th transaction edge from now. */
  dieAfterEdges(edges: number): void;
  kill(): void;
}

export interface ProcessOptions {
  readonly db: Db;
  readonly wire: WireOptions;
  readonly random: SeededRandom;
  readonly log: Log;
  readonly shopifyApiVersion: string | null;
  /** What the program itself calls an error: a fault in it, not in the world. */
  readonly onBug: (text: string) => void;
}

/** One life of our program: the real engine, intake, jobs, schedule and connectors, on virtual time and a network of our own. */
export function startProcess(options: ProcessOptions): OurProcess {
  const { random } = options;
  const clock = options.wire.clock.process();
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
  const ids = seededRandomPort(random.fork(`ids:${clock.now()}`), clock);
  const cipher = { seal: (plain: string) => plain, open: (sealed: string) => sealed };
  const log: Log = {
    ...options.log,
    error: (fields, message) => {
      options.log.error(fields, message);
      const text = `${message} ${JSON.stringify(fields)}`;
      if (clock.isAlive() && !text.includes('Killed')) options.onBug(text);
    },
  };
  const ctx: EngineContext = {
    db,
    clock,
    random: ids,
    log,
    cipher,
    connectors: createConnectorDirectory({
      clock,
      random: ids,
      log,
      cipher,
      ...createWire(options.wire, clock),
      shopifyApiVersion: options.shopifyApiVersion,
      allowLocalStores: false,
      trustedOrigins: new Set(),
      publicUrl: PUBLIC_URL,
      localUrl: () => null,
      requestsPerMinute: (shop) => findRequestsPerMinute(db, shop),
    }),
    locks: createRecordLocks(wakeWaiters(db, clock)),
    strangers: createStrangers(),
    publicUrl: PUBLIC_URL,
  };
  const work = createBackgroundWork(ctx);
  runner = work.runner;
  work.start();
  const accept = createDeliveryIntake(ctx);
  return {
    ctx,
    clock,
    async receive(storeId, delivery) {
      if (!clock.isAlive()) return null;
      // As the webhook route does: a new webhook's greeting is unsigned, and wants a 200.
      if (isPing(delivery.headers, delivery.body)) return 'ping';
      const result = await accept(storeId, delivery);
      return clock.isAlive() ? result : null;
    },
    dieAfterEdges(edges) {
      edgesLeft = edges;
    },
    kill: die,
  };
}
