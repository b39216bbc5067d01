import { findPair } from '../db/readers/pairs.ts';
import { ConnectorError } from '../model/connector-error.ts';
import type { Side } from '../model/platform.ts';
import type { ProductWrite, StockWrite, StockWriteOutcome, WriteOutcome } from '../ports/connector.ts';
import type { EngineContext } from './context.ts';
import type { PairView } from './pair-view.ts';

/**
 * Sends writes by `send`, and gives its answer or throws what it throws. Where the pair's settings say so now, each write has a line in the log: ids, names
 * of fields and how it went, and never what a field holds. What was cancelled before it left was not sent, and has none.
 */
export async function logWrites<W extends ProductWrite | StockWrite, O extends WriteOutcome | StockWriteOutcome>(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  writes: readonly W[],
  send: () => Promise<readonly O[]>,
): Promise<readonly O[]> {
  if (findPair(ctx.db, view.pair.id)?.settings.enableLogging !== true) return send();
  const log = (answerOf: (index: number) => O | ConnectorError | undefined): void => {
    writes.forEach((write, i) => {
      const answer = answerOf(i);
      const error = errorOf(answer);
      if (error?.kind === 'unavailable' && error.details.isCancelled === true) return;
      const outcome = error?.kind ?? wordOf(answer);
      ctx.log.info({ pairId: view.pair.id, side, ...about(write, answer), outcome }, 'a write was sent');
    });
  };
  try {
    const outcomes = await send();
    log((i) => outcomes[i]);
    return outcomes;
  } catch (error) {
    if (error instanceof ConnectorError) log(() => error);
    throw error;
  }
}

type Answer = WriteOutcome | StockWriteOutcome | ConnectorError | undefined;

function errorOf(answer: Answer): ConnectorError | null {
  if (answer === undefined || answer instanceof ConnectorError) return answer ?? null;
  return 'error' in answer ? answer.error : null;
}

function wordOf(answer: Answer): string {
  if (answer === undefined) return 'unknown_outcome';
  return 'outcome' in answer ? answer.outcome : 'applied';
}

function about(write: ProductWrite | StockWrite, answer: Answer): Readonly<Record<string, unknown>> {
  if ('stockId' in write) return { externalId: write.stockId, kind: 'stock', fields: ['stock'] };
  const { fields, variants } = write;
  const names = [
    ...Object.keys(fields),
    ...new Set(variants.flatMap((variant) => Object.keys(variant.fields).map((name) => `variants.${name}`))),
  ];
  if (write.type === 'create') {
    const externalId = answer !== undefined && 'snapshot' in answer ? answer.snapshot.externalId : null;
    return { externalId, productId: write.mark.hubId, kind: 'create', fields: names };
  }
  if (write.newVariants.length > 0) names.push('newVariants');
  if (write.archiveVariants.length > 0) names.push('archiveVariants');
  return { externalId: write.externalId, kind: 'update', fields: names };
}
