import type { Tx } from '../../db/database.ts';
import { transactRelaxed } from '../../db/relaxed.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import { chunks } from '../../lib/chunks.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ReadOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfError, outcomeOfRead } from '../outcome.ts';
import { endOfPass, type PairView } from '../pair-view.ts';
import { isSame } from '../sights.ts';
import { withKnownStock } from '../stock/known-stock.ts';
import { noteReadError, noteStoreReads } from '../stores/store-state.ts';
import type { Decision } from './decide.ts';
import { decideSubject } from './decide-subject.ts';
import { isHalfDone } from './half-done.ts';
import { asArchived } from './handle-gone.ts';
import type { LeftOut } from './left-out.ts';
import { planUpdate } from './plan-update.ts';
import { endWrite, makeSubject } from './product-subject.ts';
import type { ProductPush, Sending } from './push-products.ts';
import { storeDecision } from './store-decision.ts';

/** A write that was refused for a part of it; its intent is open still. */
export interface RefusedPush {
  readonly push: ProductPush;
  readonly leftOut: LeftOut;
}

/**
 * [B1] What is left of refused writes without what they were refused for, their intents stored. A refused write may have been carried out in part: what
 * is left is decided on a fresh reading, which settles the refused one like one without an answer.
 */
export async function planRest(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  refused: readonly RefusedPush[],
  sending: Sending,
  signal: AbortSignal,
): Promise<readonly ProductPush[]> {
  const isOver = () => sending.isOver || signal.aborted || endOfPass(ctx, view) !== null;
  const rest: ProductPush[] = [];
  for (const chunk of chunks(refused, view.connectors[side].capabilities.readBatchMax)) {
    const askedAt = ctx.clock.now();
    const outcomes = isOver() ? null : await readAgain(ctx, view, side, chunk, signal);
    const isHeard = outcomes !== null && !isOver();
    chunk.forEach((one, i) => {
      const next = transactRelaxed(ctx.db, (tx) =>
        isHeard ? decideRest(ctx, tx, view, one, outcomes[i], askedAt) : lookAgain(ctx, tx, view, one.push, null),
      );
      sending.sent.delete(one.push);
      if (next === null) return;
      sending.waiting.add(next);
      rest.push(next);
    });
  }
  return rest;
}

async function readAgain(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  chunk: readonly RefusedPush[],
  signal: AbortSignal,
): Promise<readonly ReadOutcome<ProductSnapshot>[]> {
  const ids = chunk.map(({ push }) => (push.write.type === 'update' ? push.write.externalId : ''));
  try {
    const outcomes = await view.connectors[side].readProducts(ids, signal);
    noteStoreReads(ctx, view.stores[side].id);
    return outcomes;
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    return chunk.map(() => ({ ok: false, error: failure }));
  }
}

/** Null: nothing of it is left, or it is looked at once more from the beginning. */
function decideRest(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { push, leftOut }: RefusedPush,
  outcome: ReadOutcome<ProductSnapshot> | undefined,
  askedAt: number,
): ProductPush | null {
  const { subject, productId, side, write } = push;
  if (outcome === undefined || !outcome.ok) return lookAgain(ctx, tx, view, push, outcome?.error ?? NO_ANSWER);
  const hub = loadHub(tx, productId);
  if (hub === null || write.type === 'create') return null;
  // [G12] What was to take it out of the bin was refused: it is in there as before, and the rest takes it out.
  const revived = outcome.value.trashed ? asArchived(outcome.value) : null;
  const snapshot = revived !== null && isSame(side, revived, write.seen) ? revived : outcome.value;
  // What becomes of a record in the bin, or of the counterpart of a deleted one, is not for a write to say.
  const isMoved = hub.row.state !== 'live' && !isSame(side, snapshot, write.seen);
  const isUnfit = snapshot.unsyncable !== null && !isHalfDone(view, hub, side, snapshot);
  if (snapshot.trashed || isUnfit || isMoved) {
    lookAgain(ctx, tx, view, push, null);
    // [L5] What is left out whole is not merged, and an open intent would wait for that.
    if (isUnfit) updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
    return null;
  }
  const echo = makeSubject(ctx, view, { productId }, [], null);
  echo.snapshots[side] = withKnownStock(hub, side, snapshot);
  const other = otherSide(side);
  const known = decideSubject(ctx, view, hub, makeSubject(ctx, view, { productId }, [], null));
  const stored = storeDecision(ctx, tx, view, echo, hub);
  // Only what this reading has added: what waits there anyway (for a person, say) would bring the next pass here as well, and so on without end.
  if (!owesSame(known, stored.decision, other) && !stored.hub.bindings[other]?.intent)
    enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, ctx.clock.now());
  subject.snapshots[side] = snapshot;
  subject.askedAt[side] = askedAt;
  const rest = planUpdate(ctx, tx, view, subject, stored, side, leftOut);
  const error = leftOut.errors.at(-1);
  if (rest === null && error !== undefined) endWrite(subject, outcomeOfError(error));
  return rest;
}

function owesSame(before: Decision, after: Decision, side: Side): boolean {
  const [old = null, now = null] = [before, after].map(({ reconciliation }) => reconciliation.sides[side]?.write);
  return stableJson(old) === stableJson(now);
}

const NO_ANSWER = new ConnectorError('malformed', 'the platform left an answer out');

/** Nothing of it can land any more, so that the next pass settles it at once. */
function lookAgain(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { subject, productId, side }: ProductPush,
  error: ConnectorError | null,
): null {
  const now = ctx.clock.now();
  updateProductBinding(tx, productId, side, { fencedUntil: now });
  enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, now);
  if (error !== null && error.kind !== 'not_found') endWrite(subject, outcomeOfRead(error));
  return null;
}
