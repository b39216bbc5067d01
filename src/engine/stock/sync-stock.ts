import { mayFollow } from '../../core/direction.ts';
import { stockTarget } from '../../core/stock.ts';
import { step, type Tx } from '../../db/database.ts';
import { isStockHeld } from '../../db/readers/pairs.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { closeProblemsBySubject } from '../../db/writers/history.ts';
import type { PairId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { Halt } from '../../model/pair.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import { closeSettled } from '../close-problems.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync, type SyncStockPayload } from '../enqueue.ts';
import { HaltSignal } from '../guard.ts';
import { loadHub } from '../hub.ts';
import { LOCK_WAIT_MS, RIVAL_WAIT_MS } from '../locks.ts';
import { DONE } from '../outcome.ts';
import { endOfStockPass, held, loadPairView, type PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { isItemAwaited } from '../rivals.ts';
import { absorbStock } from './absorb-stock.ts';
import { goesOnSelling, isWaitingForBoth, showsTooMany } from './owes-stock.ts';
import { settlePaused } from './paused-stock.ts';
import { pushStock, type StockPush } from './push-stock.ts';
import { isReadingOld, readStock, type StockReadings } from './read-stock.ts';
import { relinkStock } from './relink-stock.ts';
import { resumeStock } from './resume-stock.ts';
import { settleOpenIntents } from './settle-stock.ts';
import { stockKeys } from './stock-call.ts';
import { isLeftToDrift } from './stock-drift.ts';
import { endOf, loadStock, type StockRows, type StockSubject } from './stock-subject.ts';

/**
 * Brings the stock of up to a batch of variants level: settle what is open, read the sides that may have moved, count, store the
 * intents, write, settle. Readings and writes go out in the platforms' batches, so that a thousand items cost a handful of calls.
 */
export async function syncStock(
  ctx: EngineContext,
  pairId: PairId,
  jobs: readonly ClaimedJob[],
  signal: AbortSignal,
): Promise<readonly JobOutcome[]> {
  const view = loadPairView(ctx, pairId);
  if (view === null || view.pair.status === 'setup')
    return jobs.map(() => ({ type: 'cancel', reason: 'the pair is not linked' }));
  if (isStockHeld(ctx.db, pairId)) return jobs.map(() => held(ctx));

  const releases: (() => void)[] = [];
  const subjects: StockSubject[] = [];
  try {
    for (const job of jobs) subjects.push(claimSubject(ctx, view, job, releases));
    await settleOpenIntents(ctx, view, subjects, signal);
    // [R10] Switched off: what was under way is settled, nothing else is read, counted or written, and the bases wait.
    if (!view.settings.syncInventory) for (const subject of subjects) subject.outcome ??= untilFence(ctx, subject);
    const readings = await readStock(ctx, view, subjects, signal);
    const pushes = absorbAndPlan(ctx, view, subjects, readings);
    // A side that is written blindly is read just before: the window in which a sale can be lost is one request long.
    const blind = subjects.filter((subject) => subject.outcome === null && needsReading(ctx, view, pushes, subject));
    let ready = pushes;
    if (blind.length > 0) {
      const late = await readStock(ctx, view, blind, signal);
      ready = [...pushes.filter((push) => !blind.includes(push.subject)), ...absorbAndPlan(ctx, view, blind, late)];
    }
    await pushStock(ctx, view, ready, signal, {
      readAgain: (old, side) => readAgain(ctx, view, old, side, signal),
      plan: (subject, side) => {
        const rows = loadStock(ctx, subject.variantId);
        return rows === null || subject.outcome !== null ? null : planPush(ctx, view, subject, rows, side);
      },
    });
  } catch (error) {
    if (!(error instanceof HaltSignal)) throw error;
    haltPair(ctx, pairId, error.halt);
    for (const subject of subjects) subject.outcome ??= held(ctx);
  } finally {
    for (const release of releases) release();
  }
  return subjects.map((subject) => untilFence(ctx, subject));
}

/**
 * [W4] An intent that is still open brings its job back as soon as nothing of it can land any more, also where there is nothing else left to be
 * done: an item that is gone on one side settles nothing of what is under way on the other.
 */
function untilFence(ctx: EngineContext, subject: StockSubject): JobOutcome {
  const end = endOf(subject);
  if (end.type !== DONE.type && end.type !== 'cancel') return end;
  if (subject.later !== null) return subject.later;
  const now = ctx.clock.now();
  const fences = Object.values(loadStock(ctx, subject.variantId)?.bindings ?? {}).flatMap((binding) =>
    binding.intentKey === null ? [] : [(binding.fencedUntil ?? now) - now + 1],
  );
  if (fences.length === 0) return end;
  // Each side when its own is over.
  const ahead = fences.filter((ms) => ms > 0);
  return { type: 'snooze', ms: ahead.length === 0 ? 1 : Math.min(...ahead) };
}

export function claimSubject(
  ctx: EngineContext,
  view: PairView,
  job: Pick<ClaimedJob, 'key' | 'payload'>,
  releases: (() => void)[],
): StockSubject {
  const payload = job.payload as SyncStockPayload;
  const subject: StockSubject = {
    variantId: payload.variantId,
    observe: new Set(payload.observe),
    readAt: {},
    outcome: null,
    ends: {},
    later: null,
    unanswered: {},
  };
  const rows = loadStock(ctx, payload.variantId);
  if (rows === null) {
    subject.outcome = { type: 'cancel', reason: 'the variant is gone' };
    return subject;
  }
  // Linked by what both show, whoever asked for this pass: the job that was to read both may have ended before it could.
  if (isWaitingForBoth(rows.variant.stockState)) for (const side of SIDES) subject.observe.add(side);
  const release = ctx.locks.tryAcquire(stockKeys(view, rows), job.key);
  if (release === null) subject.outcome = { type: 'snooze', ms: LOCK_WAIT_MS };
  else releases.push(release);
  return subject;
}

/**
 * Counts what was read and plans what each side lacks, one transaction for all. [G1] The item that the guard stops at is not counted, and what
 * comes after it waits; what was counted before it stays.
 */
export function absorbAndPlan(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly StockSubject[],
  readings: StockReadings,
): StockPush[] {
  let halt: Halt | null = null as Halt | null;
  // The disk is waited for when the intents are stored, before anything is sent; undone by a power cut, the job is still there.
  const pushes = transactRelaxed(ctx.db, (tx) => {
    const list: StockPush[] = [];
    const end = endOfStockPass(ctx, view);
    for (const subject of subjects) {
      if (subject.outcome !== null) continue;
      if (end !== null || halt !== null) {
        subject.outcome = end ?? held(ctx);
        continue;
      }
      try {
        list.push(...step(tx, () => absorbOne(ctx, tx, view, subject, readings.get(subject))));
      } catch (error) {
        if (!(error instanceof HaltSignal)) throw error;
        halt = error.halt;
        subject.outcome = held(ctx);
      }
    }
    return list;
  });
  if (halt !== null) haltPair(ctx, view.pair.id, halt);
  return pushes;
}

function absorbOne(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: StockSubject,
  readings: Partial<PerSide<StockSnapshot>> | undefined,
): StockPush[] {
  const before = loadStock(ctx, subject.variantId);
  if (before === null) return [];
  const { backorders = 'no' } = before.product.data.variants[before.variant.id] ?? {};
  const label = { title: before.product.title, sku: before.variant.sku, backorders };
  let isMoved = false;
  for (const side of SIDES) {
    const binding = before.bindings[side];
    const reading = readings?.[side];
    if (binding === undefined || reading === undefined) continue;
    const variant: VariantRow = isMoved
      ? (loadStock(ctx, subject.variantId)?.variant ?? before.variant)
      : before.variant;
    isMoved = absorbStock(ctx, tx, view, variant, binding, reading, label) || isMoved;
  }
  if (before.variant.stockState === 'restored') isMoved = resumeStock(ctx, tx, view, before, readings ?? {}, label);
  if (before.variant.stockState === 'relinking')
    isMoved = relinkStock(ctx, tx, view, before, readings ?? {}) || isMoved;
  let rows = isMoved ? loadStock(ctx, subject.variantId) : before;
  if (rows !== null && settlePaused(ctx, tx, view, rows)) rows = loadStock(ctx, subject.variantId);
  if (rows === null) return [];
  const pushes = SIDES.flatMap((side) => planPush(ctx, view, subject, rows, side) ?? []);
  closeSettled(tx, view, rows.product.id, {}, ctx.clock.now());
  // What a stock reading was refused for is over once it is answered.
  if (readings !== undefined && SIDES.every((side) => subject.ends[side] === undefined))
    closeProblemsBySubject(tx, view.pair.id, 'READ_REFUSED', `${subject.variantId}:stock`, ctx.clock.now());
  return pushes;
}

/** [S1][S3][S4] The write that would bring one side level, or null. */
function planPush(
  ctx: EngineContext,
  view: PairView,
  subject: StockSubject,
  rows: StockRows,
  side: Side,
): StockPush | null {
  const { product, variant, bindings } = rows;
  const binding = bindings[side];
  if (subject.ends[side] !== undefined || binding === undefined || !view.settings.syncInventory) return null;
  const backorders = product.data.variants[variant.id]?.backorders ?? 'no';
  const isLeft = showsTooMany(view, variant, binding, backorders);
  if (variant.stockState !== 'live' && !isLeft) return null;
  // [S2] Where it shows more than there is: what was sold before the other one was deleted. Nothing else of it is kept the same any more.
  const hub = product.state === 'live' ? null : loadHub(ctx.db, product.id);
  const isAlone = isLeft || (hub !== null && goesOnSelling(view, hub, side));
  if (product.state !== 'live' && !isAlone) return null;
  const other = bindings[otherSide(side)];
  if (!binding.baseTracked || binding.intentKey !== null || !(other?.baseTracked ?? isAlone)) return null;
  if (!view.settings.stockTwoWay && !mayFollow(side, view.settings)) return null;
  if (isItemAwaited(ctx, view, binding)) {
    subject.outcome = { type: 'snooze', ms: RIVAL_WAIT_MS };
    return null;
  }
  const quantity = variant.quantity + (other?.provisional ?? 0);
  if (isAlone && quantity >= binding.baseQuantity) return null;
  const target = stockTarget(quantity, backorders, view.settings);
  if (isLeftToDrift(ctx, ctx.db, view, variant.id, side, target)) return null;
  return target === binding.baseQuantity
    ? null
    : {
        ...{ subject, side, binding, variant },
        ...{ from: binding.baseQuantity, to: target },
        apart: product.data.fields.optionNames.length > 0 ? product.id : null,
      };
}

function needsReading(
  ctx: EngineContext,
  view: PairView,
  pushes: readonly StockPush[],
  subject: StockSubject,
): boolean {
  const needed = pushes.filter(
    (push) =>
      push.subject === subject &&
      view.connectors[push.side].capabilities.stockWrite === 'stamped' &&
      isReadingOld(ctx, subject, push.side),
  );
  if (needed.length === 0) return false;
  // What was read is counted already; only these are asked (again).
  subject.observe.clear();
  for (const push of needed) subject.observe.add(push.side);
  return true;
}

/**
 * Before a batch leaves for a side that is written blindly: what was read too long ago (other batches went first, or another store was slow) is
 * read again and counted. What that moves on the other side is a turn of its own.
 */
async function readAgain(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly StockSubject[],
  side: Side,
  signal: AbortSignal,
): Promise<void> {
  for (const subject of subjects) {
    subject.observe.clear();
    subject.observe.add(side);
  }
  const readings = await readStock(ctx, view, subjects, signal);
  const before = new Map(subjects.map((subject) => [subject, loadStock(ctx, subject.variantId)?.variant.quantity]));
  absorbAndPlan(ctx, view, subjects, readings);
  const moved = subjects.filter(
    (subject) => loadStock(ctx, subject.variantId)?.variant.quantity !== before.get(subject),
  );
  if (moved.length === 0) return;
  transactRelaxed(ctx.db, (tx) => {
    for (const { variantId } of moved) enqueueStockSync(tx, view.pair.id, { variantId, observe: [] }, ctx.clock.now());
  });
}
