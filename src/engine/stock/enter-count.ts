import { findVariant } from '../../db/readers/hub-rows.ts';
import { findJob, hasLateJobs } from '../../db/readers/jobs.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { findOpenRun } from '../../db/writers/runs.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/time.ts';
import { PLATFORM_NAME, SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync, fullSyncJobKey } from '../enqueue.ts';
import { HaltSignal } from '../guard.ts';
import { held, loadPairView, type PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { type CountCommand, type CountResult, checkCount, countStock } from './count-stock.ts';
import { readStock } from './read-stock.ts';
import { settleOpenIntents } from './settle-stock.ts';
import { loadStock, type StockSubject } from './stock-subject.ts';
import { absorbAndPlan, claimSubject } from './sync-stock.ts';

/** A person waits for the answer: so long the two shops have to show the item, ms. */
const READ_WITHIN_MS = 20 * SECOND_MS;
/** So long another pass that is at the item is waited for, and this often it is asked, ms. */
const LOCK_WITHIN_MS = 10 * SECOND_MS;
const ASK_AGAIN_MS = SECOND_MS / 4;

/** What was told of longer ago and is not looked at yet makes a pair late, ms. */
const LATE_MS = MINUTE_MS;
/** By so much a poll may come later than the last one promised, ms. */
const POLL_SLACK_MS = 5 * MINUTE_MS;

/**
 * [S10] A person's count. What was sold before it and is not seen yet would be seen after it, and be taken off once more: so both shops are asked first, and
 * what they show then was before the count. A count of an earlier time is set against what was seen since, and the shops are asked only in a pair that sees
 * late what is done in them, or where a write of the item has no answer yet.
 * Throws a Refusal: NOT_FOUND, VALIDATION (names the field), STOCK_NOT_COUNTED.
 */
export async function enterCount(ctx: EngineContext, command: CountCommand): Promise<CountResult> {
  const pairId = findVariant(ctx.db, command.variantId)?.pairId;
  const view = pairId === undefined ? null : loadPairView(ctx, pairId);
  const isLate = view !== null && (isBehind(ctx, view) || isInDoubt(ctx, command));
  if (view === null || (command.countedAt !== null && !isLate)) return countStock(ctx, command);
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
    await settleOrHalt(ctx, view, subject, signal);
    absorbAndPlan(ctx, view, [subject], await readStock(ctx, view, [subject], signal));
    // The item may be paused by what was read, and the pair halted: said in its own words.
    const { bindings } = checkCount(ctx, command);
    // A write of ours that has no answer yet, for one: then neither shop was asked.
    if (subject.outcome !== null) throw refusal('It could not be told');
    const unread = SIDES.filter(
      (side) => !subject.readAt[side] || subject.ends[side] !== undefined || bindings[side]?.intentKey,
    );
    if (unread.length > 0) throw refusal(`${unread.map((side) => PLATFORM_NAME[side]).join(' and ')} did not tell`);
    return countStock(ctx, command, isLate);
  } finally {
    for (const release of releases) release();
  }
}

/** [G1] A write that is settled may show one harm too many: the pair is halted at once, as its own job would halt it a moment later. */
async function settleOrHalt(
  ctx: EngineContext,
  view: PairView,
  subject: StockSubject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await settleOpenIntents(ctx, view, [subject], signal);
  } catch (error) {
    if (!(error instanceof HaltSignal)) throw error;
    haltPair(ctx, view.pair.id, error.halt);
    subject.outcome = held(ctx);
  }
}

/** It is not synced in real time; or has just come back (from a pause, an outage, inventory switched off) and has not looked at all yet. */
function isBehind(ctx: EngineContext, { pair, settings, stores }: PairView): boolean {
  const now = ctx.clock.now();
  const heardSince = now - settings.syncInterval * MINUTE_MS - POLL_SLACK_MS;
  return (
    settings.syncSchedule !== 'realtime' ||
    SIDES.some((side) => (stores[side].lastContactAt ?? 0) < heardSince) ||
    findOpenRun(ctx.db, pair.id) !== null ||
    findJob(ctx.db, fullSyncJobKey(pair.id)) !== null ||
    hasLateJobs(ctx.db, pair.id, now - LATE_MS)
  );
}

/** [S5] A write of the item has no answer yet: what was seen of it meanwhile is counted only once that is settled. */
function isInDoubt(ctx: EngineContext, { variantId }: CountCommand): boolean {
  return Object.values(loadStock(ctx, variantId)?.bindings ?? {}).some(({ intentKey }) => intentKey !== null);
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
    `${why} what was sold before the count, and that would be taken off it later. The count was not taken: try again in a minute.`,
  );
}
