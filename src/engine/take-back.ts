import { type Tx, transact } from '../db/database.ts';
import { deleteProductBinding, updateProductBinding } from '../db/writers/products.ts';
import { chunks } from '../lib/chunks.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import { otherSide, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { asConnectorError, outcomeOfRead } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import { fingerprintOf } from './plan-item.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import { noteReadError } from './store-state.ts';
import { READING_FRESH_MS } from './write-window.ts';

/**
 * [W1] The writes of a batch that may leave now. One whose reading has grown old is held against a fresh one: where the record has moved, or
 * cannot be read, its write is taken back, and its job looks at it again at once.
 */
export async function stillTrue(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<readonly ProductPush[]> {
  const now = ctx.clock.now();
  const old = batch.filter((push) => push.write.type === 'update' && isOld(push, side, now));
  if (old.length === 0) return batch;
  const moved = new Map<ProductPush, ConnectorError | null>();
  const connector = view.connectors[side];
  for (const chunk of chunks(old, connector.capabilities.readBatchMax)) {
    try {
      const outcomes = await connector.readProducts(
        chunk.map((push) => seenBy(push).externalId),
        signal,
      );
      chunk.forEach((push, i) => {
        const outcome = outcomes[i];
        if (outcome?.ok === true && isSame(side, outcome.value, seenBy(push))) return;
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
 * What a search has just shown of a record that was read in this pass. Where the two differ nobody knows which is the later (a search may lag):
 * the reading counts as old, and whoever writes that record reads it again first.
 */
export function noteSight(subject: ProductSubject, side: Side, found: readonly ProductSnapshot[]): void {
  const read = subject.snapshots[side];
  const sight = found.find(({ externalId }) => externalId === read?.externalId);
  if (read !== undefined && sight !== undefined && !isSame(side, read, sight)) delete subject.askedAt[side];
}

function isOld(push: ProductPush, side: Side, now: number): boolean {
  return now - (push.subject.askedAt[side] ?? 0) > READING_FRESH_MS;
}

function seenBy(push: ProductPush): ProductSnapshot {
  if (push.write.type === 'create') throw new Error('a create was decided on no reading of its own side');
  return push.write.seen;
}

/** In everything that a write may meet; stock has writes of its own. */
function isSame(side: Side, a: ProductSnapshot, b: ProductSnapshot): boolean {
  return fingerprintOf({ [side]: a }) === fingerprintOf({ [side]: b });
}
