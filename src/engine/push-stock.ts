import type { Tx } from '../db/database.ts';
import { transact } from '../db/database.ts';
import { durable } from '../db/durable.ts';
import { findProduct } from '../db/readers/hub-rows.ts';
import { transactRelaxed } from '../db/relaxed.ts';
import type { VariantBindingRow, VariantRow } from '../db/schema/product.ts';
import { recordEvent } from '../db/writers/events.ts';
import { closeProblemsBySubject, recordChange } from '../db/writers/history.ts';
import { openStockIntent, settleStockBase, updateVariantBinding } from '../db/writers/products.ts';
import { ConnectorError } from '../model/connector-error.ts';
import type { ProductId } from '../model/ids.ts';
import { SIDES, type Side } from '../model/platform.ts';
import type { StockWriteOutcome } from '../ports/connector.ts';
import { labelText } from './absorb-stock.ts';
import type { EngineContext } from './context.ts';
import { enqueueStockSync } from './enqueue.ts';
import { fenceOfLostAnswer, fenceOfNewIntent } from './fence.ts';
import { asConnectorError, outcomeOfError } from './outcome.ts';
import { isStopped, type PairView } from './pair-view.ts';
import { raise, rejectedWords } from './problems.ts';
import { checkProduct, isReadingOld } from './read-stock.ts';
import { loadStock, type StockSubject } from './stock-subject.ts';
import { noteDenied, noteStoreError } from './store-state.ts';
import { CALL_ROUNDS_MAX, windowChunks } from './write-window.ts';

/** One stock write that is about to leave. */
export interface StockPush {
  readonly subject: StockSubject;
  readonly side: Side;
  readonly binding: VariantBindingRow;
  readonly variant: VariantRow;
  readonly from: number;
  readonly to: number;
  readonly key: string;
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
          if (isOver || signal.aborted || isStopped(ctx, view)) break;
          await pushBatch(ctx, view, side, chunk, signal, before);
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
      // What did not leave has its job come back for it.
      for (const { subject } of own)
        if ((signal.aborted || isStopped(ctx, view)) && before.plan(subject, side) !== null)
          subject.outcome ??= { type: 'snooze', ms: 0 };
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function pushBatch(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  planned: readonly StockPush[],
  signal: AbortSignal,
  before: BeforeSending,
): Promise<void> {
  const connector = view.connectors[side];
  const sentAt = ctx.clock.now();
  const fencedUntil = fenceOfNewIntent(sentAt, connector.capabilities, CALL_ROUNDS_MAX);
  const pushes = transactRelaxed(ctx.db, (tx) =>
    planned.flatMap(({ subject }) => {
      const push = before.plan(subject, side);
      if (push === null) return [];
      const { from, to, key } = push;
      openStockIntent(tx, push.variant.id, side, { from, to, key, sentAt, fencedUntil });
      return [push];
    }),
  );
  if (pushes.length === 0) return;
  try {
    await durable(ctx.db);
    let outcomes: readonly StockWriteOutcome[];
    try {
      outcomes = await connector.writeStock(
        pushes.map((push) => ({ stockId: push.binding.stockId, expected: push.from, to: push.to, key: push.key })),
        signal,
      );
      noteDenied(
        ctx,
        view.stores[side].id,
        outcomes.map((outcome) => (outcome.outcome === 'failed' ? outcome.error : null)),
      );
    } catch (error) {
      const failure = asConnectorError(error);
      noteStoreError(ctx, view.stores[side].id, failure);
      outcomes = pushes.map(() => ({ outcome: 'failed', error: failure }));
    }
    settleAnswers(ctx, view, side, pushes, outcomes);
  } catch (error) {
    fenceSent(ctx, view, side, pushes);
    throw error;
  }
}

/** Their answers could not be stored: from now on they are like answers that never came. */
function fenceSent(ctx: EngineContext, view: PairView, side: Side, pushes: readonly StockPush[]): void {
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

function settleAnswers(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  chunk: readonly StockPush[],
  outcomes: readonly StockWriteOutcome[],
): void {
  const missing: StockPush[] = [];
  transactRelaxed(ctx.db, (tx) => {
    chunk.forEach((push, i) => {
      const outcome = outcomes[i] ?? {
        outcome: 'failed' as const,
        error: new ConnectorError('unknown_outcome', 'the platform left an answer out'),
      };
      switch (outcome.outcome) {
        case 'applied':
        case 'already_applied':
          settleStockBase(tx, push.variant.id, side, push.to, true);
          recordWritten(ctx, tx, view, push.variant, side, push);
          closeProblemsBySubject(tx, view.pair.id, 'WRITE_REJECTED', `${push.variant.id}:stock`, ctx.clock.now());
          break;
        case 'stale':
          // The first answer to this key: it certainly did not happen. The item moved, and is read again.
          settleStockBase(tx, push.variant.id, side, push.from, true);
          enqueueStockSync(tx, view.pair.id, { variantId: push.variant.id, observe: [side] }, ctx.clock.now());
          break;
        case 'failed':
          failPush(ctx, tx, view, push, outcome.error);
          if (outcome.error.kind === 'not_found') missing.push(push);
          break;
      }
    });
  });
  for (const push of missing) checkProduct(ctx, view, push.subject, side);
}

function failPush(ctx: EngineContext, tx: Tx, view: PairView, push: StockPush, error: ConnectorError): void {
  if (error.kind === 'unknown_outcome' || error.kind === 'malformed') {
    // It may have happened, or may yet: the intent stays, and the job comes back when it can be told.
    const { capabilities } = view.connectors[push.side];
    const now = ctx.clock.now();
    const fencedUntil = fenceOfLostAnswer(now, capabilities);
    updateVariantBinding(tx, push.variant.id, push.side, { fencedUntil });
    push.subject.outcome =
      capabilities.stockWrite === 'keyed'
        ? { type: 'retry', reason: error.message }
        : { type: 'snooze', ms: fencedUntil - now + 1 };
    return;
  }
  settleStockBase(tx, push.variant.id, push.side, push.from, true);
  if (error.kind === 'rejected') {
    const title = labelText({ title: loadStock(ctx, push.variant.id)?.product.title ?? '', sku: push.variant.sku });
    raise(
      ctx,
      tx,
      view,
      { productId: push.variant.productId, side: push.side, subject: `${push.variant.id}:stock` },
      rejectedWords(push.side, title, error),
    );
  }
  push.subject.outcome = outcomeOfError(error);
}

/** One stock number that we wrote, in the history and on the live page. */
export function recordWritten(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  variant: VariantRow,
  side: Side,
  write: { readonly from: number; readonly to: number },
): void {
  const at = ctx.clock.now();
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: variant.productId,
    variantId: variant.id,
    field: 'stock',
    origin: null,
    target: side,
    from: write.from,
    to: write.to,
    cause: 'written',
    at,
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'stock_written',
    payload: {
      productId: variant.productId,
      variantId: variant.id,
      title: findProduct(tx, variant.productId)?.title ?? '',
      sku: variant.sku,
      side,
      from: write.from,
      to: write.to,
    },
    at,
  });
}
