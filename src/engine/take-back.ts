import { type Tx, transact } from '../db/database.ts';
import { deleteProductBinding, updateProductBinding } from '../db/writers/products.ts';
import { chunks } from '../lib/chunks.ts';
import { otherSide, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { asConnectorError, outcomeOfRead } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import type { ProductPush } from './push-products.ts';
import { isSame, otherSight } from './sights.ts';
import { listTaken } from './still-alone.ts';
import { noteReadError } from './store-state.ts';
import { READING_FRESH_MS } from './write-window.ts';

/**
 * [W1] The writes of a batch that may leave now. One whose reading has grown old, or whose record was seen otherwise since, is held against a fresh
 * one: where the record has moved, or cannot be read, its write is taken back, and its job looks at it again at once. [M1] So is a create whose SKUs
 * somebody else bears by now.
 */
export async function stillTrue(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<readonly ProductPush[]> {
  const moved = new Map(await listTaken(ctx, view, side, batch, signal));
  const old = batch.filter((push) => push.write.type === 'update' && isOld(ctx, view, side, push));
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
        if (isStill && !otherSight(ctx, view, side, seenBy(push), askedAt)) return;
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

function isOld(ctx: EngineContext, view: PairView, side: Side, push: ProductPush): boolean {
  const askedAt = push.subject.askedAt[side] ?? 0;
  return ctx.clock.now() - askedAt > READING_FRESH_MS || otherSight(ctx, view, side, seenBy(push), askedAt);
}

function seenBy(push: ProductPush): ProductSnapshot {
  if (push.write.type === 'create') throw new Error('a create was decided on no reading of its own side');
  return push.write.seen;
}
