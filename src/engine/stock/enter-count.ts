import { findVariant } from '../../db/readers/hub-rows.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { SECOND_MS } from '../../lib/time.ts';
import { PLATFORM_NAME, SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { type CountCommand, type CountResult, checkCount, countStock } from './count-stock.ts';
import { readStock } from './read-stock.ts';
import { settleOpenIntents } from './settle-stock.ts';
import type { StockSubject } from './stock-subject.ts';
import { absorbAndPlan, claimSubject } from './sync-stock.ts';

/** A person waits for the answer: so long the two shops have to show the item, ms. */
const READ_WITHIN_MS = 20 * SECOND_MS;
/** So long another pass that is at the item is waited for, and this often it is asked, ms. */
const LOCK_WITHIN_MS = 10 * SECOND_MS;
const ASK_AGAIN_MS = SECOND_MS / 4;

/**
 * [S10] A person's count. In a pair that is not synced in real time what was sold before it would be seen after it, at the next sync, and be taken off once
 * more: so both shops are asked first, and what they show then was before the count.
 * Throws a Refusal: NOT_FOUND, VALIDATION (names the field), STOCK_NOT_COUNTED.
 */
export async function enterCount(ctx: EngineContext, command: CountCommand): Promise<CountResult> {
  const pairId = findVariant(ctx.db, command.variantId)?.pairId;
  const view = pairId === undefined ? null : loadPairView(ctx, pairId);
  if (view === null || view.settings.syncSchedule === 'realtime') return countStock(ctx, command);
  checkCount(ctx, command);
  const releases: (() => void)[] = [];
  try {
    const subject = await claim(ctx, view, command, releases);
    // Should this end half-way: what was counted by then is written all the same.
    transactRelaxed(ctx.db, (tx) => {
      const { variantId } = command;
      enqueueStockSync(tx, view.pair.id, { variantId, observe: [] }, ctx.clock.now() + READ_WITHIN_MS);
    });
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    await settleOpenIntents(ctx, view, [subject], signal);
    absorbAndPlan(ctx, view, [subject], await readStock(ctx, view, [subject], signal));
    // The item may be paused by what was read, and the pair halted: said in its own words.
    const { bindings } = checkCount(ctx, command);
    const unread = SIDES.filter(
      (side) => !subject.readAt[side] || subject.ends[side] !== undefined || bindings[side]?.intentKey,
    );
    if (unread.length > 0) throw refusal(`${unread.map((side) => PLATFORM_NAME[side]).join(' and ')} did not tell`);
    if (subject.outcome !== null) throw refusal('It could not be counted');
    return countStock(ctx, command);
  } finally {
    for (const release of releases) release();
  }
}

async function claim(
  ctx: EngineContext,
  view: PairView,
  { variantId }: CountCommand,
  releases: (() => void)[],
): Promise<StockSubject> {
  const until = ctx.clock.now() + LOCK_WITHIN_MS;
  for (;;) {
    const subject = claimSubject(
      ctx,
      view,
      { key: `count:${variantId}`, payload: { variantId, observe: SIDES } },
      releases,
    );
    if (subject.outcome === null) return subject;
    if (ctx.clock.now() >= until) throw refusal('A sync is at this item just now, and it is not known yet');
    await ctx.clock.sleep(ASK_AGAIN_MS);
  }
}

/** Without it the count would be less, later, by what was sold before it. */
function refusal(why: string): Refusal {
  return new Refusal(
    'STOCK_NOT_COUNTED',
    `${why} what was sold since the last sync, and the count was not taken. Try again in a minute.`,
  );
}
