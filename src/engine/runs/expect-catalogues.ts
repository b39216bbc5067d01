import { transact } from '../../db/database.ts';
import { countListed } from '../../db/readers/products.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { expectListed } from '../../db/writers/observations.ts';
import type { PerSide } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';

/** [G5][G6] How many records the listings of a run have to show, as it was when the run began, however often it is taken up again. */
export function expectCatalogues(ctx: EngineContext, view: PairView, run: RunRow): PerSide<number> {
  return transact(ctx.db, (tx) => {
    const expected = (side: 'woocommerce' | 'shopify') =>
      expectListed(tx, run.id, side, () => countListed(tx, view.pair.id, side, run.scanNumber - 1));
    return { woocommerce: expected('woocommerce'), shopify: expected('shopify') };
  });
}
