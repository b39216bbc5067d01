import { transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StoreId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync, enqueuePoll } from '../enqueue.ts';
import { asConnectorError, DONE, outcomeOfRecurring } from '../outcome.ts';
import { mappedLocation } from '../stores/mapped-location.ts';
import { noteReadError, noteSilence, noteStoreAnswers, noteStoreReads } from '../stores/store-state.ts';
import { watchUnits } from '../stores/store-units.ts';
import { closeLapsedLimits } from '../stores/writes-limited.ts';
import { applySignals } from './signals.ts';

/** Pages that one poll reads before it lets others work. */
const PAGES_MAX = 50;

/** The job: asks one store what changed since the last poll, so that a lost webhook costs minutes and not days. */
export async function pollStore(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { storeId } = job.payload as { storeId: StoreId };
  await lookAtUnits(ctx, storeId, signal);
  for (let i = 0; i < PAGES_MAX; i += 1) {
    const store = findStore(ctx.db, storeId);
    if (store === null || store.status === 'disconnected') return { type: 'cancel', reason: 'the store is gone' };
    // Its probe polls it when it lets us in again.
    if (store.status === 'error') return DONE;
    try {
      const connector = ctx.connectors.forStore(store, mappedLocation(ctx.db, store));
      const page = await connector.listChanged(store.changedCursor, signal);
      const { stockUnread } = page;
      if (stockUnread === undefined) noteStoreReads(ctx, storeId);
      else noteReadError(ctx, store, new ConnectorError('rejected', stockUnread, { field: 'locationId' }));
      noteStoreAnswers(ctx, storeId);
      closeLapsedLimits(ctx, storeId);
      transact(ctx.db, (tx) => {
        const at = ctx.clock.now();
        applySignals(tx, store, connector.capabilities, page.signals, at);
        updateStore(tx, storeId, { changedCursor: page.cursor, lastContactAt: at });
      });
      if (!page.hasMore) return DONE;
    } catch (error) {
      const failure = asConnectorError(error);
      if (store.changedCursor !== null && PLACE_LOST.has(failure.details.platformCode ?? '')) {
        ctx.log.warn(
          { storeId, code: failure.details.platformCode },
          'changes can not be listed from where the last poll ended',
        );
        beginAnew(ctx, storeId);
        return DONE;
      }
      noteReadError(ctx, store, failure);
      noteSilence(ctx, storeId, failure, job.attempts);
      return outcomeOfRecurring(failure);
    }
  }
  return { type: 'snooze', ms: 0 };
}

/** [A3] Once a poll, and whatever becomes of it: a store that keeps its settings back is polled all the same, and the daily look tells of that. */
async function lookAtUnits(ctx: EngineContext, storeId: StoreId, signal: AbortSignal): Promise<void> {
  const store = findStore(ctx.db, storeId);
  if (store === null || store.status !== 'connected') return;
  try {
    await watchUnits(
      ctx,
      store,
      ctx.connectors.forStore(store, mappedLocation(ctx.db, store)),
      ctx.clock.now(),
      signal,
    );
  } catch (error) {
    const { kind, message } = asConnectorError(error);
    ctx.log.warn({ storeId, kind }, `a store did not say what its numbers mean: ${message}`);
  }
}

/** The list of changes does not go on from where it was: more changed at once than it can tell, or the place is none of this version's. */
const PLACE_LOST: ReadonlySet<string> = new Set(['TOO_MANY_CHANGES', 'CURSOR_INVALID']);

/** Asked for again from there, it would be refused for ever: polls begin anew, and a full look finds what they step over. */
function beginAnew(ctx: EngineContext, storeId: StoreId): void {
  transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    updateStore(tx, storeId, { changedCursor: null });
    enqueuePoll(tx, storeId, at);
    for (const pair of listPairsOfStore(tx, storeId))
      if (pair.linkedAt !== null && pair.settings.syncSchedule === 'realtime') enqueueFullSync(tx, pair.id, at);
  });
}
