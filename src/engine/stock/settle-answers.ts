import type { Tx } from '../../db/database.ts';
import { findProduct } from '../../db/readers/hub-rows.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblemsBySubject, recordChange } from '../../db/writers/history.ts';
import { settleStockBase, updateVariantBinding } from '../../db/writers/products.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { Side } from '../../model/platform.ts';
import type { StockWriteOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { fenceOfLostAnswer } from '../fence.ts';
import { isPlaceAway, mayHaveHappened, outcomeOfError, outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { raise, rejectedWords } from '../problems.ts';
import { isStoreAway, noteReadError } from '../stores/store-state.ts';
import { noteWriteLimited, noteWriteTaken } from '../stores/writes-limited.ts';
import {
  triedStockWords,
  UNANSWERED_MS,
  UNANSWERED_TOLD,
  unansweredWords,
  WRITE_UNANSWERED,
} from '../unanswered-words.ts';
import { labelText } from './absorb-stock.ts';
import type { StockPush } from './push-stock.ts';
import { endMissing } from './read-stock.ts';
import { type OpenIntent, unansweredOf } from './stock-call.ts';
import { receivesStock, stockDriftSubject } from './stock-drift.ts';
import { loadStock, type StockSubject } from './stock-subject.ts';

/** A push with its key, which names the call as well. */
export type SentPush = StockPush & { readonly key: string };

/** Stores what became of a call, and returns what was withheld of it. */
export function settleAnswers(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  call: readonly SentPush[],
  outcomes: readonly StockWriteOutcome[],
  prepared: Set<StockSubject>,
): readonly StockPush[] {
  const missing: StockPush[] = [];
  const withheld: StockPush[] = [];
  transactRelaxed(ctx.db, (tx) => {
    call.forEach((push, i) => {
      const outcome = outcomes[i] ?? {
        outcome: 'failed' as const,
        error: new ConnectorError('unknown_outcome', 'the platform left an answer out'),
      };
      switch (outcome.outcome) {
        case 'applied':
        case 'already_applied':
          settleStockBase(tx, push.variant.id, side, push.to, true);
          recordWritten(ctx, tx, view, push.variant, side, push);
          for (const code of ['WRITE_REJECTED', WRITE_UNANSWERED])
            closeProblemsBySubject(tx, view.pair.id, code, `${push.variant.id}:stock`, ctx.clock.now());
          noteWriteTaken(ctx, tx, view, side, 'any');
          if (receivesStock(view, side))
            closeProblemsBySubject(tx, view.pair.id, 'DRIFT', stockDriftSubject(push.variant.id), ctx.clock.now());
          break;
        case 'stale':
          // The first answer to this key: it certainly did not happen. The item moved, and is read again.
          settleStockBase(tx, push.variant.id, side, push.from, true);
          enqueueStockSync(tx, view.pair.id, { variantId: push.variant.id, observe: [side] }, ctx.clock.now());
          break;
        case 'withheld':
        case 'already_failed':
          if (prepared.has(push.subject)) {
            const { cause } = outcome.outcome === 'withheld' ? outcome : { cause: null };
            failPush(ctx, tx, view, push, cause ?? new ConnectorError('unavailable', 'the platform did not take it'));
            break;
          }
          // Nothing happened, so there is no intent to settle. Alone in its call, it is tried just once more.
          settleStockBase(tx, push.variant.id, side, push.from, true);
          withheld.push(push);
          if (call.length === 1) prepared.add(push.subject);
          break;
        case 'failed':
          failPush(ctx, tx, view, push, outcome.error);
          if (outcome.error.kind === 'not_found') missing.push(push);
          break;
      }
    });
  });
  for (const push of missing) endMissing(ctx, view, push.subject, side);
  const away = outcomes.find((outcome) => outcome.outcome === 'failed' && isPlaceAway(outcome.error));
  if (away?.outcome === 'failed') noteReadError(ctx, view.stores[side], away.error);
  return withheld;
}

function failPush(ctx: EngineContext, tx: Tx, view: PairView, push: SentPush, error: ConnectorError): void {
  if (mayHaveHappened(error)) {
    // It may have happened, or may yet: the intent stays, and the job comes back when it can be told.
    const { capabilities } = view.connectors[push.side];
    const fencedUntil = fenceOfLostAnswer(ctx.clock.now(), capabilities);
    updateVariantBinding(tx, push.variant.id, push.side, { fencedUntil });
    const count = unansweredOf(push.key);
    if (count >= UNANSWERED_TOLD) tellUnanswered(ctx, tx, view, push, count, error);
    // Without a key there is nothing to be done before its fence is over, which every pass waits for.
    if (capabilities.stockWrite === 'keyed') push.subject.ends[push.side] = { type: 'retry', reason: error.message };
    return;
  }
  settleStockBase(tx, push.variant.id, push.side, push.from, true);
  if (isPlaceAway(error)) {
    // [S12] What is said of the place is no matter of this item: it waits like one that can't be read.
    push.subject.ends[push.side] = outcomeOfReadItem(error);
    return;
  }
  if (error.kind === 'rejected') {
    const about = { productId: push.variant.productId, side: push.side, subject: `${push.variant.id}:stock` };
    raise(ctx, tx, view, about, rejectedWords(push.side, labelOf(ctx, push.variant), error));
    closeProblemsBySubject(tx, view.pair.id, WRITE_UNANSWERED, about.subject, ctx.clock.now());
  }
  noteWriteLimited(ctx, tx, view, push.side, 'any', error);
  push.subject.ends[push.side] = outcomeOfError(error);
}

/** [W8] A write that is repeated as it was has no number of tries: when it first left tells. Of a store that answers nothing at all a person is told once. */
export function tellRepeated(
  ctx: EngineContext,
  view: PairView,
  { subject, binding, intent }: OpenIntent,
  error: ConnectorError,
): void {
  const variant = loadStock(ctx, subject.variantId)?.variant;
  const isLong = intent.sentAt !== null && ctx.clock.now() - intent.sentAt >= UNANSWERED_MS;
  if (variant === undefined || !isLong || isStoreAway(ctx.db, view.stores[binding.side].id)) return;
  const write = { side: binding.side, variant, to: intent.to };
  transactRelaxed(ctx.db, (tx) => tellUnanswered(ctx, tx, view, write, null, error));
}

/** `count`: how often in a row; null: for some time. */
function tellUnanswered(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { side, variant, to }: Pick<StockPush, 'side' | 'variant' | 'to'>,
  count: number | null,
  error: ConnectorError,
): void {
  const about = { productId: variant.productId, side, subject: `${variant.id}:stock` };
  raise(ctx, tx, view, about, unansweredWords(side, triedStockWords(labelOf(ctx, variant), to), count, error.message));
}

function labelOf(ctx: EngineContext, { id, sku }: VariantRow): string {
  return labelText({ title: loadStock(ctx, id)?.product.title ?? '', sku });
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
