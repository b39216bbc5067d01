import { type Tx, transact } from '../../db/database.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { closeProblem, findProblem, noteOnProblem } from '../../db/writers/history.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import type { PairId, StoreId, VariantId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync, enqueueProductSync, enqueueStockSync } from '../enqueue.ts';
import { loadPairView } from '../pair-view.ts';
import { STOCK_LINK_PROBLEMS } from '../problems.ts';
import { askedAgain } from '../products/unanswered.ts';
import { askToRelink } from '../stock/relink-stock.ts';
import { releaseWeights } from '../stores/store-units.ts';
import { WRITES_LIMITED } from '../stores/writes-limited.ts';
import { WRITE_UNANSWERED } from '../unanswered-words.ts';

/**
 * [P2] Tries what failed again now. The problem stays in sight until it is over (`close-problems`); only what nobody but a person can know, that
 * a doubtful stock was counted, or that a shop's weights are right in its new unit, is closed by the asking itself.
 */
export function retryProblem(ctx: EngineContext, problemId: string): void {
  transact(ctx.db, (tx) => {
    const problem = findProblem(tx, problemId);
    if (problem === null || problem.state !== 'open') throw new Refusal('NOT_FOUND', 'There is no such open problem.');
    const at = ctx.clock.now();
    const { pairId, productId, side, subject, code } = problem;
    if (code === 'WEIGHTS_HELD' && pairId !== null) letWeigh(ctx, tx, pairId, subject as StoreId);
    if (code === 'STOCK_DOUBT') closeProblem(tx, problem.id, at);
    // [W8] All that had no answer is tried at once.
    if (code === WRITE_UNANSWERED) noteOnProblem(tx, problem.id, askedAgain(problem.details));
    // [A1] So is what waited for the shop to have room.
    if (code === WRITES_LIMITED) noteOnProblem(tx, problem.id, { ...(problem.details as object), until: at });
    if (problem.storeId !== null && problem.storeId === subject) wakeGroup(tx, problem.storeId, at);
    if (pairId === null) return;
    const isStockLink = (STOCK_LINK_PROBLEMS as readonly string[]).includes(code);
    if (isStockLink && askToRelink(ctx, tx, subject as VariantId)) return;
    if (code === 'JOB_PUT_ASIDE') enqueueFullSync(tx, pairId, at);
    else if (productId !== null) {
      enqueueProductSync(tx, pairId, { ref: { productId }, observe: SIDES }, at);
      if (subject.endsWith(':stock'))
        enqueueStockSync(tx, pairId, { variantId: subject.split(':')[0] as VariantId, observe: SIDES }, at);
    } else if (side !== null && subject.startsWith(`${side}:`)) {
      const externalId = subject.slice(side.length + 1);
      enqueueProductSync(tx, pairId, { ref: { side, externalId }, observe: [side] }, at);
    }
    // Else a connector may answer with what its shop has said up to an hour ago.
    const view = loadPairView(ctx, pairId);
    for (const each of SIDES) view?.connectors[each].askAgain?.();
    wakeGroup(tx, pairId, at);
  });
}

/** [A3] A person has looked: the shop's weights are taken as it shows them. */
function letWeigh(ctx: EngineContext, tx: Tx, pairId: PairId, storeId: StoreId): void {
  const pair = findPair(tx, pairId);
  if (pair === null) return;
  releaseWeights(ctx, tx, storeId, pair);
}
