import type { ProductId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { observeProducts, proveGone } from './observe-products.ts';
import type { PairView } from './pair-view.ts';
import { makeSubject, type ProductSubject } from './product-subject.ts';

/** More of them are no replacement, but a catalogue in disorder: that is a person's. */
const RIVALS_MAX = 10;

/**
 * [M1] A record that bears the key of a known one is its rival, unless that one is gone for good and nobody told: then it was made again, as a person or
 * an import does. Which of the known ones are gone, by the proof that a delete needs [G7]. Sets an outcome where the store did not say.
 */
export async function findGoneRivals(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  rivals: readonly ProductId[],
  signal: AbortSignal,
): Promise<ReadonlySet<ProductId>> {
  if (rivals.length > RIVALS_MAX) return new Set();
  const looks = rivals.map((productId) => makeSubject(ctx, view, { productId }, [side], null));
  await observeProducts(ctx, view, looks, signal);
  await proveGone(ctx, view, looks, signal);
  const unsaid = looks.find(({ outcome }) => outcome !== null);
  if (unsaid !== undefined) subject.outcome ??= unsaid.outcome;
  return new Set(looks.flatMap(({ productId, gone }) => (productId !== null && gone.has(side) ? [productId] : [])));
}
