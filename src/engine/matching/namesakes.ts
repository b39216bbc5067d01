import { titleKey } from '../../core/match.ts';
import type { Db, Tx } from '../../db/database.ts';
import { findUnlinkedByTitle, listToldByTitle } from '../../db/readers/namesakes.ts';
import type { ProductRow } from '../../db/schema/product.ts';
import type { PairId, ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';

/** What a run says of it. */
export const NAMESAKE = 'an unlinked product there has the same title';

/**
 * [M1] What would be made on a side while an unlinked product with its very title stands there may be that product: nobody can tell but a person, and it
 * is neither linked nor made. Whether there is one.
 */
export function hasNamesake(db: Db, product: Pick<ProductRow, 'id' | 'pairId' | 'title'>, side: Side): boolean {
  const { id, pairId } = product;
  const key = titleKey(product.title);
  return key !== '' && findUnlinkedByTitle(db, pairId, key, side, id) !== null;
}

/** `side`: the one that it is not made on. */
export function tellNamesake(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { id, title }: Pick<ProductRow, 'id' | 'title'>,
  side: Side,
): void {
  const about = { productId: id, side: otherSide(side), subject: id };
  raise(ctx, tx, view, about, WORDS.sameTitle(otherSide(side), title));
}

/** [M1] A product that stood in the way by this title has another one by now, is linked, or is gone: who waits because of it is looked at again. */
export function wakeNamesakes(tx: Tx, pairId: PairId, productId: ProductId, title: string, at: number): void {
  const key = titleKey(title);
  if (key === '') return;
  for (const { id, side } of listToldByTitle(tx, pairId, key))
    if (id !== productId) enqueueProductSync(tx, pairId, { ref: { productId: id }, observe: [side] }, at);
}
