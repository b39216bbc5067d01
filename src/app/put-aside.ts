import type { Tx } from '../db/database.ts';
import { findPair } from '../db/readers/pairs.ts';
import { recordEvent } from '../db/writers/events.ts';
import { raiseProblem } from '../db/writers/history.ts';
import { findPlan, findRun } from '../db/writers/runs.ts';
import type { EngineContext } from '../engine/context.ts';
import { TASKS } from '../engine/enqueue.ts';
import { endQuarantined } from '../engine/runs/end-quarantined.ts';
import type { Quarantined } from '../jobs/runner.ts';
import { ID_PREFIX, type PairId, type PlanId, type ProblemId, type RunId } from '../model/ids.ts';

const WORDS = {
  code: 'JOB_PUT_ASIDE',
  level: 'error',
  message:
    'A piece of work failed again and again because of a fault in this program, and was put aside. Nothing else is held up by it.',
  remedy: 'The next full sync looks at it again. If it comes back, report it with the log of this time.',
} as const;

/** A job that a bug of ours stopped: the run or plan that it was has failed, and a person finds a problem. Both are told like any other. */
export function putAside(ctx: EngineContext, tx: Tx, { task, groupKey, job, error }: Quarantined): void {
  const at = ctx.clock.now();
  const failure = { run: openRun(tx, task, job.payload), plan: openPlan(tx, task, job.payload) };
  endQuarantined(tx, task, job.payload, at);
  const pair = findPair(tx, groupKey as PairId);
  if (pair === null) return;
  const of = { workspaceId: pair.workspaceId, pairId: pair.id };
  const run = failure.run === null ? null : findRun(tx, failure.run);
  const plan = failure.plan === null ? null : findPlan(tx, failure.plan);
  if (run !== null) {
    const reason = { code: run.errorCode, message: run.errorMessage };
    recordEvent(tx, { ...of, type: 'run_failed', payload: { runId: run.id, stats: run.stats, error: reason }, at });
  }
  if (plan !== null) {
    const { id: planId, errorCode, errorMessage } = plan;
    recordEvent(tx, { ...of, type: 'plan_failed', payload: { planId, errorCode, errorMessage }, at });
  }
  const about = { productId: null, side: null, subject: job.key };
  const details = { task, error: error instanceof Error ? error.name : 'error' };
  const row = { ...of, storeId: null, ...about, ...WORDS, details };
  if (raiseProblem(tx, ctx.random.id(ID_PREFIX.problem) as ProblemId, row, at))
    recordEvent(tx, { ...of, type: 'problem', payload: { ...WORDS, ...about }, at });
}

function openRun(tx: Tx, task: string, payload: unknown): RunId | null {
  if (task !== TASKS.runPair) return null;
  const { runId } = payload as { readonly runId: RunId };
  return findRun(tx, runId)?.status === 'running' ? runId : null;
}

function openPlan(tx: Tx, task: string, payload: unknown): PlanId | null {
  if (task !== TASKS.planPair) return null;
  const { planId } = payload as { readonly planId: PlanId };
  return findPlan(tx, planId)?.status === 'planning' ? planId : null;
}
