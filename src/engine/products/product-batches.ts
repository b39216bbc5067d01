import { countVariants } from '../../db/readers/products.ts';
import { batches } from '../../lib/batches.ts';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import type { ProductId } from '../../model/ids.ts';
import type { EngineContext } from '../context.ts';

const PRODUCTS_PER_BATCH = 100;
/** What a record that was never read is taken to have. */
const UNKNOWN_VARIANTS = 50;

/**
 * Work on products (null: on a record that is not known yet) in batches that one pass can hold in memory and store in one transaction: both grow with
 * variants, not with products.
 */
export function productBatches<T>(
  ctx: EngineContext,
  list: readonly T[],
  productIdOf: (entry: T) => ProductId | null,
): readonly (readonly T[])[] {
  const weigh = (entry: T): number => {
    const id = productIdOf(entry);
    return id === null ? UNKNOWN_VARIANTS : countVariants(ctx.db, id);
  };
  return batches(list, weigh, { countMax: PRODUCTS_PER_BATCH, weightMax: VARIANTS_PER_BATCH });
}
