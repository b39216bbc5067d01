import { type Tx, transact } from '../db/database.ts';
import { deleteProductBinding, updateProductBinding } from '../db/writers/products.ts';
import { chunks } from '../lib/chunks.ts';
import { ConnectorError } from '../model/connector-error.ts';
import type { ProductIntent } from '../model/hub.ts';
import type { ProductId } from '../model/ids.ts';
import { SIDES, type Side } from '../model/platform.ts';
import type { ProductWrite, WriteOutcome } from '../ports/connector.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { fenceOfLostAnswer } from './fence.ts';
import { loadHub } from './hub.ts';
import { asConnectorError, outcomeOfError } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import { raise, rejectedWords } from './problems.ts';
import type { ProductSubject } from './product-subject.ts';
import { noteStoreError } from './store-state.ts';
import { storeWritten } from './store-written.ts';

/** One product write whose intent is stored. */
export interface ProductPush {
  readonly subject: ProductSubject;
  readonly productId: ProductId;
  readonly side: Side;
  readonly intent: ProductIntent;
  readonly write: ProductWrite;
}

/** Sends writes whose intents are stored, both platforms at once and in batches; each answer is settled in its own transaction. */
export async function pushProducts(
  ctx: EngineContext,
  view: PairView,
  pushes: readonly ProductPush[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    SIDES.map(async (side) => {
      const connector = view.connectors[side];
      for (const chunk of chunks(
        pushes.filter((push) => push.side === side),
        connector.capabilities.writeBatchMax,
      )) {
        let outcomes: readonly WriteOutcome[];
        try {
          outcomes = await connector.writeProducts(
            chunk.map((push) => push.write),
            signal,
          );
        } catch (error) {
          const failure = asConnectorError(error);
          noteStoreError(ctx, view.stores[side].id, failure);
          outcomes = chunk.map(() => ({ ok: false, error: failure }));
        }
        chunk.forEach((push, i) => {
          const outcome = outcomes[i] ?? {
            ok: false as const,
            error: new ConnectorError('unknown_outcome', 'the platform left an answer out'),
          };
          transact(ctx.db, (tx) => {
            if (outcome.ok) storeWritten(ctx, tx, view, push, outcome.snapshot, outcome.newVariantIds);
            else storeRefused(ctx, tx, view, push, outcome.error);
          });
        });
      }
    }),
  );
}

function storeRefused(ctx: EngineContext, tx: Tx, view: PairView, push: ProductPush, error: ConnectorError): void {
  const { subject, productId, side } = push;
  subject.result = 'failed';
  subject.detail = error.message;
  if (error.kind === 'unknown_outcome' || error.kind === 'malformed') {
    // It may have happened, or may yet: the intent stays, and the job comes back when it can be told.
    const now = ctx.clock.now();
    const fencedUntil = fenceOfLostAnswer(now, view.connectors[side].capabilities);
    updateProductBinding(tx, productId, side, { fencedUntil });
    subject.outcome = { type: 'snooze', ms: fencedUntil - now + 1 };
    return;
  }
  if (push.intent.type === 'create') deleteProductBinding(tx, productId, side);
  else updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
  const title = loadHub(tx, productId)?.row.title ?? '';
  if (error.kind === 'rejected')
    raise(ctx, tx, view, { productId, side, subject: `${productId}:${side}` }, rejectedWords(side, title, error), {
      ...error.details,
    });
  if (error.kind === 'not_found')
    enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, ctx.clock.now());
  subject.outcome ??= outcomeOfError(error);
}
