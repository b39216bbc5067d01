import { skuKey } from '../lib/record-keys.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { SEARCH_MAX, searches } from './look-before-create.ts';
import { asConnectorError } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import type { ProductPush } from './push-products.ts';
import { noteReadError } from './store-state.ts';
import { findBearers, skusOf, strangersBearing } from './strangers.ts';
import { READING_FRESH_MS } from './write-window.ts';

/**
 * [M1][W1] Creates of a batch that may not leave: a pass over many products searches for minutes, and meanwhile somebody has typed in what was found
 * nowhere. Those whose search has grown old are searched for once more, and so are those of which a pass has read a bearer that the search does not
 * show yet. With the reason why that could not be told; null: another record bears a SKU.
 */
export async function listTaken(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  batch: readonly ProductPush[],
  signal: AbortSignal,
): Promise<readonly (readonly [ProductPush, ConnectorError | null])[]> {
  // A first link has just listed both sides.
  if (view.pair.status !== 'active') return [];
  const now = ctx.clock.now();
  const due = batch.flatMap((push) => {
    if (push.write.type !== 'create') return [];
    const skus = push.write.variants.map(({ fields }) => fields.sku.trim()).filter((sku) => sku !== '');
    const isOld = now - (push.subject.searchedAt ?? 0) > READING_FRESH_MS;
    const isDue = skus.length > 0 && (isOld || strangersBearing(ctx, view, side, skus).length > 0);
    return isDue ? [{ push, skus: skus.slice(0, SEARCH_MAX) }] : [];
  });
  const taken: (readonly [ProductPush, ConnectorError | null])[] = [];
  for (const chunk of searches(due)) {
    try {
      const found = await findBearers(ctx, view, side, [...new Set(chunk.flatMap(({ skus }) => skus))], null, signal);
      const held = new Set(
        found
          .filter(({ trashed }) => !trashed)
          .flatMap(skusOf)
          .map(skuKey),
      );
      for (const { push, skus } of chunk) if (skus.some((sku) => held.has(skuKey(sku)))) taken.push([push, null]);
    } catch (error) {
      const failure = asConnectorError(error);
      noteReadError(ctx, view.stores[side], failure);
      for (const { push } of chunk) taken.push([push, failure]);
    }
  }
  return taken;
}
