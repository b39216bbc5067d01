import type { Tx } from '../../db/database.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { acceptGone } from './handle-gone.ts';
import { makeSubject } from './product-subject.ts';

/**
 * [V6] A record that we have made was given an id by its shop under which we know another: that one is gone. False where another pass is at work on that
 * one: nothing is stored then.
 */
export function endReused(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  productId: ProductId,
  side: Side,
  externalId: string,
): boolean {
  const owner = findProductByExternal(tx, view.pair.id, side, externalId);
  if (owner === null || owner === productId) return true;
  const release = ctx.locks.tryAcquire([`hub:${owner}`]);
  if (release === null) return false;
  try {
    const hub = loadHub(tx, owner);
    if (hub === null) return true;
    const ref = { productId: owner };
    const subject = makeSubject(ctx, view, ref, [], null);
    subject.gone.add(side);
    subject.reused.set(side, externalId);
    acceptGone(ctx, tx, view, subject, hub, side);
    enqueueProductSync(tx, view.pair.id, { ref, observe: [otherSide(side)] }, ctx.clock.now());
    return true;
  } finally {
    release();
  }
}
