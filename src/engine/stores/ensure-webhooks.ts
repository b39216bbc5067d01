import { transact } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { StoreId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { EngineContext } from '../context.ts';
import { enqueuePoll } from '../enqueue.ts';
import { asConnectorError, DONE, outcomeOfRecurring } from '../outcome.ts';
import { noteWebhooksKept, noteWebhooksShut } from './store-state.ts';
import { webhookAddress } from './webhook-address.ts';

/** In vain so often, while the store answers all else: something keeps just these calls from it, and is not gone in a moment. */
const SHUT_ATTEMPTS = 15;
/** How often they are tried then, ms. */
const SHUT_PAUSE_MS = 15 * MINUTE_MS;
/** Polls that are set off by each failure are answered within this while the store is well. */
const POLLED_WITHIN_MS = 5 * MINUTE_MS;

/** The job: platforms switch webhooks off by themselves after failures; they are looked after on a timer, and what was missed is polled. */
export async function ensureWebhooks(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { storeId } = job.payload as { storeId: StoreId };
  const store = findStore(ctx.db, storeId);
  const callback = webhookAddress(ctx, storeId);
  if (store === null || store.status === 'disconnected') return { type: 'cancel', reason: 'the store is gone' };
  if (store.status === 'error') return DONE;
  if (callback === null) {
    noteWebhooksKept(ctx, storeId);
    return { type: 'cancel', reason: 'PUBLIC_URL is not set: the store is polled instead' };
  }
  try {
    const { active, repaired } = await ctx.connectors.forStore(store, null).ensureWebhooks(callback, signal);
    noteWebhooksKept(ctx, storeId);
    if (findStore(ctx.db, storeId) === null) {
      // Disconnected while they were being made: some are there again, and the connector that made them is closed.
      await ctx.connectors.forStore(store, null).removeWebhooks(callback, signal);
      ctx.connectors.forget(storeId);
      return { type: 'cancel', reason: 'the store is gone' };
    }
    transact(ctx.db, (tx) => {
      const at = ctx.clock.now();
      updateStore(tx, storeId, { webhooksCheckedAt: at, lastContactAt: at });
      if (repaired > 0) {
        enqueuePoll(tx, storeId, at);
        recordEvent(tx, {
          workspaceId: store.workspaceId,
          pairId: null,
          type: 'webhooks_repaired',
          payload: { storeId, active, repaired },
          at,
        });
      }
    });
    return DONE;
  } catch (error) {
    return failed(ctx, store, asConnectorError(error), job.attempts);
  }
}

/**
 * A firewall or a security plugin may keep these calls alone from the store. Whether the store lets us in and answers is for a poll to say: by these
 * calls a store that works would be shut and opened again by turns, and told of each time.
 */
function failed(ctx: EngineContext, store: StoreRow, failure: ConnectorError, attempts: number): JobOutcome {
  const at = ctx.clock.now();
  ctx.log.warn({ storeId: store.id, kind: failure.kind }, `webhooks can not be looked after: ${failure.message}`);
  transact(ctx.db, (tx) => enqueuePoll(tx, store.id, at));
  if (failure.kind === 'rate_limited') return outcomeOfRecurring(failure);
  const reason = `${failure.kind}: ${failure.message}`;
  const isShut = attempts >= SHUT_ATTEMPTS && at - (store.lastContactAt ?? 0) < POLLED_WITHIN_MS;
  if (isShut) noteWebhooksShut(ctx, store, failure);
  return { type: 'retry', reason, ...(attempts >= SHUT_ATTEMPTS ? { afterMs: SHUT_PAUSE_MS } : {}) };
}
