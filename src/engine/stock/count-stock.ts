import { transact } from '../../db/database.ts';
import { stockLinkedAt, sumOutsideStockChanges } from '../../db/readers/stock-changes.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblems, recordChange } from '../../db/writers/history.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { isStockAtWork, type PairStatus } from '../../model/pair.ts';
import { otherSide, PLATFORM_NAME, SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { QUANTITY_MAX } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { tellOversold } from './absorb-stock.ts';
import { receivesStock } from './stock-drift.ts';
import { loadStock, type StockRows } from './stock-subject.ts';

export interface CountCommand {
  readonly productId: ProductId;
  readonly variantId: VariantId;
  /** Whole units that a person found on the shelf. */
  readonly quantity: number;
  /** When they were counted, ms; null: just now. */
  readonly countedAt: number | null;
}

export interface CountResult {
  readonly from: number;
  readonly quantity: number;
  /** What both stores were seen to sell or take in since the count; it is part of `quantity`. */
  readonly seenSince: number;
}

/** Counts older than this say little about today, and the history that they are corrected by is not kept for ever: so long it is. */
export const COUNT_AGE_MAX_MS = 7 * 24 * 3_600_000;

/** Clocks of people and servers differ a little. */
const CLOCK_SLACK_MS = 60_000;

/** What a count puts right. */
const SETTLED = ['OVERSOLD', 'STOCK_DOUBT'] as const;

/**
 * [S10] A person counted: the hub becomes the count and what was seen to change after it, and both sides are written. It is the answer to
 * staff typing one recount into both shops, which would count twice.
 * `isBehind`: the pair may see late what is done in its shops.
 * Throws a Refusal: NOT_FOUND, VALIDATION (names the field), STOCK_NOT_COUNTED.
 */
export function countStock(ctx: EngineContext, command: CountCommand, isBehind = false): CountResult {
  const now = ctx.clock.now();
  return transact(ctx.db, (tx) => {
    const rows = checkCount(ctx, command);
    const { variant, view } = rows;
    const { units: seenSince, moves } = sumOutsideStockChanges(tx, variant.id, command.countedAt ?? now);
    if (moves > 0 && isBehind) throw invalid('countedAt', UNKNOWN_ORDER);
    const from = variant.quantity;
    const quantity = command.quantity + seenSince;
    refuseOneWay(view, rows, quantity);
    updateVariant(tx, variant.id, { quantity });
    const ids = { pairId: variant.pairId, productId: variant.productId, variantId: variant.id };
    recordChange(tx, {
      ...ids,
      ...{ runId: null, field: 'stock', origin: null, target: null },
      ...{ from, to: quantity, cause: 'counted', at: now },
    });
    closeProblems(tx, variant.productId, SETTLED, null, now, variant.id);
    const { backorders } = rows.product.data.variants[variant.id] ?? {};
    const label = { title: rows.product.title, sku: variant.sku, backorders };
    tellOversold(ctx, tx, view, variant, null, label, quantity);
    enqueueStockSync(tx, variant.pairId, { variantId: variant.id, observe: SIDES }, now);
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: variant.pairId,
      type: 'stock_counted',
      payload: { ...ids, title: rows.product.title, sku: variant.sku, counted: command.quantity, from, to: quantity },
      at: now,
    });
    return { from, quantity, seenSince };
  });
}

/** [S10] What a pair saw late may have been before a count of an earlier time, or after it. */
const UNKNOWN_ORDER =
  'Stock moved, and this pair saw it only after this time: whether that was before the count or after it is not known. What moved is counted by now: count again, and set no time.';

interface Countable extends StockRows {
  readonly view: PairView;
}

/** Throws where a count can't be taken, whatever the shops show. */
export function checkCount(ctx: EngineContext, command: CountCommand): Countable {
  checkCommand(command, ctx.clock.now());
  const rows = loadStock(ctx, command.variantId);
  const view = rows === null ? null : loadPairView(ctx, rows.variant.pairId);
  if (rows === null || view === null || rows.variant.productId !== command.productId)
    throw new Refusal('NOT_FOUND', 'There is no such variant.', {
      fields: [{ field: 'variantId', message: 'There is no such variant.' }],
    });
  if (rows.variant.stockState !== 'live' || SIDES.some((side) => rows.bindings[side]?.baseTracked !== true))
    throw new Refusal(
      'STOCK_NOT_COUNTED',
      'The stock of this item is not kept the same at present: it is not linked, or not tracked on both sides. Track it on both sides and link its stock first.',
    );
  refuseAtRest(view);
  refuseShutOut(view);
  refuseBeforeLink(ctx, rows, command.countedAt);
  return { ...rows, view };
}

/** [S7] What was sold before the stock was linked, or linked anew, is in the numbers that were linked, and in no history: a count of before would bring it back. */
function refuseBeforeLink(ctx: EngineContext, { product, variant }: StockRows, countedAt: number | null): void {
  if (countedAt === null || countedAt >= Math.max(product.createdAt, stockLinkedAt(ctx.db, variant.id) ?? 0)) return;
  throw invalid('countedAt', BEFORE_LINK);
}

const BEFORE_LINK =
  'The stock of this item was linked after this time: what its shops sold before that is not known. Count again, and set no time.';

/** [T2] Where nothing of stock is counted at present, what was sold before this count is seen only afterwards, and would be taken off it. */
function refuseAtRest({ pair, settings }: PairView): void {
  if (settings.syncInventory && isStockAtWork(pair)) return;
  const [why, first] = settings.syncInventory
    ? STANDS[pair.status]
    : ['Inventory is switched off in this pair', 'Switch it on'];
  throw new Refusal(
    'STOCK_NOT_COUNTED',
    `${why}: what its shops have sold meanwhile is not counted yet. ${first} first, then count.`,
  );
}

const STANDS: Readonly<Record<PairStatus, readonly [string, string]>> = {
  setup: ['This pair is not linked', 'Link it'],
  linking: ['This pair is being linked', 'Let that end'],
  active: ['This pair is at work', 'Let it go on'],
  paused: ['This pair is paused', 'Let it go on'],
  halted: ['This pair is halted', 'Let it go on'],
};

/** [A2] The same of a shop that does not let us in. */
function refuseShutOut({ stores }: PairView): void {
  const side = SIDES.find((each) => stores[each].status === 'error');
  if (side === undefined) return;
  const name = PLATFORM_NAME[side];
  throw new Refusal(
    'STOCK_NOT_COUNTED',
    `${name} does not let us in: what it has sold meanwhile is not counted yet. Connect it again first, then count.`,
  );
}

/** [S11] Where stock goes one way nothing is written to the source: another number than it shows would never be the same on both sides. */
function refuseOneWay(view: PairView, { bindings }: StockRows, quantity: number): void {
  const source = SIDES.find((side) => receivesStock(view, otherSide(side)));
  const shown = source === undefined ? undefined : bindings[source]?.baseQuantity;
  if (source === undefined || shown === quantity) return;
  const name = PLATFORM_NAME[source];
  const words = `Stock goes one way in this pair, and ${name} shows ${shown}. Set the number in ${name}: it is carried from there.`;
  throw invalid('quantity', words);
}

function checkCommand({ quantity, countedAt }: CountCommand, now: number): void {
  if (!Number.isSafeInteger(quantity) || quantity < 0 || quantity > QUANTITY_MAX)
    throw invalid('quantity', `Send a whole number of units from 0 to ${QUANTITY_MAX}.`);
  if (countedAt === null) return;
  if (countedAt > now + CLOCK_SLACK_MS) throw invalid('countedAt', 'A count can not lie in the future.');
  if (countedAt < now - COUNT_AGE_MAX_MS)
    throw invalid('countedAt', 'This count is more than 7 days old. Count again.');
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}
