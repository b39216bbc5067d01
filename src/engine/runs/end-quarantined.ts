import type { Tx } from '../../db/database.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { findPlan, findRun, updatePlan, updateRun } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import type { PlanId, RunId } from '../../model/ids.ts';
import { TASKS } from '../enqueue.ts';
import { enqueueOpenIntents } from '../enqueue-open-intents.ts';

const WORDS = {
  errorCode: 'INTERNAL_ERROR',
  errorMessage: 'A fault in this program stopped it. Nothing was left half-done; it can be started again.',
};

/** A run or plan whose job was put aside for a bug does not stay open for ever: it has failed, and the next one may begin. */
export function endQuarantined(tx: Tx, task: string, payload: unknown, at: number): void {
  if (task === TASKS.planPair) {
    const { planId } = payload as { planId: PlanId };
    if (findPlan(tx, planId)?.status === 'planning') updatePlan(tx, planId, { status: 'failed', ...WORDS });
  }
  if (task !== TASKS.runPair) return;
  const { runId } = payload as { runId: RunId };
  const run = findRun(tx, runId);
  if (run?.status !== 'running') return;
  updateRun(tx, runId, { status: 'failed', finishedAt: at, ...WORDS });
  if (findPair(tx, run.pairId)?.status === 'linking') updatePair(tx, run.pairId, { status: 'setup' });
  enqueueOpenIntents(tx, run.pairId, at);
}
