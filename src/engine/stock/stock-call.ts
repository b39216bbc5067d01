import { listVariantsOfCall } from '../../db/readers/products.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import type { JobOutcome } from '../../model/job.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { StockIntent } from '../../model/stock.ts';
import type { EngineContext } from '../context.ts';
import { stockJobKey } from '../enqueue.ts';
import { LOCK_WAIT_MS, stockLock } from '../locks.ts';
import type { PairView } from '../pair-view.ts';
import { loadStock, type StockRows, type StockSubject } from './stock-subject.ts';

/**
 * The stock writes that leave in one call have keys of one family: which they are, and whether all of them are at hand, can be told at any time.
 * `unanswered`: how many of the same item before it, in a row, had no answer [W8].
 */
export function callKeys(ctx: EngineContext): (index: number, size: number, unanswered: number) => string {
  const call = ctx.random.id('stk_');
  return (index, size, unanswered) => `${call}.${index + 1}/${size}${unanswered === 0 ? '' : `.${unanswered}`}`;
}

/** [W8] How many writes of the same item, up to the one with this key, have had no answer, where this one has none either. */
export function unansweredOf(key: string): number {
  return Number(key.split('.')[2] ?? 0) + 1;
}

/** The call that an intent's key belongs to, and how many intents left in it. */
export function callOf(key: string): { readonly call: string; readonly size: number } {
  const [call = key, place = ''] = key.split('.');
  return { call, size: Number(place.split('/')[1] ?? 1) };
}

export interface OpenIntent {
  readonly subject: StockSubject;
  readonly binding: VariantBindingRow;
  readonly intent: StockIntent;
}

/** What is open on a side. */
export function openIntent(ctx: EngineContext, subject: StockSubject, side: Side): OpenIntent[] {
  if (subject.outcome !== null) return [];
  const binding = loadStock(ctx, subject.variantId)?.bindings[side];
  if (binding === undefined || binding.intentKey === null || binding.intentFrom === null || binding.intentTo === null)
    return [];
  return [
    {
      subject,
      binding,
      intent: { from: binding.intentFrom, to: binding.intentTo, key: binding.intentKey, sentAt: binding.intentSentAt },
    },
  ];
}

/**
 * [S5] How long these can't be settled yet, ms: what is fenced is looked at when nothing of ours can land any more. The other side goes on meanwhile. 0: at
 * once, as where a platform remembers keys.
 */
export function fenceLeftMs(ctx: EngineContext, view: PairView, open: readonly OpenIntent[]): number {
  const now = ctx.clock.now();
  const left = open.map(({ binding: { side, fencedUntil } }) =>
    view.connectors[side].capabilities.stockWrite === 'keyed' || fencedUntil === null || now >= fencedUntil
      ? 0
      : fencedUntil - now + 1,
  );
  return Math.max(0, ...left);
}

/** What a call is made of beside the subjects of a pass; its locks are held until `release`. */
export interface Companions {
  readonly subjects: readonly StockSubject[];
  release(): void;
}

/**
 * The variants of a call whose jobs are not in this pass, with their locks. Null when one of them is held by somebody else: the call has to
 * wait, and a job of its is woken when that one is free.
 */
export function takeCompanions(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  call: string,
  present: readonly StockSubject[],
): Companions | null {
  const known = new Set(present.map((subject) => subject.variantId));
  const [waiter] = present;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases) each();
  };
  const subjects: StockSubject[] = [];
  for (const variantId of listVariantsOfCall(ctx.db, view.pair.id, side, call)) {
    if (known.has(variantId)) continue;
    const rows = loadStock(ctx, variantId);
    if (rows === null) continue;
    const end = ctx.locks.tryAcquire(stockKeys(view, rows), waiter && stockJobKey(view.pair.id, waiter.variantId));
    if (end === null) {
      release();
      return null;
    }
    releases.push(end);
    subjects.push({ variantId, observe: new Set(), readAt: {}, outcome: null, later: null, ends: {}, unanswered: {} });
  }
  return { subjects, release };
}

/** The locks of an item on both sides. */
export function stockKeys(view: PairView, { bindings }: Pick<StockRows, 'bindings'>): readonly string[] {
  return SIDES.flatMap((side) => {
    const binding = bindings[side];
    return binding === undefined ? [] : [stockLock(view.shops[side], binding.stockId)];
  });
}

export const WAIT_FOR_COMPANIONS: JobOutcome = { type: 'snooze', ms: LOCK_WAIT_MS };
