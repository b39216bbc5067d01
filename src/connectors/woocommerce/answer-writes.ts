import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { WriteOutcome } from '../../ports/connector.ts';
import { partlyDone } from '../shared/partly-done.ts';
import { assembleProduct, isVariable } from './assemble.ts';
import type { WooContext } from './context.ts';
import type { ProductPlan } from './product-plan.ts';
import { readProducts } from './read-products.ts';
import type { StoreFacts } from './store-facts.ts';
import { isAlive, type Progress } from './write-progress.ts';

/** A success carries the record as it is now: simple products from the answer, those with variations by reading them. */
export async function answerWrites(
  context: WooContext,
  all: readonly Progress[],
  facts: StoreFacts,
  signal?: AbortSignal,
): Promise<WriteOutcome[]> {
  const snapshots = new Map<Progress, ProductSnapshot>();
  for (const one of all.filter(isAlive)) {
    if (one.raw === null || isVariable(one.raw)) continue;
    try {
      snapshots.set(one, assembleProduct(one.raw, [], facts));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
  const unread = all.filter((one) => isAlive(one) && !snapshots.has(one));
  try {
    const outcomes = await readProducts(
      context,
      unread.map((one) => one.externalId ?? ''),
      signal,
    );
    unread.forEach((one, index) => {
      const outcome = outcomes[index];
      if (outcome?.ok) snapshots.set(one, outcome.value);
      else one.error = unseen(outcome?.error, one.plan);
    });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const one of unread) one.error = unseen(error, one.plan);
  }
  return all.map((one): WriteOutcome => {
    const snapshot = snapshots.get(one);
    if (one.error) return { ok: false, error: one.isPartlyDone ? partlyDone(one.error) : one.error };
    if (!snapshot) return { ok: false, error: unseen(undefined, one.plan) };
    const newVariantIds =
      one.write.type === 'create' && (one.plan?.variations.length ?? 0) === 0
        ? [snapshot.externalId]
        : one.newVariantIds;
    return { ok: true, snapshot, newVariantIds };
  });
}

/**
 * It was written, but what is there now could not be seen; where nothing was to be written, the reading's own failure
 * is the answer.
 */
function unseen(error: ConnectorError | undefined, plan: ProductPlan | null): ConnectorError {
  const isWritten = plan !== null && (plan.parent !== null || plan.variations.length > 0);
  if (error && !isWritten) return error;
  return new ConnectorError(
    'unknown_outcome',
    `written, but it could not be read back: ${error?.message ?? 'no answer'}`,
    error?.details,
  );
}
