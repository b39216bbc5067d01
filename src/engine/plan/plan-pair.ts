import { judgeListing } from '../../core/safety.ts';
import { transact } from '../../db/database.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { countListed } from '../../db/readers/products.ts';
import type { PlanRow } from '../../db/schema/run.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import {
  clearMatched,
  countObservations,
  findScanState,
  pageObservations,
  setMatched,
} from '../../db/writers/observations.ts';
import {
  findPlan,
  insertPlan,
  insertPlanItem,
  listOpenPlans,
  prunePlanItems,
  updatePlan,
} from '../../db/writers/runs.ts';
import { fingerprint } from '../../lib/hash.ts';
import { stableJson } from '../../lib/stable-json.ts';
import type { PairId, PlanId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import { type PerSide, PLATFORM_NAME, SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { TASKS } from '../enqueue.ts';
import { isGuardWaived } from '../guard.ts';
import { asConnectorError, DONE, outcomeOfError } from '../outcome.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { anotherTry } from '../runs/another-try.ts';
import { failureCode } from '../runs/listing-failed.ts';
import { pinLocation } from '../stores/pin-location.ts';
import { hasNewKeys } from '../stores/store-state.ts';
import { Bins } from './bins.ts';
import { forgetPlan, forgetPortion } from './forget-plan.ts';
import { planRecord } from './plan-record.ts';
import { PlanTally } from './plan-tally.ts';
import { readCatalogues } from './read-catalogues.ts';

const ITEMS_PER_TRANSACTION = 2000;

/**
 * Asks for a plan. A pair has one open plan: one that is being made is that plan, whoever asked for it first, as long as the settings are what it is made
 * by; an older one that was not applied is discarded.
 */
export function requestPlan(ctx: EngineContext, pairId: PairId): PlanRow {
  return transact(ctx.db, (tx) => {
    const known = findPair(tx, pairId);
    if (known === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    if (known.status === 'linking') throw new Refusal('PAIR_BUSY', 'A plan of this pair is being applied.');
    const pair = pinLocation(tx, known);
    const open = listOpenPlans(tx, pairId);
    const settings = stableJson(pair.settings);
    const inTheMaking = open.find((plan) => plan.status === 'planning' && stableJson(plan.settings) === settings);
    if (inTheMaking !== undefined) return inTheMaking;
    for (const { id } of open) discard(tx, id);
    const row: PlanRow = {
      id: ctx.random.id('plan_') as PlanId,
      workspaceId: pair.workspaceId,
      pairId,
      status: 'planning',
      settings: pair.settings,
      hash: null,
      counts: new PlanTally().counts(),
      progress: 0,
      errorCode: null,
      errorMessage: null,
      createdAt: ctx.clock.now(),
      readyAt: null,
    };
    insertPlan(tx, row);
    enqueueJob(tx, {
      key: `plan:${row.id}`,
      task: TASKS.planPair,
      groupKey: pairId,
      payload: { planId: row.id },
      priority: JOB_PRIORITY.request,
      runAt: row.createdAt,
    });
    return row;
  });
}

/** Throws a Refusal: NOT_FOUND, and PLAN_NOT_READY for one that is being carried out, in another browser perhaps. */
export function discardPlan(ctx: EngineContext, planId: PlanId): void {
  transact(ctx.db, (tx) => {
    const plan = findPlan(tx, planId);
    if (plan === null) throw new Refusal('NOT_FOUND', 'There is no such plan.');
    const { status } = plan;
    if (status === 'applied')
      throw new Refusal('PLAN_NOT_READY', 'This plan was applied already. Cancel its run to stop it.', { status });
    discard(tx, planId);
  });
}

function discard(tx: Parameters<Parameters<typeof transact>[1]>[0], id: PlanId): void {
  updatePlan(tx, id, { status: 'discarded' });
  forgetPortion(tx, id, 'discarded');
}

/** The job: reads both catalogues and plans every record, with the planner of the live path. Nothing is written anywhere. */
export async function planPair(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { planId } = job.payload as { planId: PlanId };
  const plan = findPlan(ctx.db, planId);
  const view = plan === null ? null : loadPairView(ctx, plan.pairId);
  if (plan === null || view === null || plan.status !== 'planning') {
    if (plan !== null) await forgetPlan(ctx, planId, plan.status);
    return { type: 'cancel', reason: 'the plan is not wanted any more' };
  }
  const mark = () => stableJson(SIDES.map((side) => findScanState(ctx.db, planId, side)));
  const before = mark();
  try {
    await readCatalogues(ctx, view, planId, signal, (read) => announce(ctx, view, planId, read));
  } catch (error) {
    // A call that was cut off because we were asked to end says nothing about the store, and costs no try.
    signal.throwIfAborted();
    const failure = asConnectorError(error);
    const outcome = outcomeOfError(failure);
    if (failure.kind === 'rate_limited') return outcome;
    if (failure.kind === 'unauthorized' && SIDES.some((side) => hasNewKeys(ctx, view.stores[side])))
      return { type: 'snooze', ms: 0 };
    const again = anotherTry(ctx, view, job, outcome, mark() !== before);
    if (again !== null) return again;
    await fail(ctx, view, planId, failureCode(ctx, view, failure), failure.message);
    return { type: 'cancel', reason: failure.message };
  }
  if (findPlan(ctx.db, planId)?.status !== 'planning') {
    await forgetPlan(ctx, planId, 'discarded');
    return { type: 'cancel', reason: 'the plan was discarded' };
  }
  for (const side of SIDES) {
    const reason = judgeListing(
      countListed(ctx.db, view.pair.id, side, view.pair.scanNumber),
      countObservations(ctx.db, planId, side),
    );
    if (reason === null || isGuardWaived(view, ctx.clock.now(), reason)) continue;
    const count = countObservations(ctx.db, planId, side);
    await fail(
      ctx,
      view,
      planId,
      reason.toUpperCase(),
      `${PLATFORM_NAME[side]} listed only ${count} products, many fewer than are linked. Nothing was planned from that.`,
    );
    return { type: 'cancel', reason };
  }
  await planItems(ctx, view, planId, signal);
  return DONE;
}

/** Returns whether the plan is still wanted. */
function announce(ctx: EngineContext, view: PairView, planId: PlanId, read: PerSide<number>): boolean {
  const expected = SIDES.reduce((sum, side) => sum + (view.stores[side].info?.productCount ?? 0), 0);
  const progress = expected === 0 ? 50 : Math.min(90, Math.round((90 * (read.woocommerce + read.shopify)) / expected));
  return transact(ctx.db, (tx) => {
    if (findPlan(tx, planId)?.status !== 'planning') return false;
    updatePlan(tx, planId, { progress, counts: { ...new PlanTally().counts(), read: { ...read } } });
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: view.pair.id,
      type: 'plan_progress',
      payload: { planId, progress, read: { ...read } },
      at: ctx.clock.now(),
    });
    return true;
  });
}

async function fail(
  ctx: EngineContext,
  view: PairView,
  planId: PlanId,
  errorCode: string,
  errorMessage: string,
): Promise<void> {
  const isMore = transact(ctx.db, (tx) => {
    // One that was discarded meanwhile has not failed, and nobody waits for its end.
    if (findPlan(tx, planId)?.status === 'planning') {
      updatePlan(tx, planId, { status: 'failed', errorCode, errorMessage });
      recordEvent(tx, {
        workspaceId: view.pair.workspaceId,
        pairId: view.pair.id,
        type: 'plan_failed',
        payload: { planId, errorCode, errorMessage },
        at: ctx.clock.now(),
      });
    }
    return forgetPortion(tx, planId, 'failed');
  });
  if (isMore) await forgetPlan(ctx, planId, 'failed');
}

/** Matching and planning, a page of records a transaction; other work runs in between. */
async function planItems(ctx: EngineContext, view: PairView, planId: PlanId, signal: AbortSignal): Promise<void> {
  const tally = new PlanTally();
  const bins = new Bins(ctx, view);
  let hash = fingerprint([]);
  let seq = 0;
  // What a pass that was cut off has left behind.
  while (dropItems(ctx, planId)) await ctx.clock.sleep(0);
  for (const side of SIDES) {
    let after = '';
    for (;;) {
      const page = pageObservations(ctx.db, planId, side, after);
      if (page.length === 0) break;
      const found = transact(ctx.db, (tx) =>
        page.flatMap(({ isMatched, snapshot }) => {
          if (isMatched && side === 'shopify') return [];
          return planRecord(ctx, view, planId, side, snapshot, (other, id) => setMatched(tx, planId, other, id)) ?? [];
        }),
      );
      const items = await bins.leaveOut(found, signal);
      transact(ctx.db, (tx) => {
        for (const item of items) {
          const own = item.snapshots[side];
          tally.add(item);
          seq += 1;
          hash = fingerprint([hash, item.action, item.fingerprint, item.data.side, item.data.fields]);
          if (item.action === 'none') continue;
          insertPlanItem(tx, {
            planId,
            seq,
            action: item.action,
            productId: item.productId,
            woocommerceId: item.snapshots.woocommerce?.externalId ?? null,
            shopifyId: item.snapshots.shopify?.externalId ?? null,
            title: own?.fields.title ?? '',
            sku: own?.variants[0]?.fields.sku ?? '',
            fingerprint: item.fingerprint,
            data: item.data,
          });
        }
      });
      after = page[page.length - 1]?.externalId ?? after;
      await ctx.clock.sleep(0);
    }
  }
  const at = ctx.clock.now();
  const counts = {
    ...tally.counts(),
    read: {
      woocommerce: countObservations(ctx.db, planId, 'woocommerce'),
      shopify: countObservations(ctx.db, planId, 'shopify'),
    },
  };
  const status = tally.isQuiet() ? 'nothing_to_do' : 'ready';
  const end = transact(ctx.db, (tx) => {
    if (findPlan(tx, planId)?.status !== 'planning') return forgetPortion(tx, planId, 'discarded') ? 'discarded' : null;
    updatePlan(tx, planId, { status, hash, counts, progress: 100, readyAt: at });
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: view.pair.id,
      type: 'plan_ready',
      payload: { planId, status },
      at,
    });
    return forgetPortion(tx, planId, status) ? status : null;
  });
  if (end !== null) await forgetPlan(ctx, planId, end);
}

/** Returns whether more may be left. */
function dropItems(ctx: EngineContext, planId: PlanId): boolean {
  return transact(ctx.db, (tx) => {
    const items = prunePlanItems(tx, planId, ITEMS_PER_TRANSACTION);
    return items + clearMatched(tx, planId, ITEMS_PER_TRANSACTION - items) === ITEMS_PER_TRANSACTION;
  });
}
