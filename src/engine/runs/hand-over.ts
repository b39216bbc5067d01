import { transact } from '../../db/database.ts';
import { SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';

/** What a run could not bring to an end (a lock, a fence, a store that did not answer) becomes a job of its own. */
export function handOver(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  const waiting = subjects.filter((subject) => subject.outcome?.type === 'snooze' || subject.outcome?.type === 'retry');
  if (waiting.length === 0) return;
  transact(ctx.db, (tx) => {
    for (const subject of waiting) {
      const wait = subject.outcome?.type === 'snooze' ? subject.outcome.ms : 1_000;
      const observe = subject.observe.size > 0 ? [...subject.observe] : SIDES;
      const ref = subject.unknown ?? (subject.productId === null ? null : { productId: subject.productId });
      if (ref !== null) enqueueProductSync(tx, view.pair.id, { ref, observe }, ctx.clock.now() + wait);
    }
  });
}
