import { transact } from '../../db/database.ts';
import { durable } from '../../db/durable.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import { openStockIntent, updateVariantBinding } from '../../db/writers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { StockWriteOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { openDeparture } from '../departure.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { fenceOfLostAnswer, fenceOfNewIntent } from '../fence.ts';
import { hearOut } from '../hear-out.ts';
import { LOOK_AGAIN_MS, RIVAL_WAIT_MS } from '../locks.ts';
import { logWrites } from '../log-writes.ts';
import { asConnectorError } from '../outcome.ts';
import { endOfStockPass, type PairView } from '../pair-view.ts';
import { writeOverRivals } from '../rivals.ts';
import { noteDenied, noteStoreError } from '../stores/store-state.ts';
import { CALL_ROUNDS_MAX, windowChunks } from '../write-window.ts';
import { blindUntil, isReadingOld } from './read-stock.ts';
import { type SentPush, settleAnswers } from './settle-answers.ts';
import { settleAll } from './settle-intent.ts';
import { callKeys, type OpenIntent } from './stock-call.ts';
import { loadStock, type StockSubject } from './stock-subject.ts';

/** One stock write that is about to leave. */
export interface StockPush {
  readonly subject: StockSubject;
  readonly side: Side;
  readonly binding: VariantBindingRow;
  readonly variant: VariantRow;
  readonly from: number;
  readonly to: number;
  /** The product, where it has variants. */
  readonly apart: ProductId | null;
}

/** What the pass does for its writes right before they leave. */
export interface BeforeSending {
  /** Reads these again on a side that is written blindly, and counts what it finds. */
  readAgain(subjects: readonly StockSubject[], side: Side): Promise<void>;
  /** The write that a side lacks by now, or null. */
  plan(subject: StockSubject, side: Side): StockPush | null;
}

/**
 * [S4] Sends writes in batches, both platforms at once. Each batch is decided on readings that are fresh when it leaves, and its intents are
 * stored just before: what is never sent has none. When something throws, no further batch is sent, the other side's answer is still waited
 * for (the caller holds the locks until this ends), and what was sent stays fenced like a lost answer; then it is thrown on.
 */
export async function pushStock(
  ctx: EngineContext,
  view: PairView,
  pushes: readonly StockPush[],
  signal: AbortSignal,
  before: BeforeSending,
): Promise<void> {
  let isOver = false;
  const ends = await Promise.allSettled(
    SIDES.map(async (side) => {
      const { stockBatchMax, stockWrite } = view.connectors[side].capabilities;
      const own = pushes.filter((push) => push.side === side);
      const isBlind = stockWrite === 'stamped';
      // A side that compares for itself may be written at any time. Elsewhere variants may take a request of their own for each product.
      for (const chunk of windowChunks(own, stockBatchMax, (push) => (isBlind ? push.apart : null))) {
        try {
          const old = chunk.map((push) => push.subject).filter((subject) => isReadingOld(ctx, subject, side));
          if (isBlind && old.length > 0) await before.readAgain(old, side);
          if (isOver || signal.aborted || endOfStockPass(ctx, view) !== null) break;
          await pushBatch(ctx, view, side, chunk, signal, before);
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
      // What did not leave has its job come back for it.
      if (signal.aborted || endOfStockPass(ctx, view) !== null)
        for (const { subject } of own)
          if (before.plan(subject, side) !== null) subject.outcome ??= { type: 'snooze', ms: 0 };
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Sends a batch, and what was withheld of it in calls of their own, with intents of their own. */
async function pushBatch(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly StockPush[],
  signal: AbortSignal,
  before: BeforeSending,
): Promise<void> {
  const queue = [batch];
  const prepared = new Set<StockSubject>();
  for (let call = queue.shift(); call; call = queue.shift()) {
    if (signal.aborted || endOfStockPass(ctx, view) !== null) return;
    const withheld = await pushCall(ctx, view, side, call, signal, before, prepared);
    // Refused as a whole, and nobody named: halves find out who it is.
    const half = withheld.length < call.length ? withheld.length : Math.ceil(withheld.length / 2);
    queue.unshift(...[withheld.slice(0, half), withheld.slice(half)].filter((part) => part.length > 0));
  }
}

/** One call to the platform; returns what it withheld. `prepared`: what was withheld alone once; a second time it is refused. */
async function pushCall(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  planned: readonly StockPush[],
  signal: AbortSignal,
  before: BeforeSending,
  prepared: Set<StockSubject>,
): Promise<readonly StockPush[]> {
  const { capabilities } = view.connectors[side];
  const isBlind = capabilities.stockWrite === 'stamped';
  const sentAt = ctx.clock.now();
  const fencedUntil = fenceOfNewIntent(sentAt, capabilities, CALL_ROUNDS_MAX);
  const pushes = transactRelaxed(ctx.db, (tx) => {
    const keyOf = callKeys(ctx);
    const leaving = planCall(ctx, planned, side, before, isBlind);
    return leaving.map((push, i) => {
      const key = keyOf(i, leaving.length, push.subject.unanswered[side] ?? 0);
      const { from, to } = push;
      writeOverRivals(ctx, tx, view, push.binding);
      openStockIntent(tx, push.variant.id, side, { from, to, key, sentAt, fencedUntil });
      return { ...push, key };
    });
  });
  if (pushes.length === 0) return [];
  try {
    await durable(ctx.db);
  } catch (error) {
    // [W2] Nothing of it has left, and so nothing can land: it is taken back, and its job comes back at once.
    settleAll(ctx, view, side, openOf(ctx, side, pushes), { from: 'refusal' });
    throw error;
  }
  try {
    return settleAnswers(ctx, view, side, pushes, await send(ctx, view, side, pushes, signal), prepared);
  } catch (error) {
    fenceSent(ctx, view, side, pushes);
    throw error;
  }
}

/** The answers. [W1] A blind write leaves in time, or it counts as refused for what its item may hold by then: that is read again. */
async function send(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  pushes: readonly SentPush[],
  signal: AbortSignal,
): Promise<readonly StockWriteOutcome[]> {
  const connector = view.connectors[side];
  const isBlind = connector.capabilities.stockWrite === 'stamped';
  const until = isBlind ? Math.min(...pushes.map(({ subject }) => blindUntil(subject, side))) : null;
  const departure = until === null ? null : openDeparture(signal, ctx.clock, until);
  const writes = pushes.map(({ binding, from, to, key }) => ({ stockId: binding.stockId, expected: from, to, key }));
  let outcomes: readonly StockWriteOutcome[];
  try {
    outcomes = await logWrites(ctx, view, side, writes, () =>
      hearOut(signal, ctx.clock, (cut) => connector.writeStock(writes, departure?.signal ?? signal, cut)),
    );
    noteDenied(
      ctx,
      view.stores[side],
      outcomes.map((outcome) => (outcome.outcome === 'failed' ? outcome.error : null)),
    );
  } catch (error) {
    const failure = asConnectorError(error);
    if (departure?.isMissed(failure) !== true) noteStoreError(ctx, view.stores[side], failure);
    outcomes = pushes.map(() => ({ outcome: 'failed', error: failure }));
  } finally {
    departure?.close();
  }
  return outcomes.map((outcome) =>
    outcome.outcome === 'failed' && departure?.isMissed(outcome.error) ? { outcome: 'stale' } : outcome,
  );
}

/** What is still to be written as it stands now, and may be; of two variants with one item the second comes back later. */
function planCall(
  ctx: EngineContext,
  planned: readonly StockPush[],
  side: Side,
  before: BeforeSending,
  isBlind: boolean,
): readonly StockPush[] {
  const items = new Set<string>();
  return planned.flatMap(({ subject }) => {
    // [W1] It could not be read again, or not in time.
    if (isBlind && isReadingOld(ctx, subject, side)) {
      subject.ends[side] ??= { type: 'snooze', ms: LOOK_AGAIN_MS };
      return [];
    }
    const push = before.plan(subject, side);
    if (push === null) return [];
    if (items.has(push.binding.stockId)) {
      subject.ends[side] ??= { type: 'snooze', ms: RIVAL_WAIT_MS };
      return [];
    }
    items.add(push.binding.stockId);
    return [push];
  });
}

function openOf(ctx: EngineContext, side: Side, pushes: readonly SentPush[]): readonly OpenIntent[] {
  return pushes.flatMap(({ subject, variant, from, to, key }) => {
    const binding = loadStock(ctx, variant.id)?.bindings[side];
    return binding?.intentKey === key ? [{ subject, binding, intent: { from, to, key, sentAt: null } }] : [];
  });
}

/** Their answers could not be stored: from now on they are like answers that never came. */
function fenceSent(ctx: EngineContext, view: PairView, side: Side, pushes: readonly SentPush[]): void {
  const fencedUntil = fenceOfLostAnswer(ctx.clock.now(), view.connectors[side].capabilities);
  transact(ctx.db, (tx) => {
    for (const { variant, key } of pushes) {
      const open = loadStock(ctx, variant.id)?.bindings[side];
      if (open?.intentKey !== key) continue;
      updateVariantBinding(tx, variant.id, side, { fencedUntil });
      enqueueStockSync(tx, view.pair.id, { variantId: variant.id, observe: [side] }, fencedUntil + 1);
    }
  });
}
