import { isSource } from '../../core/direction.ts';
import { type Tx, transact } from '../../db/database.ts';
import { pageKeptBack } from '../../db/readers/kept-back.ts';
import { findPair } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { recordChange } from '../../db/writers/history.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { PairId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync, enqueueShowAll, type ShowAllPayload } from '../enqueue.ts';
import { DONE } from '../outcome.ts';

/** Variants that are gone through in one transaction. */
const CHUNK = 1_000;

/**
 * [L4][S11] A side becomes the source of one-way stock, and shows all that there is from then on: what a buffer or a cap kept back of it is nowhere to be
 * seen any more, and its target would go on selling that when the source has sold out. So is what it was still to be given (of what was kept back, too, where
 * one was sold or the buffer was lowered): a source is written no stock. What was sold and is not written there yet stays sold. Called before the new
 * settings hold. True where that is more than one transaction may hold: a job goes on with it, and asks for the full look that is due.
 */
export function showAll(tx: Tx, pair: PairRow, next: PairSettings, at: number): boolean {
  const side = SIDES.find((each) => isStockSource(each, next) && !isStockSource(each, pair.settings));
  if (side === undefined || showPage(tx, pair.id, side, '', at) === null) return false;
  enqueueShowAll(tx, pair.id, side, at);
  return true;
}

/** The job: goes through all of it; what was gone through before shows all by now. It ends where the side is the source no more: the rest is kept back as it was. */
export async function goOnShowing(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { pairId, side } = job.payload as ShowAllPayload;
  for (let after: string | null = ''; after !== null; ) {
    signal.throwIfAborted();
    const from: string = after;
    after = transact(ctx.db, (tx) => {
      const pair = findPair(tx, pairId);
      const at = ctx.clock.now();
      if (pair === null) return null;
      const last = isStockSource(side, pair.settings) ? showPage(tx, pairId, side, from, at) : null;
      const isLinked = pair.linkedAt !== null || pair.status === 'linking';
      if (last === null && isLinked && pair.settings.syncSchedule !== 'manual') enqueueFullSync(tx, pairId, at);
      return last;
    });
    await ctx.clock.sleep(0);
  }
  return DONE;
}

/** What the last one of a page goes by; null: there is none after it. */
function showPage(tx: Tx, pairId: PairId, side: Side, after: string, at: number): string | null {
  const page = pageKeptBack(tx, pairId, side, after, CHUNK);
  for (const { id, productId, quantity, shown } of page) {
    if (shown === quantity) continue;
    updateVariant(tx, id, { quantity: shown });
    recordChange(tx, {
      ...{ pairId, runId: null, productId, variantId: id, field: 'stock' },
      ...{ origin: null, target: null, from: quantity, to: shown, cause: 'first_link', at },
    });
  }
  return page.length < CHUNK ? null : (page.at(-1)?.externalId ?? null);
}

function isStockSource(side: Side, settings: PairSettings): boolean {
  return !settings.stockTwoWay && isSource(side, settings);
}
