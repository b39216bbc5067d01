import type { Tx } from '../../db/database.ts';
import { deleteProductBinding, updateProductBinding } from '../../db/writers/products.ts';
import { otherSide } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductPush } from './push-products.ts';

const MOVED = 'It moved before it could be written; it is looked at again.';
export const MISSED = 'It could not be written in time; it is looked at again.';

/** A write that was never sent: its intent goes, the hub keeps what it holds, and both are looked at again at once. */
export function takeBack(ctx: EngineContext, tx: Tx, view: PairView, push: ProductPush, why = MOVED): void {
  const { productId, side, intent, subject } = push;
  if (intent.type === 'create') deleteProductBinding(tx, productId, side);
  else updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
  // What is to be created is read where it comes from.
  const observe = [intent.type === 'create' ? otherSide(side) : side];
  enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe }, ctx.clock.now());
  if (subject.result === 'unchanged') subject.result = 'skipped';
  subject.detail = why;
}
