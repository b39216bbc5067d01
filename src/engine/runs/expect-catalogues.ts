import { transact } from '../../db/database.ts';
import { countBound, countListed } from '../../db/readers/products.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { expectListed } from '../../db/writers/observations.ts';
import type { PerSide, Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';

/** [G5][G6] How many records the listings of a run have to show, as it was when the run began, however often it is taken up again. */
export function expectCatalogues(ctx: EngineContext, view: PairView, run: RunRow): PerSide<number> {
  return transact(ctx.db, (tx) => {
    // One that was shown nothing, and went on by a person's word, is no measure for the next.
    const known = (side: Side) =>
      countListed(tx, view.pair.id, side, run.scanNumber - 1) || countBound(tx, view.pair.id, side);
    const expected = (side: Side) => expectListed(tx, run.id, side, () => known(side));
    return { woocommerce: expected('woocommerce'), shopify: expected('shopify') };
  });
}
