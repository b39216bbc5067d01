import { transact } from '../../db/database.ts';
import { findVariant, listBindings } from '../../db/readers/hub-rows.ts';
import { chunks } from '../../lib/chunks.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { StockReading, StockSnapshot } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { asConnectorError, outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { noteReadError, noteStoreReads } from '../stores/store-state.ts';
import { failSide, loadStock, type StockSubject } from './stock-subject.ts';

export type StockReadings = ReadonlyMap<StockSubject, Partial<PerSide<StockSnapshot>>>;

/** Reads the sides that subjects ask for, both platforms at once, in batches. [S3] What can't be read ends the pass for its own side. */
export async function readStock(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly StockSubject[],
  signal: AbortSignal,
): Promise<StockReadings> {
  const readings = new Map<StockSubject, Partial<PerSide<StockSnapshot>>>();
  await Promise.all(
    SIDES.map(async (side) => {
      const asked = subjects.flatMap((subject) => {
        if (subject.outcome !== null || subject.ends[side] !== undefined || !subject.observe.has(side)) return [];
        const binding = loadStock(ctx, subject.variantId)?.bindings[side];
        return binding === undefined ? [] : [{ subject, stockId: binding.stockId }];
      });
      const connector = view.connectors[side];
      for (const chunk of chunks(asked, connector.capabilities.stockBatchMax)) {
        const askedAt = ctx.clock.now();
        try {
          const outcomes = await connector.readStock(
            chunk.map((entry) => entry.stockId),
            signal,
          );
          noteStoreReads(ctx, view.stores[side].id);
          chunk.forEach(({ subject }, i) => {
            const outcome = outcomes[i];
            if (outcome?.ok === true && isMadeAnew(ctx, subject, side, outcome.value))
              endMissing(ctx, view, subject, side);
            else if (outcome?.ok === true) {
              readings.set(subject, { ...readings.get(subject), [side]: outcome.value });
              // An answer may have lain here while the machine slept.
              subject.readAt[side] = ctx.clock.brokenAt() >= askedAt ? 0 : (outcome.at ?? ctx.clock.now());
            } else if (outcome?.error.kind === 'not_found') endMissing(ctx, view, subject, side);
            else {
              const failure = outcome?.error ?? new ConnectorError('malformed', 'the platform left an answer out');
              noteRefused(ctx, view, subject, side, failure);
              subject.ends[side] ??= outcomeOfReadItem(failure);
            }
          });
        } catch (error) {
          const failure = asConnectorError(error);
          noteReadError(ctx, view.stores[side], failure);
          failSide(
            chunk.map((entry) => entry.subject),
            side,
            failure,
          );
        }
      }
    }),
  );
  return readings;
}

/**
 * [V6] The item's product was made at another time than the one that we know: whether it is another record with the same id, or a person has moved its date,
 * is for the product's own job to find out, which counts it then.
 */
export function isMadeAnew(
  ctx: EngineContext,
  { variantId }: StockSubject,
  side: Side,
  { madeAt }: StockReading,
): boolean {
  // Asked first: of a product with many variants none says when it was made.
  if (typeof madeAt !== 'number') return false;
  const productId = findVariant(ctx.db, variantId)?.productId;
  const bindings = productId === undefined ? [] : listBindings(ctx.db, productId);
  const known = bindings.find((binding) => binding.side === side)?.madeAt ?? null;
  return known !== null && madeAt !== known;
}

/** One item that a store does not want to show, while it shows others. */
function noteRefused(
  ctx: EngineContext,
  view: PairView,
  { variantId }: StockSubject,
  side: Side,
  error: ConnectorError,
): void {
  const rows = loadStock(ctx, variantId);
  if (error.kind !== 'rejected' || rows === null) return;
  const about = { productId: rows.product.id, side, subject: `${variantId}:stock` };
  transact(ctx.db, (tx) => raise(ctx, tx, view, about, WORDS.readRefused(side, rows.product.title, error.message)));
}

/** How old a reading may be when a blind write that was decided on it leaves, ms. */
const READING_FRESH_MS = 5_000;

/** Until when a blind write may leave on what a side was last read to hold. */
export function blindUntil(subject: StockSubject, side: Side): number {
  return (subject.readAt[side] ?? 0) + READING_FRESH_MS;
}

/** Whether a side was read too long ago (or not at all, or before a sleep of the machine) for a blind write to leave on it. */
export function isReadingOld(ctx: EngineContext, subject: StockSubject, side: Side): boolean {
  return ctx.clock.now() > blindUntil(subject, side) || (subject.readAt[side] ?? 0) <= ctx.clock.brokenAt();
}

/** The item is not there: whether its product was deleted is for the product's own job to find out. */
export function endMissing(ctx: EngineContext, view: PairView, subject: StockSubject, side: Side): void {
  const rows = loadStock(ctx, subject.variantId);
  if (rows !== null) {
    transact(ctx.db, (tx) =>
      enqueueProductSync(tx, view.pair.id, { ref: { productId: rows.product.id }, observe: [side] }, ctx.clock.now()),
    );
  }
  subject.ends[side] ??= { type: 'cancel', reason: 'the item is not there any more' };
}
