import { transact } from '../../db/database.ts';
import { chunks } from '../../lib/chunks.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { productLock } from '../locks.ts';
import { listTaken } from '../matching/still-alone.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { isSame, otherSight } from '../sights.ts';
import { noteReadError } from '../stores/store-state.ts';
import { READING_FRESH_MS, SLOW_WAIT_MAX_MS, WAIT_MIN_MS } from '../write-window.ts';
import { endWrite } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import { MISSED, takeBack } from './take-back.ts';

/** The writes of a batch that were looked at before they leave. */
interface Looked {
  /** Why they may not leave: what they were decided on could not be read, or (null) is not so any more. */
  readonly moved: Map<ProductPush, ConnectorError | null>;
  /** Until when the others may. */
  readonly until: Map<ProductPush, number>;
}

/**
 * Which are read again, by how much is left of their time, ms: what has to leave in the blink of an eye would miss its turn with a strained store
 * time after time. Then once more what was fresh: while others are read, which takes as long as the store likes, it grows old.
 */
const ROUNDS_LEFT_MS = [WAIT_MIN_MS, 0];

/**
 * [W1] The writes of a batch that may leave now, and until when. One whose reading has grown old, or whose record was seen otherwise since, is held
 * against a fresh one: where the record has moved, or cannot be read, its write is taken back, and its job looks at it again at once. [M1] So is a
 * create whose SKUs or GTINs somebody else bears by now.
 */
export async function stillTrue(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<{ readonly ready: readonly ProductPush[]; readonly until: number }> {
  const startedAt = ctx.clock.now();
  const looked: Looked = { moved: new Map(await listTaken(ctx, view, side, batch, signal)), until: new Map() };
  for (const push of batch) {
    const { type } = push.write;
    if (type === 'update') looked.until.set(push, goodUntil(ctx, view, side, push));
    // What a first link makes was agreed to, and was just searched for.
    else
      looked.until.set(
        push,
        view.pair.status === 'active' ? freshUntil(ctx, view, side, startedAt) : Number.MAX_SAFE_INTEGER,
      );
  }
  for (const leftMs of ROUNDS_LEFT_MS) {
    const old = lateOf(ctx, batch, looked, leftMs).filter(({ write }) => write.type === 'update');
    if (old.length === 0) continue;
    await readAgain(ctx, view, side, old, looked, signal);
  }
  const late = new Set(lateOf(ctx, batch, looked, 0));
  const { moved, until } = looked;
  if (moved.size + late.size > 0)
    transact(ctx.db, (tx) => {
      for (const push of late) takeBack(ctx, tx, view, push, MISSED);
      for (const [push, error] of moved) {
        takeBack(ctx, tx, view, push);
        if (error === null) continue;
        // Of its own, and no move: that is what is said of it.
        if (error.details.unsearched !== undefined) push.subject.detail = error.message;
        endWrite(push.subject, outcomeOfRead(error));
      }
    });
  const ready = batch.filter((push) => !moved.has(push) && !late.has(push));
  return { ready, until: Math.min(...ready.map((push) => until.get(push) ?? 0)) };
}

/** Those that have less time left than that. */
function lateOf(
  ctx: EngineContext,
  batch: readonly ProductPush[],
  { moved, until }: Looked,
  leftMs: number,
): readonly ProductPush[] {
  const now = ctx.clock.now();
  return batch.filter((push) => !moved.has(push) && (until.get(push) ?? 0) < now + leftMs);
}

async function readAgain(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  old: readonly ProductPush[],
  { moved, until }: Looked,
  signal: AbortSignal,
): Promise<void> {
  const connector = view.connectors[side];
  for (const chunk of chunks(old, connector.capabilities.readBatchMax)) {
    const askedAt = ctx.clock.now();
    try {
      const outcomes = await connector.readProducts(
        chunk.map((push) => seenBy(push).externalId),
        signal,
      );
      const holdsUntil = freshUntil(ctx, view, side, askedAt);
      chunk.forEach((push, i) => {
        const outcome = outcomes[i];
        const isStill = outcome?.ok === true && isSame(side, outcome.value, seenBy(push));
        if (isStill && !otherSight(ctx, view, side, seenBy(push), askedAt)) {
          until.set(push, holdsUntil);
          return;
        }
        const isAnswer = outcome === undefined || outcome.ok || outcome.error.kind === 'not_found';
        moved.set(push, isAnswer ? null : outcome.error);
      });
    } catch (error) {
      const failure = asConnectorError(error);
      noteReadError(ctx, view.stores[side], failure);
      for (const push of chunk) moved.set(push, failure);
    }
  }
}

/** Tells of records of these writes that are seen otherwise while they wait. Call the result to end it. */
export function watchSights(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  pushes: readonly ProductPush[],
  tell: () => void,
): () => void {
  const seen = new Map<string, ProductSnapshot>();
  for (const push of pushes)
    if (push.write.type === 'update') seen.set(productLock(view.shops[side], push.write.externalId), push.write.seen);
  return ctx.locks.onSight([...seen.keys()], (key, { snapshot }) => {
    const known = seen.get(key);
    if (known !== undefined && !isSame(side, snapshot, known)) tell();
  });
}

/** How long what was asked for at `askedAt`, and was answered just now, holds: a store that takes its time to answer is given no less of it to be written to. */
function freshUntil(ctx: EngineContext, view: PairView, side: Side, askedAt: number): number {
  if (askedAt <= ctx.clock.brokenAt()) return 0;
  return Math.max(askedAt + READING_FRESH_MS, ctx.clock.now() + waitMs(view, side));
}

/** A write may take requests of its own before it leaves (WooCommerce: attributes are read first), and three of a slow store take longer than five seconds. */
function waitMs(view: PairView, side: Side): number {
  const usualMs = view.connectors[side].health().latencyP50Ms ?? 0;
  return Math.max(WAIT_MIN_MS, Math.min(3 * usualMs, SLOW_WAIT_MAX_MS));
}

/** The same of what the pass has read; 0: its record was seen otherwise since, or the machine slept. */
function goodUntil(ctx: EngineContext, view: PairView, side: Side, push: ProductPush): number {
  const askedAt = push.subject.askedAt[side] ?? 0;
  const isOver = askedAt <= ctx.clock.brokenAt() || otherSight(ctx, view, side, seenBy(push), askedAt);
  return isOver ? 0 : askedAt + READING_FRESH_MS;
}

function seenBy(push: ProductPush): ProductSnapshot {
  if (push.write.type === 'create') throw new Error('a create was decided on no reading of its own side');
  return push.write.seen;
}
