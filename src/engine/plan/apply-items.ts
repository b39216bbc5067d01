import { guardLimit, judgeListing } from '../../core/safety.ts';
import { transact } from '../../db/database.ts';
import { findPair, findStore } from '../../db/readers/pairs.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import type { PlanItemRow, RunRow } from '../../db/schema/run.ts';
import { isProblemOpen } from '../../db/writers/history.ts';
import { findObservation, findScanState, pageObservations } from '../../db/writers/observations.ts';
import { findPlan, pagePlanItems } from '../../db/writers/runs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import type { PlanId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { type PerSide, SIDES } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueuePoll, enqueueProductSync } from '../enqueue.ts';
import { isGuardWaived } from '../guard.ts';
import { loadHub } from '../hub.ts';
import { NAMESAKE } from '../matching/namesakes.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { haltPair } from '../pairs/halt-pair.ts';
import { isUnlevel } from '../products/is-level.ts';
import { makeSubject, type ProductSubject } from '../products/product-subject.ts';
import { syncSubjects } from '../products/sync-products.ts';
import { expectCatalogues } from '../runs/expect-catalogues.ts';
import { handOver } from '../runs/hand-over.ts';
import type { RunProgress } from '../runs/run-progress.ts';
import { linkItem } from './link-item.ts';
import { fingerprintOf } from './plan-item.ts';
import { BY_TITLE } from './plan-record.ts';
import { readCatalogues } from './read-catalogues.ts';
import { halfThatJoins, hasCounterpart, hasNamesakes, isTaken, sidesOf } from './since-planned.ts';
import { tellLeftOut } from './tell-left-out.ts';

const CHUNK = 100;
/** Records linked before others get a turn: a webhook must not wait for a whole chunk. */
const LINKS_PER_TURN = 10;
const VARIANTS_PER_TURN = 100;

export type RunEnd = 'completed' | 'cancelled' | 'halted';

/**
 * Applies a plan: both catalogues are read again, each item is held against what was planned, and what moved since is left out. Records that
 * are level already are linked without a single call; the others are read just before they are written.
 */
export async function applyItems(
  ctx: EngineContext,
  view: PairView,
  run: RunRow,
  planId: PlanId,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<RunEnd> {
  const plan = findPlan(ctx.db, planId);
  if (plan === null) return 'completed';
  await rememberCursors(ctx, view, signal);
  const expected = expectCatalogues(ctx, view, run);
  if (!(await readCatalogues(ctx, view, run.id, signal, () => !progress.isCancelled()))) return 'cancelled';
  for (const side of SIDES) {
    const before = expected[side];
    const now = findScanState(ctx.db, run.id, side).count;
    const reason = judgeListing(before, now);
    if (reason !== null && !isGuardWaived(view, ctx.clock.now(), reason)) {
      const limit = guardLimit(before);
      haltPair(ctx, view.pair.id, { reason, side, count: before - now, limit, at: ctx.clock.now() });
      return 'halted';
    }
  }
  const total = Math.max(
    1,
    plan.counts.linked +
      plan.counts.ambiguous +
      plan.counts.skipped +
      SIDES.reduce(
        (sum, side) => sum + plan.counts[side].create + plan.counts[side].update + plan.counts[side].archive,
        0,
      ),
  );
  let done = 0;
  let cursor = run.cursor;
  for (;;) {
    const items = pagePlanItems(ctx.db, planId, cursor, CHUNK);
    const last = items[items.length - 1];
    if (last === undefined) break;
    if (progress.isCancelled()) return 'cancelled';
    const current = loadPairView(ctx, view.pair.id, run.id);
    const end = endOf(current);
    if (current === null || end !== null) return end ?? 'cancelled';
    const { subjects, count } = await applyChunk(ctx, current, run, items, progress, signal);
    if (findPair(ctx.db, view.pair.id)?.status === 'halted') return 'halted';
    cursor = items[count - 1]?.seq ?? last.seq;
    done += count;
    progress.record(subjects, 'apply', { progress: Math.min(99, Math.round((99 * done) / total)), cursor });
    await ctx.clock.sleep(0);
  }
  progress.countLevel(plan.counts.level);
  await lookAtUnplanned(ctx, view, run.id);
  transact(ctx.db, (tx) => {
    for (const side of SIDES) enqueuePoll(tx, view.stores[side].id, ctx.clock.now());
  });
  return 'completed';
}

/** What the listings showed and the plan did not know, or not as it is, is looked at by itself right after: its shop has told of it before, if at all. */
async function lookAtUnplanned(ctx: EngineContext, view: PairView, scanId: string): Promise<void> {
  const { id } = view.pair;
  for (const side of SIDES) {
    let after = '';
    for (;;) {
      const page = pageObservations(ctx.db, scanId, side, after);
      if (page.length === 0) break;
      transact(ctx.db, (tx) => {
        for (const { externalId } of page) {
          const isTold = isProblemOpen(tx, id, 'AMBIGUOUS_MATCH', `${side}:${externalId}`);
          if (isTold || findProductByExternal(tx, id, side, externalId) !== null) continue;
          const payload = { ref: { side, externalId }, observe: [side] };
          enqueueProductSync(tx, id, payload, ctx.clock.now(), JOB_PRIORITY.scan);
        }
      });
      after = page.at(-1)?.externalId ?? after;
      await ctx.clock.sleep(0);
    }
  }
}

/** Changes from here on are found by the next poll, whatever happens to webhooks meanwhile. */
async function rememberCursors(ctx: EngineContext, view: PairView, signal: AbortSignal): Promise<void> {
  for (const side of SIDES) {
    const store = findStore(ctx.db, view.stores[side].id);
    if (store === null || store.changedCursor !== null) continue;
    const page = await view.connectors[side].listChanged(null, signal);
    transact(ctx.db, (tx) => updateStore(tx, store.id, { changedCursor: page.cursor }));
  }
}

/** A run goes on only while its pair does: a pause ends it between records, a halt fails it. */
export function endOf(view: PairView | null): RunEnd | null {
  if (view === null || view.pair.status === 'paused') return 'cancelled';
  return view.pair.status === 'halted' ? 'halted' : null;
}

async function applyChunk(
  ctx: EngineContext,
  view: PairView,
  run: RunRow,
  items: readonly PlanItemRow[],
  progress: RunProgress,
  signal: AbortSignal,
): Promise<{ readonly subjects: readonly ProductSubject[]; readonly count: number }> {
  const level: ProductSubject[] = [];
  const toSync: ProductSubject[] = [];
  let count = 0;
  let variants = 0;
  let variantsOfTurn = 0;
  for (const item of items) {
    if (variants >= VARIANTS_PER_BATCH) break;
    if (count % LINKS_PER_TURN === 0 || variantsOfTurn >= VARIANTS_PER_TURN) {
      await ctx.clock.sleep(0);
      variantsOfTurn = 0;
    }
    // Halted by the item before: nothing more is linked.
    if (findPair(ctx.db, view.pair.id)?.status === 'halted') break;
    count += 1;
    const snapshots = observed(ctx, run.id, item);
    const own = Math.max(0, ...SIDES.map((side) => snapshots[side]?.variants.length ?? 0));
    variants += own;
    variantsOfTurn += own;
    if (item.action === 'skip' || item.action === 'ambiguous') {
      tellLeftOut(ctx, view, run.id, item, snapshots);
      progress.leaveOut([
        {
          subject: keyOf(item),
          title: item.title,
          action: item.action,
          outcome: 'skipped',
          detail: item.data.reason === BY_TITLE ? NAMESAKE : item.data.reason,
        },
      ]);
      continue;
    }
    if (fingerprintOf(snapshots) !== item.fingerprint) {
      progress.leaveOut([
        {
          subject: keyOf(item),
          title: item.title,
          action: item.action,
          outcome: 'moved',
          detail: 'It was changed after the plan was made.',
        },
      ]);
      continue;
    }
    if (
      item.action === 'create' &&
      (hasCounterpart(ctx, view, run.id, snapshots) || hasNamesakes(ctx, view, run.id, item.title, snapshots))
    ) {
      progress.leaveOut([
        {
          subject: keyOf(item),
          title: item.title,
          action: item.action,
          outcome: 'moved',
          detail: 'A counterpart has appeared since the plan was made.',
        },
      ]);
      continue;
    }
    if (item.action === 'link' || item.action === 'create') {
      if (isTaken(ctx, view, snapshots)) {
        progress.leaveOut([
          {
            subject: keyOf(item),
            title: item.title,
            action: item.action,
            outcome: 'moved',
            detail: 'One of the two was linked with another record since the plan was made.',
          },
        ]);
        continue;
      }
      const half = halfThatJoins(ctx, view, snapshots);
      if (half !== null) {
        toSync.push(makeSubject(ctx, view, half, [half.side], null));
        continue;
      }
      const subject = linkItem(ctx, view, item, snapshots);
      if (subject === null) continue;
      const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
      const needsWork = hub !== null && isUnlevel(view, hub);
      if (!needsWork) level.push(subject);
      else if (subject.productId !== null)
        toSync.push(makeSubject(ctx, view, { productId: subject.productId }, sidesOf(snapshots), null));
    } else if (item.productId !== null) {
      toSync.push(makeSubject(ctx, view, { productId: item.productId }, SIDES, null));
    }
  }
  for (const subject of toSync) subject.isListed = true;
  if (toSync.length > 0) {
    await syncSubjects(ctx, view, toSync, signal);
    // Asked to end: what was left undone is no result. The run goes on here, with the next process or the next try.
    signal.throwIfAborted();
    handOver(ctx, view, toSync);
  }
  return { subjects: [...level, ...toSync], count };
}

function observed(ctx: EngineContext, scanId: string, item: PlanItemRow): Partial<PerSide<ProductSnapshot>> {
  const snapshots: Partial<PerSide<ProductSnapshot>> = {};
  const ids: PerSide<string | null> = { woocommerce: item.woocommerceId, shopify: item.shopifyId };
  for (const side of SIDES) {
    const externalId = ids[side];
    const snapshot = externalId === null ? null : findObservation(ctx.db, scanId, side, externalId);
    if (snapshot !== null) snapshots[side] = snapshot;
  }
  return snapshots;
}

function keyOf(item: PlanItemRow): string {
  return (
    item.productId ?? (item.woocommerceId !== null ? `woocommerce:${item.woocommerceId}` : `shopify:${item.shopifyId}`)
  );
}
