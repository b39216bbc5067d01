import { mayFollow } from '../../core/direction.ts';
import { transact } from '../../db/database.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { chunks } from '../../lib/chunks.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { otherSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { raise, WORDS } from '../problems.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { noteReadError } from '../stores/store-state.ts';
import { hasNamesake } from './namesakes.ts';

/** What was met so short a time ago, ms, was never made anywhere: the first create of it that is not answered is waited for longer than that. */
const NEW_MS = MINUTE_MS;

/** Looked up at once, where each is a request of its own. */
const TOGETHER_MAX = 10;

/**
 * [M1] Whether a create on this side may not leave before it is known that nothing bears its mark there: the platform would write over it. What was made
 * once may have been exported and imported again with all that was noted on it, or be of a time that is not in this database (a backup was put back).
 */
export function mayBearMark(ctx: EngineContext, view: PairView, hub: HubState, side: Side): boolean {
  const age = ctx.clock.now() - hub.row.createdAt;
  return view.connectors[side].capabilities.makesByMark && !(age >= 0 && age < NEW_MS);
}

/** [M1] Looks for what bears the marks of those whose create on a side may be planned by this pass. */
export async function lookForMark(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  for (const side of SIDES) {
    const { settings } = view;
    if (!settings.syncProducts || !settings.createOn[side] || !mayFollow(side, settings)) continue;
    // What waits for something else is not asked for by each full look: there may be thousands of such, and each is a request of its own.
    if (otherPrices(view) !== null) continue;
    const due = subjects.flatMap((subject) => {
      if (subject.outcome !== null || subject.productId === null || subject.awaited === side) return [];
      const source = subject.snapshots[otherSide(side)];
      if (source === undefined || source.withheld !== undefined || subject.snapshots[side] !== undefined) return [];
      const hub = loadHub(ctx.db, subject.productId);
      if (hub === null || hub.row.state !== 'live' || hub.bindings[side] !== undefined) return [];
      if (!mayBearMark(ctx, view, hub, side) || subject.unmarked.has(side)) return [];
      return hasNamesake(ctx.db, hub.row, side) ? [] : [{ subject, hub }];
    });
    for (const chunk of chunks(due, TOGETHER_MAX))
      await Promise.all(chunk.map(({ subject, hub }) => look(ctx, view, side, subject, hub, signal)));
  }
}

async function look(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  subject: ProductSubject,
  hub: HubState,
  signal: AbortSignal,
): Promise<void> {
  const mark = { pairId: view.pair.id, hubId: hub.row.id };
  let found: ProductSnapshot | null;
  try {
    found = await view.connectors[side].findByMark(mark, hub.row.createdAt, signal);
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    subject.outcome ??= outcomeOfRead(failure);
    return;
  }
  if (found === null) subject.unmarked.add(side);
  else leaveToBearer(ctx, view, side, subject, hub, found);
}

/** Nothing is made there. Who bears the mark and is not known yet is met as what it is by that; who is known as another is for a person to tell. */
function leaveToBearer(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  subject: ProductSubject,
  hub: HubState,
  { externalId, fields: { title } }: ProductSnapshot,
): void {
  subject.awaited = side;
  subject.result = 'skipped';
  subject.detail = `"${title}" in ${PLATFORM_NAME[side]} bears its mark`;
  transact(ctx.db, (tx) => {
    const owner = findProductByExternal(tx, view.pair.id, side, externalId);
    const about = { productId: hub.row.id, side, subject: `${hub.row.id}:${side}` };
    const isNew =
      owner === null ||
      raise(ctx, tx, view, about, WORDS.markElsewhere(side, hub.row.title, title), { conflictingId: externalId });
    // The two may be one [M5].
    const ref = owner === null ? { side, externalId } : { productId: owner };
    if (isNew) enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, ctx.clock.now());
  });
}
