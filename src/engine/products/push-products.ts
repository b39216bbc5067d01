import { type Tx, transact } from '../../db/database.ts';
import { durable } from '../../db/durable.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { deleteProductBinding, markProductSent, updateProductBinding } from '../../db/writers/products.ts';
import { unended } from '../../lib/unended.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ProductWrite, WriteOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { openDeparture } from '../departure.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { fenceOfLostAnswer, fenceOfNewIntent } from '../fence.ts';
import { hearOut } from '../hear-out.ts';
import { loadHub } from '../hub.ts';
import { logWrites } from '../log-writes.ts';
import { asConnectorError, isPlaceAway, mayHaveHappened, outcomeOfError, outcomeOfReadItem } from '../outcome.ts';
import { endOfPass, type PairView } from '../pair-view.ts';
import { type ProblemWords, raise, rejectedWords } from '../problems.ts';
import { noteDenied, noteStoreError } from '../stores/store-state.ts';
import { isLimitedForLong, kindOf, noteWriteLimited } from '../stores/writes-limited.ts';
import { CALL_ROUNDS_MAX, windowChunks } from '../write-window.ts';
import { type LeftOut, leaveOut, NO_WRITE } from './left-out.ts';
import { nameKeys } from './name-keys.ts';
import { planRest, type RefusedPush } from './plan-rest.ts';
import { endWrite, type ProductSubject } from './product-subject.ts';
import { endReused } from './reused-id.ts';
import { stillTrue, watchSights } from './still-true.ts';
import { storeWritten } from './store-written.ts';
import { MISSED, takeBack } from './take-back.ts';
import { noteAnswered, noteUnanswered } from './unanswered.ts';

/** One product write whose intent is stored. */
export interface ProductPush {
  readonly subject: ProductSubject;
  readonly productId: ProductId;
  readonly side: Side;
  readonly intent: ProductIntent;
  readonly write: ProductWrite;
  /** What the platform has refused of it in this pass already [B1], and what waits for a try of its own [W8]. */
  readonly leftOut: LeftOut;
}

/** What was not brought to an end yet, and whether the other side has given up. */
export interface Sending {
  /** Their intents are stored, and they were not sent. */
  readonly waiting: Set<ProductPush>;
  /** They were sent, and their answer is not stored, or what is left of them after a refusal is not decided. */
  readonly sent: Set<ProductPush>;
  isOver: boolean;
}

/**
 * Sends writes whose intents are stored, both platforms at once and in batches; each answer is settled in its own transaction. When something
 * throws, nothing more is sent, the other side's answers are still waited for (the caller holds the records' locks until this ends), what
 * was never sent is taken back, and what was sent is fenced like a lost answer; then it is thrown on.
 */
export async function pushProducts(
  ctx: EngineContext,
  view: PairView,
  pushes: readonly ProductPush[],
  signal: AbortSignal,
): Promise<void> {
  if (pushes.length === 0) return;
  const sending: Sending = { waiting: new Set(pushes), sent: new Set(), isOver: false };
  const ends = await Promise.allSettled(SIDES.map((side) => pushSide(ctx, view, side, pushes, sending, signal)));
  if (sending.waiting.size > 0 || sending.sent.size > 0)
    transact(ctx.db, (tx) => {
      for (const push of sending.waiting) takeBack(ctx, tx, view, push);
      for (const push of sending.sent) awaitFence(ctx, tx, view, push);
    });
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function pushSide(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  pushes: readonly ProductPush[],
  sending: Sending,
  signal: AbortSignal,
): Promise<void> {
  try {
    let own: readonly ProductPush[] = pushes.filter((push) => push.side === side);
    while (own.length > 0) {
      const refused = await pushRound(ctx, view, side, own, sending, signal);
      own = refused.length === 0 ? [] : await planRest(ctx, view, side, refused, sending, signal);
    }
  } catch (error) {
    sending.isOver = true;
    throw error;
  }
}

/** Those that were refused for a part of them: their rest can go on. */
async function pushRound(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  own: readonly ProductPush[],
  sending: Sending,
  signal: AbortSignal,
): Promise<readonly RefusedPush[]> {
  const refused: RefusedPush[] = [];
  for (const chunk of windowChunks(own, view.connectors[side].capabilities.writeBatchMax, withVariants)) {
    if (sending.isOver || signal.aborted || endOfPass(ctx, view) !== null) break;
    const { ready, until } = await stillTrue(ctx, view, side, chunk, signal);
    for (const push of chunk) if (!ready.includes(push)) sending.waiting.delete(push);
    if (ready.length === 0) continue;
    if (sending.isOver || signal.aborted || endOfPass(ctx, view) !== null) break;
    const outcomes = await send(ctx, view, side, ready, until, sending, signal);
    if (outcomes === null) break;
    refused.push(...settleAll(ctx, view, ready, outcomes, sending));
  }
  return refused;
}

/** Variants may take a request of their own for each product. */
function withVariants({ write, productId }: ProductPush): string | null {
  const isParentOnly =
    write.type === 'update'
      ? write.variants.length + write.newVariants.length + write.archiveVariants.length === 0
      : write.variants.length <= 1;
  return isParentOnly ? null : productId;
}

/** What became of a write; `missed`: it was not sent, since it could not leave in time. */
type Answer = WriteOutcome | 'missed';

/** The answers; null: nothing was sent. */
async function send(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  chunk: readonly ProductPush[],
  until: number,
  sending: Sending,
  signal: AbortSignal,
): Promise<readonly Answer[] | null> {
  const connector = view.connectors[side];
  const now = ctx.clock.now();
  const fencedUntil = fenceOfNewIntent(now, connector.capabilities, CALL_ROUNDS_MAX);
  transactRelaxed(ctx.db, (tx) => {
    for (const push of chunk) markProductSent(tx, push.productId, side, now, fencedUntil);
  });
  await durable(ctx.db);
  // The disk took its time: meanwhile the other side may have thrown. What is marked and still waiting is taken back.
  if (sending.isOver || signal.aborted) return null;
  for (const push of chunk) {
    sending.waiting.delete(push);
    sending.sent.add(push);
  }
  const departure = openDeparture(signal, ctx.clock, until);
  const unwatch = watchSights(ctx, view, side, chunk, departure.miss);
  try {
    const writes = chunk.map((push) => push.write);
    const outcomes = await logWrites(ctx, view, side, writes, () =>
      hearOut(signal, ctx.clock, (cut) => connector.writeProducts(writes, departure.signal, cut)),
    );
    noteDenied(
      ctx,
      view.stores[side],
      outcomes.map((outcome) => (outcome.ok ? null : outcome.error)),
    );
    return outcomes.map((outcome) => (!outcome.ok && departure.isMissed(outcome.error) ? 'missed' : outcome));
  } catch (error) {
    const failure = asConnectorError(error);
    if (departure.isMissed(failure)) return chunk.map(() => 'missed');
    noteStoreError(ctx, view.stores[side], failure);
    return chunk.map(() => ({ ok: false, error: failure }));
  } finally {
    unwatch();
    departure.close();
  }
}

/**
 * Every answer is stored, although one of them may not be storable (the guard halts the pair on what it shows): the first such is thrown. Returns
 * those that were refused for a part of them.
 */
function settleAll(
  ctx: EngineContext,
  view: PairView,
  chunk: readonly ProductPush[],
  outcomes: readonly Answer[],
  sending: Sending,
): readonly RefusedPush[] {
  const errors: unknown[] = [];
  const refused: RefusedPush[] = [];
  chunk.forEach((push, i) => {
    const outcome = outcomes[i] ?? {
      ok: false as const,
      error: new ConnectorError('unknown_outcome', 'the platform left an answer out'),
    };
    try {
      const leftOut = transactRelaxed(ctx.db, (tx) => {
        if (outcome === 'missed') takeBack(ctx, tx, view, push, MISSED);
        else if (!outcome.ok) return storeRefused(ctx, tx, view, push, outcome.error);
        else if (isIdBusy(ctx, tx, view, push, outcome.snapshot)) awaitFence(ctx, tx, view, push);
        else storeWritten(ctx, tx, view, push, outcome.snapshot, outcome.newVariantIds);
        return null;
      });
      if (leftOut === null) sending.sent.delete(push);
      else refused.push({ push, leftOut });
    } catch (error) {
      errors.push(error);
    }
  });
  if (errors.length > 0) throw errors[0];
  return refused;
}

/** [V6] The id that it was given is known as that of another record, which another pass is at work on: it is settled like a lost answer. */
function isIdBusy(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { productId, side, intent }: ProductPush,
  { externalId }: ProductSnapshot,
): boolean {
  return intent.type === 'create' && !endReused(ctx, tx, view, productId, side, externalId);
}

/** What is left out when its rest is sent; null: there is none. */
function storeRefused(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  push: ProductPush,
  answer: ConnectorError,
): LeftOut | null {
  const { subject, productId, side } = push;
  const error = nameKeys(push.write, answer);
  subject.result = 'failed';
  subject.detail = error.message;
  if (mayHaveHappened(error)) {
    noteUnanswered(ctx, tx, view, push, error, awaitFence(ctx, tx, view, push));
    return null;
  }
  const title = loadHub(tx, productId)?.row.title ?? '';
  if (error.kind === 'rejected') {
    const about = { productId, side, subject: `${productId}:${side}` };
    raise(ctx, tx, view, about, refusedWords(side, title, [...push.leftOut.errors, error]), { ...error.details });
  }
  noteWriteLimited(ctx, tx, view, side, kindOf(push.write), error);
  const { intent, write } = push;
  const sent = intent.type === 'update' ? intent : NO_WRITE;
  const leftOut = leaveOut({ write, sent, leftOut: push.leftOut }, error);
  if (leftOut !== null) {
    // What there is no room for is tried again, whatever becomes of the rest.
    if (error.kind === 'rate_limited') endWrite(subject, outcomeOfError(error));
    return leftOut;
  }
  // Its rest may be what was never answered, and what waits beside it is not to wait for the shop to have room [A1].
  if (error.kind === 'rejected' || isLimitedForLong(error)) noteAnswered(ctx, tx, view, push);
  if (push.intent.type === 'create') deleteProductBinding(tx, productId, side);
  else updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
  if (error.kind === 'not_found')
    enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, ctx.clock.now());
  endWrite(subject, isPlaceAway(error) ? outcomeOfReadItem(error) : outcomeOfError(error));
  return null;
}

/** One problem names all that was refused in turn. */
function refusedWords(side: Side, title: string, errors: readonly ConnectorError[]): ProblemWords {
  const refusals = errors.filter(({ kind }) => kind === 'rejected');
  const all = refusals.map((error) => rejectedWords(side, `"${title}"`, error));
  const [first, ...others] = all as [ProblemWords, ...ProblemWords[]];
  const messages = [...new Set(all.map(({ message }) => message))];
  if (others.length === 0) return first;
  return {
    ...first,
    message: messages.map((message, i) => (i < messages.length - 1 ? `${unended(message)}.` : message)).join(' '),
    remedy: [...new Set(all.map(({ remedy }) => remedy))].join(' '),
  };
}

/** It may have happened, or may yet: the intent stays, and the job comes back when it can be told: at what is returned. */
function awaitFence(ctx: EngineContext, tx: Tx, view: PairView, { subject, productId, side }: ProductPush): number {
  const now = ctx.clock.now();
  const fencedUntil = fenceOfLostAnswer(now, view.connectors[side].capabilities);
  updateProductBinding(tx, productId, side, { fencedUntil });
  // The subject's own job may be the run's, or be given up by what was thrown: the intent has one of its own.
  enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, fencedUntil + 1);
  subject.outcome = { type: 'snooze', ms: fencedUntil - now + 1 };
  return fencedUntil;
}
