import { transact } from '../db/database.ts';
import { findStore } from '../db/readers/pairs.ts';
import { recordEvent } from '../db/writers/events.ts';
import { updateStore } from '../db/writers/stores.ts';
import type { StoreId } from '../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../model/job.ts';
import type { EngineContext } from './context.ts';
import { enqueuePoll } from './enqueue.ts';
import { asConnectorError, DONE, outcomeOfRecurring } from './outcome.ts';
import { noteSilence, noteStoreAnswers, noteStoreError } from './store-state.ts';
import { webhookAddress } from './webhook-address.ts';

/** The job: platforms switch webhooks off by themselves after failures; they are looked after on a timer, and what was missed is polled. */
export async function ensureWebhooks(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { storeId } = job.payload as { storeId: StoreId };
  const store = findStore(ctx.db, storeId);
  const callback = webhookAddress(ctx, storeId);
  if (store === null || store.status === 'disconnected') return { type: 'cancel', reason: 'the store is gone' };
  if (store.status === 'error') return DONE;
  if (callback === null) return { type: 'cancel', reason: 'PUBLIC_URL is not set: the store is polled instead' };
  try {
    const { active, repaired } = await ctx.connectors.forStore(store, null).ensureWebhooks(callback, signal);
    noteStoreAnswers(ctx, storeId);
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
    const failure = asConnectorError(error);
    noteStoreError(ctx, storeId, failure);
    noteSilence(ctx, storeId, failure, job.attempts);
    return outcomeOfRecurring(failure);
  }
}
