import { transact } from '../db/database.ts';
import { closeProblem, findProblem } from '../db/writers/history.ts';
import { wakeGroup } from '../db/writers/jobs.ts';
import type { VariantId } from '../model/ids.ts';
import { SIDES } from '../model/platform.ts';
import { Refusal } from '../model/refusal.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { askToRelink, STOCK_LINK_PROBLEMS } from './relink-stock.ts';

/** Tries a failed record again now; if the trouble is still there, it is raised again. */
export function retryProblem(ctx: EngineContext, problemId: string): void {
  transact(ctx.db, (tx) => {
    const problem = findProblem(tx, problemId);
    if (problem === null || problem.state !== 'open') throw new Refusal('NOT_FOUND', 'There is no such open problem.');
    const at = ctx.clock.now();
    closeProblem(tx, problem.id, at);
    if (problem.pairId === null) return;
    const isStockLink = (STOCK_LINK_PROBLEMS as readonly string[]).includes(problem.code);
    if (isStockLink && askToRelink(ctx, tx, problem.subject as VariantId)) return;
    if (problem.productId !== null) {
      enqueueProductSync(tx, problem.pairId, { ref: { productId: problem.productId }, observe: SIDES }, at);
    } else if (problem.side !== null && problem.subject.startsWith(`${problem.side}:`)) {
      const externalId = problem.subject.slice(problem.side.length + 1);
      enqueueProductSync(tx, problem.pairId, { ref: { side: problem.side, externalId }, observe: [problem.side] }, at);
    }
    wakeGroup(tx, problem.pairId, at);
  });
}
