import type { Tx } from '../../db/database.ts';
import { durable } from '../../db/durable.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { insertDelivery } from '../../db/writers/deliveries.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import type { VerifiedDelivery } from '../../model/signal.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueuePoll } from '../enqueue.ts';
import { enqueueStoreCheck } from '../stores/check-store.ts';
import { watchRefused } from './refused-deliveries.ts';
import { applySignals } from './signals.ts';

export type DeliveryResult = 'stored' | 'duplicate' | 'not_authentic' | 'unknown_store';

export type AcceptDelivery = (storeId: StoreId, raw: RawDelivery) => Promise<DeliveryResult>;

interface Waiting {
  readonly store: StoreRow;
  readonly delivery: VerifiedDelivery;
  readonly settle: (result: DeliveryResult) => void;
  readonly fail: (error: unknown) => void;
}

/** Most deliveries in one transaction; what comes beyond waits for the next. */
const GROUP_MAX = 200;

/**
 * Receives webhooks: verified over the raw bytes, then stored together with the jobs they cause before the promise resolves. Deliveries
 * that arrive in the same turn, or while the disk is at work on others, share one transaction, so that a thousand a second cost a few
 * hundred disk flushes.
 */
export function createDeliveryIntake(ctx: EngineContext): AcceptDelivery {
  const watch = watchRefused(ctx);
  let waiting: Waiting[] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    // One turn of the event loop: whatever else is being received right now joins this group.
    await ctx.clock.sleep(0);
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      try {
        const results = transactRelaxed(ctx.db, (tx) =>
          group.map(({ store, delivery }) => storeDelivery(ctx, tx, store, delivery)),
        );
        await durable(ctx.db);
        group.forEach((entry, i) => {
          entry.settle(results[i] ?? 'stored');
        });
      } catch (error) {
        for (const entry of group) entry.fail(error);
      }
    }
    isFlushing = false;
  }

  return async (storeId, raw) => {
    const store = findStore(ctx.db, storeId);
    if (store === null || store.status === 'disconnected') return 'unknown_store';
    const delivery = ctx.connectors.forStore(store, null).verifyDelivery(raw);
    if (delivery === null) {
      watch.refused(store);
      return 'not_authentic';
    }
    watch.accepted(store);
    return await new Promise<DeliveryResult>((settle, fail) => {
      waiting.push({ store, delivery, settle, fail });
      if (isFlushing) return;
      isFlushing = true;
      flush().catch((error: unknown) => {
        isFlushing = false;
        ctx.log.error({ error: String(error) }, 'delivery intake failed');
      });
    });
  };
}

function storeDelivery(ctx: EngineContext, tx: Tx, store: StoreRow, delivery: VerifiedDelivery): DeliveryResult {
  const at = ctx.clock.now();
  if (
    !insertDelivery(tx, { storeId: store.id, deliveryId: delivery.deliveryId, topic: delivery.topic, receivedAt: at })
  )
    return 'duplicate';
  // The news may be a day late, or an old body under another topic, which no signature covers: what the store itself says to the next question counts.
  if (delivery.notices.includes('uninstalled')) {
    enqueuePoll(tx, store.id, at, JOB_PRIORITY.request);
    // A poll may be told to come back later, and a token may be good for a moment yet.
    enqueueStoreCheck(tx, store.id, at + MINUTE_MS);
  }
  if (delivery.notices.includes('settings_changed')) enqueueStoreCheck(tx, store.id, at);
  applySignals(tx, store, ctx.connectors.forStore(store, null).capabilities, delivery.signals, at);
  return 'stored';
}
