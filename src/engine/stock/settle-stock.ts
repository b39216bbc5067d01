import { judgeCall } from '../../core/stock.ts';
import { transact } from '../../db/database.ts';
import { updateVariantBinding } from '../../db/writers/products.ts';
import { chunks } from '../../lib/chunks.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { JobOutcome } from '../../model/job.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { StockIntent } from '../../model/stock.ts';
import { mayHaveLost } from '../../ports/clock.ts';
import type { StockWriteOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueStockSync } from '../enqueue.ts';
import { fenceOfLostAnswer, fenceOfNewIntent } from '../fence.ts';
import { hearOut } from '../hear-out.ts';
import { logWrites } from '../log-writes.ts';
import { asConnectorError, mayHaveHappened, outcomeOfError } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { isWrittenOver } from '../rivals.ts';
import { noteStoreError } from '../stores/store-state.ts';
import { endMissing, isMadeAnew } from './read-stock.ts';
import { tellRepeated } from './settle-answers.ts';
import { isOpen, type Settled, settle, settleAll, settleEach } from './settle-intent.ts';
import {
  callOf,
  fenceLeftMs,
  type OpenIntent,
  openIntent,
  takeCompanions,
  unansweredOf,
  WAIT_FOR_COMPANIONS,
} from './stock-call.ts';
import type { StockSubject } from './stock-subject.ts';

/**
 * [S5] Settles intents whose answer never came, before anything else is planned on their items. A platform that remembers keys is
 * asked again at once, for as long as it does; elsewhere the fence is waited out first, so that nothing can land afterwards.
 */
export async function settleOpenIntents(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly StockSubject[],
  signal: AbortSignal,
): Promise<void> {
  for (const side of SIDES) {
    const open = subjects
      .flatMap((subject) => openIntent(ctx, subject, side))
      .filter((entry) => fenceLeftMs(ctx, view, [entry]) === 0);
    const { stockWrite, stockBatchMax } = view.connectors[side].capabilities;
    for (const sent of stockWrite === 'stamped' ? chunks(open, stockBatchMax) : asTheyWereSent(open)) {
      // While an earlier call was on its way, a pass over the product may have found that its record is gone: then there is nothing to settle.
      const part = sent.filter((entry) => isOpen(ctx, entry));
      if (part.length === 0) continue;
      try {
        if (stockWrite === 'stamped') await settleByReading(ctx, view, side, part, 'stamp', signal);
        else if (stockWrite === 'compare_and_set') await settleCall(ctx, view, side, part, signal);
        else {
          const known = part.filter((entry) => isRemembered(ctx, view, side, [entry]));
          const undecided = known.length === 0 ? [] : await repeat(ctx, view, side, known, signal);
          // The last repeat that nobody answered may still land.
          const forgotten = part.filter((entry) => !known.includes(entry) && !isFenced(ctx, entry));
          await settleByReading(ctx, view, side, [...undecided, ...forgotten], 'nothing', signal);
        }
      } catch (error) {
        const failure = asConnectorError(error);
        noteStoreError(ctx, view.stores[side], failure);
        for (const { subject } of part) subject.outcome ??= comeBack(outcomeOfError(failure), failure);
      }
    }
  }
}

function asTheyWereSent(open: readonly OpenIntent[]): readonly (readonly OpenIntent[])[] {
  return [...Map.groupBy(open, ({ intent }) => callOf(intent.key).call).values()];
}

/**
 * A call that is done whole or not at all is settled as one: repeated whole, or judged by all its items. A part of it, or in other company, would
 * be another call to the platform, and be done a second time where an item is back at what was expected.
 */
async function settleCall(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  present: readonly OpenIntent[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = present;
  if (first === undefined) return;
  const { call, size } = callOf(first.intent.key);
  const wait = (outcome: JobOutcome) => {
    for (const { subject } of present) subject.later ??= outcome;
  };
  const companions = takeCompanions(
    ctx,
    view,
    side,
    call,
    present.map(({ subject }) => subject),
  );
  if (companions === null) return wait(WAIT_FOR_COMPANIONS);
  try {
    const others = companions.subjects.flatMap((subject) => openIntent(ctx, subject, side));
    const leftMs = fenceLeftMs(ctx, view, others);
    if (leftMs > 0) return wait({ type: 'snooze', ms: leftMs });
    const open = [...present, ...others];
    const isWhole = open.length === size && isRemembered(ctx, view, side, open);
    const undecided = isWhole ? await repeat(ctx, view, side, open, signal) : open;
    await settleByReading(ctx, view, side, undecided, 'call', signal);
    // What stays open has its own job, which waits as long as it was told to: called now it would repeat the call at once.
    const settled = companions.subjects.filter(({ outcome }) => outcome === null);
    transact(ctx.db, (tx) => {
      for (const { variantId } of settled)
        enqueueStockSync(tx, view.pair.id, { variantId, observe: [side] }, ctx.clock.now());
    });
  } finally {
    companions.release();
  }
}

/**
 * The first try counts: a repeat that is refused need not be remembered. Where the machine slept since, or its clock was set ahead, no more time has passed
 * than we know of; only where it was also set back nobody can tell.
 */
function isRemembered({ clock }: EngineContext, view: PairView, side: Side, open: readonly OpenIntent[]): boolean {
  const now = clock.now();
  const since = now - view.connectors[side].capabilities.keyMemoryMs;
  const unsure = Math.min(clock.brokenAt(), clock.slowedAt());
  return open.every(({ intent: { sentAt } }) => sentAt !== null && sentAt <= now && sentAt > since && sentAt > unsure);
}

/** When a write left; null: nobody knows, since the clock was set back, or the machine slept. */
function leftAt(ctx: EngineContext, { sentAt }: Pick<StockIntent, 'sentAt'>): number | null {
  const isKnown = sentAt !== null && sentAt <= ctx.clock.now() && sentAt > ctx.clock.brokenAt();
  return isKnown ? sentAt : null;
}

/** How far our time may have fallen behind the store's since these left, ms, at most. */
function lostSince(ctx: EngineContext, open: readonly OpenIntent[]): number {
  const lost = open.map(({ intent }) => {
    const left = leftAt(ctx, intent);
    if (left === null) return Number.POSITIVE_INFINITY;
    return left <= ctx.clock.slowedAt() ? mayHaveLost(ctx.clock.now() - left) : 0;
  });
  return Math.max(0, ...lost);
}

/** Repeats with the same key and expectation. Returns those that must be decided by a reading. */
async function repeat(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  open: readonly OpenIntent[],
  signal: AbortSignal,
): Promise<readonly OpenIntent[]> {
  const now = ctx.clock.now();
  // [W2] Whatever ends this pass, the repeat may land as late as a first try: that stands before it leaves.
  const until = fenceOfNewIntent(now, view.connectors[side].capabilities);
  fenceAll(ctx, open, () => until);
  const writes = open.map(({ binding, intent }) => ({
    stockId: binding.stockId,
    expected: intent.from,
    to: intent.to,
    key: intent.key,
  }));
  const outcomes = await logWrites(ctx, view, side, writes, () =>
    hearOut(signal, ctx.clock, (cut) => view.connectors[side].writeStock(writes, signal, cut)),
  );
  const isKeyed = view.connectors[side].capabilities.stockWrite === 'keyed';
  // Done whole or not at all: refused for one is refused for all, whatever is said of the others.
  const isRefused = !isKeyed && outcomes.some(({ outcome }) => outcome === 'withheld' || outcome === 'stale');
  // What was answered can't land any more: for the first try its own fence holds. What was not may land as late as any lost write. All of a call in one
  // transaction: if the process died in between, what was left would be taken for refused when it is asked again.
  const lost = fenceOfLostAnswer(ctx.clock.now(), view.connectors[side].capabilities);
  fenceAll(ctx, open, (i) => (!isRefused && isUnheard(outcomes[i]) ? lost : 0));
  const undecided: OpenIntent[] = [];
  const settled: Settled[] = [];
  open.forEach((entry, i) => {
    const outcome = outcomes[i] ?? {
      outcome: 'failed' as const,
      error: new ConnectorError('malformed', 'the platform left an answer out'),
    };
    switch (outcome.outcome) {
      case 'applied':
      case 'already_applied':
        settled.push({ entry, evidence: { from: 'answer' } });
        break;
      case 'already_failed':
        settled.push({ entry, evidence: { from: 'refusal' } });
        break;
      case 'withheld':
        // Others of the call were refused: nothing is told of the first try.
        undecided.push(entry);
        break;
      case 'stale':
        // Who remembers keys would have said "already applied"; elsewhere stale means "maybe".
        if (!isKeyed) undecided.push(entry);
        else if (isFenced(ctx, entry)) break;
        else settled.push({ entry, evidence: { from: 'refusal' } });
        entry.subject.observe.add(side);
        break;
      case 'failed':
        // A refusal of the repeat says nothing about the first try: the item itself has to tell.
        if (isRefused || (outcome.error.kind === 'rejected' && !isFenced(ctx, entry))) undecided.push(entry);
        else failRepeat(ctx, view, side, entry, outcome.error);
        break;
    }
  });
  // At once: what a crash left over would be judged without the others.
  settleEach(ctx, view, settled);
  return undecided;
}

/** Each keeps its own fence where that reaches further: killed right after the first try left, nobody knows when it lands. */
function fenceAll(ctx: EngineContext, open: readonly OpenIntent[], untilOf: (i: number) => number): void {
  transact(ctx.db, (tx) => {
    open.forEach(({ subject, binding }, i) => {
      const fencedUntil = Math.max(untilOf(i), binding.fencedUntil ?? 0);
      updateVariantBinding(tx, subject.variantId, binding.side, { fencedUntil });
    });
  });
}

function isUnheard(outcome: StockWriteOutcome | undefined): boolean {
  if (outcome === undefined) return true;
  return outcome.outcome === 'failed' && mayHaveHappened(outcome.error);
}

/** The first request may still be on its way, and land if the item comes back to what it expected. */
function isFenced(ctx: EngineContext, { binding }: OpenIntent): boolean {
  return binding.fencedUntil !== null && ctx.clock.now() < binding.fencedUntil;
}

function failRepeat(ctx: EngineContext, view: PairView, side: Side, entry: OpenIntent, error: ConnectorError): void {
  if (error.kind === 'not_found') {
    // What is not there can't be written, now or later.
    settle(ctx, view, entry, { from: 'refusal' });
    endMissing(ctx, view, entry.subject, side);
    return;
  }
  // The repeat's own fate is unknown as well: the intent stays open.
  if (mayHaveHappened(error)) tellRepeated(ctx, view, entry, error);
  entry.subject.outcome ??= comeBack(outcomeOfError(error), error);
}

/** An open intent is never left without its job. */
function comeBack(outcome: JobOutcome, error: ConnectorError): JobOutcome {
  return outcome.type === 'cancel' ? { type: 'retry', reason: `${error.kind}: ${error.message}` } : outcome;
}

/** What decides: the item's own stamp, what all items of the call hold, or nothing. */
type Decider = 'stamp' | 'call' | 'nothing';

async function settleByReading(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  open: readonly OpenIntent[],
  by: Decider,
  signal: AbortSignal,
): Promise<void> {
  if (open.length === 0) return;
  // [W8] What is written in its place, where it did not land, is one more in the row.
  for (const { subject, intent } of open) subject.unanswered[side] = unansweredOf(intent.key);
  const outcomes = await view.connectors[side].readStock(
    open.map((entry) => entry.binding.stockId),
    signal,
  );
  const items = open.flatMap(({ intent }, i) => {
    const outcome = outcomes[i];
    return outcome?.ok === true ? [{ intent, remote: outcome.value }] : [];
  });
  const fate = by === 'call' ? judgeCall(items, lostSince(ctx, open)) : 'unclear';
  if (fate !== 'unclear') return settleAll(ctx, view, side, open, { from: fate === 'landed' ? 'answer' : 'refusal' });
  open.forEach((entry, i) => {
    const outcome = outcomes[i];
    // [V6] It may be another product's by now: until that one's own reading has told, its number settles nothing.
    if (outcome?.ok === true && isMadeAnew(ctx, entry.subject, side, outcome.value)) {
      endMissing(ctx, view, entry.subject, side);
      entry.subject.outcome ??= { type: 'retry', reason: 'the product was made at another time than what we know' };
    } else if (outcome?.ok === true)
      settle(ctx, view, entry, {
        from: 'reading',
        remote: outcome.value,
        stampDecides: by === 'stamp' && !isWrittenOver(entry.binding),
      });
    else if (outcome?.error.kind === 'not_found') {
      settle(ctx, view, entry, { from: 'refusal' });
      endMissing(ctx, view, entry.subject, side);
    } else {
      const error = outcome?.error ?? new ConnectorError('malformed', 'the platform left an answer out');
      entry.subject.outcome ??= comeBack(outcomeOfError(error), error);
    }
  });
}
