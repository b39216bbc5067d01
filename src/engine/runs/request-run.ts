import type { Tx } from '../../db/database.ts';
import { transact } from '../../db/database.ts';
import { findPair, isPairHeld } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../../db/schema/run.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { enqueueJob, wakeJobs } from '../../db/writers/jobs.ts';
import {
  findOpenRun,
  findPlan,
  findRun,
  insertRun,
  listOpenPlans,
  updatePlan,
  updateRun,
} from '../../db/writers/runs.ts';
import { setBackMarks } from '../../db/writers/scan-marks.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { stableJson } from '../../lib/stable-json.ts';
import type { PairId, PlanId, RunId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { Refusal } from '../../model/refusal.ts';
import { EMPTY_RUN_STATS, type RunTrigger, runArea } from '../../model/run.ts';
import type { EngineContext } from '../context.ts';
import { enqueueFullSync, TASKS } from '../enqueue.ts';

/** Asks for a full sync of a linked pair. A run that is open already is that run; one that is being cancelled is none, and has to end first. */
export function requestRun(
  ctx: EngineContext,
  request: { readonly pairId: PairId; readonly trigger: RunTrigger },
): RunRow {
  return transact(ctx.db, (tx) => {
    const pair = findPair(tx, request.pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    if (pair.status === 'setup')
      throw new Refusal('PAIR_NOT_LINKED', 'This pair was never linked. Make a plan and apply it first.');
    if (pair.status === 'halted')
      throw new Refusal('PAIR_HALTED', 'This pair was halted for safety. Look at the reason, then resume it.', {
        halt: pair.halt,
      });
    if (pair.status === 'paused') throw new Refusal('PAIR_PAUSED', 'This pair is paused. Resume it first.');
    const open = findOpenRun(tx, pair.id);
    if (open?.isCancelRequested)
      throw new Refusal('PAIR_BUSY', 'The sync before is still being cancelled. Ask again in a moment.', {
        runId: open.id,
      });
    return open ?? openRun(ctx, tx, pair, request.trigger, null);
  });
}

/** [A2] The same by the clock: while a store does not let us in, or a run is being cancelled, nothing is begun, and it is made up for afterwards. */
export function requestScheduled(
  ctx: EngineContext,
  request: { readonly pairId: PairId; readonly trigger: RunTrigger },
): void {
  const { pairId } = request;
  const isHeld = findPair(ctx.db, pairId)?.status === 'active' && isPairHeld(ctx.db, pairId);
  if (isHeld || findOpenRun(ctx.db, pairId)?.isCancelRequested)
    transact(ctx.db, (tx) => enqueueFullSync(tx, pairId, ctx.clock.now()));
  else requestRun(ctx, request);
}

/** Applies exactly the plan that was shown: its hash must be the one that the person saw. What moved since is left out and listed. */
export function applyPlan(ctx: EngineContext, planId: PlanId, hash: string): RunRow {
  return transact(ctx.db, (tx) => {
    const plan = findPlan(tx, planId);
    if (plan === null) throw new Refusal('NOT_FOUND', 'There is no such plan.');
    const pair = findPair(tx, plan.pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', "The plan's pair does not exist any more.");
    checkPlan(plan, hash);
    if (stableJson(plan.settings) !== stableJson(pair.settings)) {
      throw new Refusal(
        'PLAN_SETTINGS_CHANGED',
        'The pair settings were changed after this plan was made. Make a new one.',
      );
    }
    if (pair.status === 'halted')
      throw new Refusal('PAIR_HALTED', 'This pair was halted for safety. Look at the reason, then resume it.', {
        halt: pair.halt,
      });
    if (pair.status === 'linking') throw new Refusal('PAIR_BUSY', 'A plan of this pair is being applied.');
    if (pair.status === 'paused') throw new Refusal('PAIR_PAUSED', 'This pair is paused. Resume it first.');
    const open = findOpenRun(tx, pair.id);
    if (open !== null)
      throw new Refusal('PAIR_BUSY', 'A sync of this pair is running. Wait for it, or cancel it.', { runId: open.id });
    for (const other of listOpenPlans(tx, pair.id))
      if (other.id !== planId) updatePlan(tx, other.id, { status: 'discarded' });
    updatePlan(tx, planId, { status: 'applied' });
    // Signals of a pair that is being linked wait: half a link must not create what the other half is about to link.
    if (pair.status === 'setup') updatePair(tx, pair.id, { status: 'linking' });
    return openRun(ctx, tx, pair, pair.linkedAt === null ? 'initial' : 'manual', planId);
  });
}

function checkPlan(plan: PlanRow, hash: string): void {
  if (plan.status === 'planning') throw new Refusal('PLAN_NOT_READY', 'The plan is still being made.');
  if (plan.status !== 'ready' && plan.status !== 'nothing_to_do')
    throw new Refusal('PLAN_NOT_READY', `This plan is ${plan.status}. Make a new one.`, { status: plan.status });
  if (plan.hash !== hash)
    throw new Refusal('PLAN_HASH_MISMATCH', 'This is not the plan that you saw. Look at it again, then apply it.', {
      hash: plan.hash,
    });
}

/** A running sync stops between records and says so; one that waits for a store, at once. */
export function cancelRun(ctx: EngineContext, runId: RunId): RunRow {
  return transact(ctx.db, (tx) => {
    const run = findRun(tx, runId);
    if (run === null) throw new Refusal('NOT_FOUND', 'There is no such run.');
    if (run.status !== 'running')
      throw new Refusal('RUN_NOT_RUNNING', `This run is ${run.status}.`, { status: run.status });
    updateRun(tx, runId, { isCancelRequested: true });
    wakeJobs(tx, [runJob(runId)], ctx.clock.now());
    return { ...run, isCancelRequested: true };
  });
}

function runJob(id: RunId): string {
  return `run:${id}`;
}

function openRun(ctx: EngineContext, tx: Tx, pair: PairRow, trigger: RunTrigger, planId: PlanId | null): RunRow {
  const at = ctx.clock.now();
  const row: RunRow = {
    id: ctx.random.id('run_') as RunId,
    workspaceId: pair.workspaceId,
    pairId: pair.id,
    planId,
    trigger,
    direction: pair.settings.syncDirection,
    area: runArea(pair.settings),
    status: 'running',
    progress: 0,
    stats: EMPTY_RUN_STATS,
    errorCode: null,
    errorMessage: null,
    cursor: 0,
    scanNumber: pair.scanNumber + 1,
    isCancelRequested: false,
    startedAt: at,
    finishedAt: null,
  };
  setBackMarks(tx, pair.id, pair.scanNumber);
  insertRun(tx, row);
  enqueueJob(tx, {
    key: runJob(row.id),
    task: TASKS.runPair,
    groupKey: pair.id,
    payload: { runId: row.id },
    priority: JOB_PRIORITY.request,
    runAt: at,
  });
  recordEvent(tx, {
    workspaceId: pair.workspaceId,
    pairId: pair.id,
    type: 'run_started',
    payload: { runId: row.id, trigger },
    at,
  });
  return row;
}
