import type { Tx } from '../db/database.ts';
import { transact } from '../db/database.ts';
import type { VariantBindingRow, VariantRow } from '../db/schema/product.ts';
import { recordEvent } from '../db/writers/events.ts';
import { recordChange } from '../db/writers/history.ts';
import { settleStockBase, updateVariantBinding } from '../db/writers/products.ts';
import { chunks } from '../lib/chunks.ts';
import { ConnectorError } from '../model/connector-error.ts';
import { SIDES, type Side } from '../model/platform.ts';
import type { StockWriteOutcome } from '../ports/connector.ts';
import { labelText } from './absorb-stock.ts';
import type { EngineContext } from './context.ts';
import { enqueueStockSync } from './enqueue.ts';
import { fenceOfLostAnswer } from './fence.ts';
import { asConnectorError, outcomeOfError } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import { raise, rejectedWords } from './problems.ts';
import { checkProduct } from './read-stock.ts';
import { loadStock, type StockSubject } from './stock-subject.ts';
import { noteStoreError } from './store-state.ts';

/** One stock write whose intent is (about to be) stored. */
export interface StockPush {
  readonly subject: StockSubject;
  readonly side: Side;
  readonly binding: VariantBindingRow;
  readonly variant: VariantRow;
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** Sends writes whose intents are stored, both platforms at once, and settles what was answered. */
export async function pushStock(
  ctx: EngineContext,
  view: PairView,
  pushes: readonly StockPush[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    SIDES.map(async (side) => {
      const connector = view.connectors[side];
      const own = pushes.filter((push) => push.side === side);
      for (const chunk of chunks(own, connector.capabilities.stockBatchMax)) {
        let outcomes: readonly StockWriteOutcome[];
        try {
          outcomes = await connector.writeStock(
            chunk.map((push) => ({ stockId: push.binding.stockId, expected: push.from, to: push.to, key: push.key })),
            signal,
          );
        } catch (error) {
          const failure = asConnectorError(error);
          noteStoreError(ctx, view.stores[side].id, failure);
          outcomes = chunk.map(() => ({ outcome: 'failed', error: failure }));
        }
        settleAnswers(ctx, view, side, chunk, outcomes);
      }
    }),
  );
}

function settleAnswers(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  chunk: readonly StockPush[],
  outcomes: readonly StockWriteOutcome[],
): void {
  const missing: StockPush[] = [];
  transact(ctx.db, (tx) => {
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
      sku: variant.sku,
      side,
      from: write.from,
      to: write.to,
    },
    at,
  });
}
