import { type Tx, transact } from '../db/database.ts';
import { deleteProductBinding, updateProductBinding } from '../db/writers/products.ts';
import { chunks } from '../lib/chunks.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import { otherSide, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { productLock } from './locks.ts';
import { asConnectorError, outcomeOfRead } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import { fingerprintOf } from './plan-item.ts';
import type { ProductPush } from './push-products.ts';
import { noteReadError } from './store-state.ts';
import { READING_FRESH_MS } from './write-window.ts';

/**
 * [W1] The writes of a batch that may leave now. One whose reading has grown old, or whose record was seen otherwise since, is held against a fresh
 * one: where the record has moved, or cannot be read, its write is taken back, and its job looks at it again at once.
 */
export async function stillTrue(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<readonly ProductPush[]> {
  const old = batch.filter((push) => push.write.type === 'update' && isOld(ctx, view, side, push));
  if (old.length === 0) return batch;
  const moved = new Map<ProductPush, ConnectorError | null>();
  const connector = view.connectors[side];
  for (const chunk of chunks(old, connector.capabilities.readBatchMax)) {
    const askedAt = ctx.clock.now();
    try {
      const outcomes = await connector.readProducts(
        chunk.map((push) => seenBy(push).externalId),
        signal,
      );
      chunk.forEach((push, i) => {
        const outcome = outcomes[i];
        const isStill = outcome?.ok === true && isSame(side, outcome.value, seenBy(push));
        if (isStill && !otherSight(ctx, view, side, push, askedAt)) return;
        const isAnswer = outcome === undefined || outcome.ok || outcome.error.kind === 'not_found';
        moved.set(push, isAnswer ? null : outcome.error);
      });
    } catch (error) {
      const failure = asConnectorError(error);
      noteReadError(ctx, view.stores[side].id, failure);
      for (const push of chunk) moved.set(push, failure);
    }
  }
  if (moved.size > 0)
    transact(ctx.db, (tx) => {
      for (const [push, error] of moved) {
        takeBack(ctx, tx, view, push);
        if (error !== null) push.subject.outcome ??= outcomeOfRead(error);
      }
    });
  return batch.filter((push) => !moved.has(push));
}

/** A write that was never sent: its intent goes, the hub keeps what it holds, and both are looked at again at once. */
export function takeBack(ctx: EngineContext, tx: Tx, view: PairView, push: ProductPush): void {
  const { productId, side, intent, subject } = push;
  if (intent.type === 'create') deleteProductBinding(tx, productId, side);
  else updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
  // What is to be created is read where it comes from.
  const observe = [intent.type === 'create' ? otherSide(side) : side];
  enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe }, ctx.clock.now());
  if (subject.result === 'unchanged') subject.result = 'skipped';
  subject.detail = 'It moved before it could be written; it is looked at again.';
}

/**
 * What a listing, a search or a witness has just shown. Where another pass (or this one) is at work on one of the records, that pass may have read it
 * before: it is told, or it would write over what we have seen.
 */
export function noteSights(ctx: EngineContext, view: PairView, side: Side, shown: readonly ProductSnapshot[]): void {
  const at = ctx.clock.now();
  const storeId = view.stores[side].id;
  for (const snapshot of shown) ctx.locks.noteSight(productLock(storeId, snapshot.externalId), { at, snapshot });
}

/** A sight of the record since its reading was asked for that shows it otherwise. Which of the two is the later nobody knows (a search may lag). */
function otherSight(ctx: EngineContext, view: PairView, side: Side, push: ProductPush, since: number): boolean {
  const seen = seenBy(push);
  const sight = ctx.locks.sightOf(productLock(view.stores[side].id, seen.externalId));
  return sight !== undefined && sight.at >= since && !isSame(side, sight.snapshot, seen);
}

function isOld(ctx: EngineContext, view: PairView, side: Side, push: ProductPush): boolean {
  const askedAt = push.subject.askedAt[side] ?? 0;
  return ctx.clock.now() - askedAt > READING_FRESH_MS || otherSight(ctx, view, side, push, askedAt);
}

function seenBy(push: ProductPush): ProductSnapshot {
  if (push.write.type === 'create') throw new Error('a create was decided on no reading of its own side');
  return push.write.seen;
}

/** In everything that a write may meet; stock has writes of its own. */
function isSame(side: Side, a: ProductSnapshot, b: ProductSnapshot): boolean {
  return fingerprintOf({ [side]: a }) === fingerprintOf({ [side]: b });
}
