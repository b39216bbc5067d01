import type { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { EngineContext } from '../context.ts';
import { asConnectorError } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductPush } from '../products/push-products.ts';
import { noteReadError } from '../stores/store-state.ts';
import { READING_FRESH_MS } from '../write-window.ts';
import { searches } from './look-before-create.ts';
import { bears, strangersBearing } from './strangers.ts';
import { findForAll, tellUnsearched } from './unsearched.ts';

/**
 * [M1][W1] Creates of a batch that may not leave: a pass over many products searches for minutes, and meanwhile somebody has typed in what was found
 * nowhere. Those whose search has grown old are searched for once more, and so are those of which a pass has read a bearer that the search does not
 * show yet. With the reason why that could not be told; null: another record bears a SKU or a GTIN.
 */
export async function listTaken(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<readonly (readonly [ProductPush, ConnectorError | null])[]> {
  const now = ctx.clock.now();
  const due = batch.flatMap((push) => {
    if (push.write.type !== 'create') return [];
    const keys = push.write.variants.flatMap(({ fields }) => searchKeys(fields));
    const isOld = now - (push.subject.searchedAt ?? 0) > READING_FRESH_MS;
    const isDue = keys.length > 0 && (isOld || strangersBearing(ctx, view, side, keys).length > 0);
    return isDue ? [{ push, keys }] : [];
  });
  const taken: (readonly [ProductPush, ConnectorError | null])[] = [];
  for (const chunk of searches(due)) {
    try {
      const { found, asked, unsearched } = await findForAll(ctx, view, side, chunk, signal);
      const there = found.filter(({ trashed }) => !trashed);
      for (const { push, keys } of asked) {
        const own = new Set(keys);
        if (there.some((record) => bears(record, own))) taken.push([push, null]);
      }
      for (const [{ push }, error] of unsearched) {
        const title = push.write.fields.title ?? '';
        tellUnsearched(ctx, view, { productId: push.productId, own: otherSide(side), title }, side, error);
        taken.push([push, error]);
      }
    } catch (error) {
      const failure = asConnectorError(error);
      noteReadError(ctx, view.stores[side], failure);
      for (const { push } of chunk) taken.push([push, failure]);
    }
  }
  return taken;
}
