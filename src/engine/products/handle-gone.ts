import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import { deleteAgainstEdit } from '../../core/resolve.ts';
import type { Tx } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import {
  forgetDelete,
  insertConflict,
  listOpenConflicts,
  recordChange,
  takeDeleteDecision,
} from '../../db/writers/history.ts';
import { updateProduct, updateProductBinding } from '../../db/writers/products.ts';
import type { ConflictId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { guard } from '../guard.ts';
import { baseOf, type HubState, isBound } from '../hub.ts';
import { leads } from '../leads.ts';
import { wakeRivals } from '../matching/ambiguous.ts';
import { wakeNamesakes } from '../matching/namesakes.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { endUnanswered } from '../record-writes.ts';
import type { ProductSubject } from './product-subject.ts';
import { absorbReadings } from './store-variants.ts';
import { unbind, unbindGone, unbindLost } from './unbind.ts';
import { hasUnseenEdit } from './unseen-edit.ts';

/** Name of the conflict that a delete against an edit opens. */
export const DELETED_FIELD = 'deleted';

/**
 * [G1][G7][G8][G9] A bound record is not there any more (or in the bin): the counterpart is archived and its status remembered. The
 * ordinary decision then goes on with what is left: the side counts as not read.
 */
export function acceptGone(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  known: HubState,
  side: Side,
): void {
  const snapshot = subject.snapshots[side];
  const isTrashed = snapshot?.trashed === true;
  const counted = new Set(subject.counted);
  delete subject.snapshots[side];
  subject.counted.delete(side);
  const hub = endUnanswered(view, tx, known, side, snapshot ?? null, ctx.clock.now());
  if (hub.row.state === 'deleted') {
    if (!isTrashed) unbindLost(tx, view, hub, side, ctx.clock.now());
    return;
  }
  const at = ctx.clock.now();
  // [S2] The other shop goes on selling: what was sold here before it went into the bin is sold all the same.
  const countInBin = () => {
    if (isTrashed) absorbReadings(ctx, tx, view, { ...subject, counted, snapshots: { [side]: snapshot } });
  };
  const isReused = subject.reused.has(side);
  if (!leads(view, hub, side, subject.snapshots)) {
    // [V6] Nobody deleted it there, and another record has its id: it is made there anew.
    if (isReused) {
      unbindGone(tx, view, hub, side, at);
      forgetDelete(tx, hub.row.id, side, at);
      return;
    }
    raise(
      ctx,
      tx,
      view,
      { productId: hub.row.id, side, subject: hub.row.id },
      WORDS.deletedOnTarget(side, `"${hub.row.title}"`),
    );
    // [R9] Nothing here is held against an edit: what was asked before this side was the target is no question any more.
    forgetDelete(tx, hub.row.id, side, at);
    countInBin();
    return;
  }
  // [R10] Nothing is put away and nothing brought back: there is nothing that an edit could be held against, nor a person be asked.
  const isCarried = isAreaOn('details', view.settings);
  if (!isCarried) forgetDelete(tx, hub.row.id, side, at);
  // Where nothing is left that could be kept or put away, there is nothing to decide, whatever a person has.
  const isNowhere = hub.bindings[otherSide(side)] === undefined;
  const decided = isNowhere ? null : takeDeleteDecision(tx, hub.row.id, side);
  // [R9] Out of its bin a source takes it itself: what a person keeps is the counterpart, as it is.
  const isLeft = decided === 'keep' && isTrashed && !mayFollow(side, view.settings);
  if (isCarried && !isLeft && decided !== 'delete' && (decided === 'keep' || hasUnseenEdit(view, subject, hub, side))) {
    // [V6] While it is asked, the id would stay with the one that is gone.
    if (decided === null && !isReused && deleteAgainstEdit(view.settings) === 'conflict') {
      openDeleteConflict(ctx, tx, view, hub, side);
      countInBin();
      return;
    }
    recordChange(tx, {
      ...about(view, hub, at),
      field: DELETED_FIELD,
      origin: side,
      target: null,
      from: true,
      to: false,
      cause: 'edit_wins',
    });
    forgetDelete(tx, hub.row.id, side, at);
    if (isTrashed && snapshot !== undefined) reviveInBin(tx, view, subject, hub, side, snapshot);
    else unbind(tx, hub, side, ctx.clock.now());
    return;
  }
  // [G1] From what is a target's own nothing follows anywhere.
  const isGuarded = mayLead(side, view.settings);
  if (isGuarded) guard(ctx, tx, view, hub.row.id, side, 'delete');
  const { status } = hub.row.data.fields;
  const isArchiving = view.settings.deletePolicy === 'archive' && isCarried && !isLeft && isBound(hub, otherSide(side));
  const data: CanonicalProduct = isArchiving
    ? { ...hub.row.data, fields: { ...hub.row.data.fields, status: 'archived' } }
    : hub.row.data;
  // Also where it is to be put away: that may be refused.
  if (isBound(hub, otherSide(side))) countInBin();
  for (const each of SIDES) forgetDelete(tx, hub.row.id, each, at);
  writeOutBases(tx, view, hub);
  if (decided === 'delete' && isArchiving) acknowledgeStatus(tx, view, subject, hub, otherSide(side));
  updateProduct(tx, hub.row.id, {
    state: 'deleted',
    deletedOn: side,
    priorStatus: isArchiving ? status : null,
    data,
    updatedAt: at,
  });
  wakeRivals(tx, hub.row.pairId, hub.row.data, at);
  if (!isTrashed) unbind(tx, hub, side, ctx.clock.now());
  else wakeNamesakes(tx, hub.row.pairId, hub.row.id, hub.row.title, at);
  recordChange(tx, {
    ...about(view, hub, at),
    field: DELETED_FIELD,
    origin: side,
    target: null,
    from: status,
    to: isArchiving ? 'archived' : null,
    cause: isGuarded ? 'delete' : 'own_delete',
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'product_deleted',
    payload: { productId: hub.row.id, title: hub.row.title, side },
    at,
  });
  return;
}

/** [G12] A person has decided for the delete: what the counterpart was put to before that is carried out is known, and the ordinary write puts it away. */
function acknowledgeStatus(tx: Tx, view: PairView, subject: ProductSubject, hub: HubState, side: Side): void {
  const snapshot = subject.snapshots[side];
  if (snapshot === undefined || snapshot.trashed || !mayLead(side, view.settings)) return;
  const base = baseOf(hub, side, view);
  const { status } = snapshot.fields;
  updateProductBinding(tx, hub.row.id, side, { base: { ...base, fields: { ...base.fields, status } } });
}

/** [G8] The record is back from the bin, with the status that it had: its counterpart gets the same. Another one is somebody's wish, like any edit. */
export function acceptRestore(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, side: Side): void {
  const at = ctx.clock.now();
  const status = hub.row.priorStatus ?? hub.row.data.fields.status;
  writeOutBases(tx, view, hub);
  updateProduct(tx, hub.row.id, {
    state: 'live',
    deletedOn: null,
    priorStatus: null,
    data: { ...hub.row.data, fields: { ...hub.row.data.fields, status } },
    updatedAt: at,
  });
  recordChange(tx, {
    ...about(view, hub, at),
    field: DELETED_FIELD,
    origin: side,
    target: null,
    from: 'archived',
    to: status,
    cause: 'restore',
  });
  wakeRivals(tx, view.pair.id, hub.row.data, at);
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'product_restored',
    payload: { productId: hub.row.id, title: hub.row.title, side },
    at,
  });
}

/** [G8] What was deleted has been made again under the same keys: it is the same product, and its counterpart comes back with it. */
export function acceptReturn(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
): void {
  const at = ctx.clock.now();
  const { status } = snapshot.fields;
  writeOutBases(tx, view, hub);
  updateProduct(tx, hub.row.id, {
    state: 'live',
    deletedOn: null,
    priorStatus: null,
    data: { ...hub.row.data, fields: { ...hub.row.data.fields, status } },
    // [M1] It is met anew, and may have been added to both shops.
    createdAt: at,
    updatedAt: at,
  });
  wakeRivals(tx, view.pair.id, hub.row.data, at);
  recordChange(tx, {
    ...about(view, hub, at),
    field: DELETED_FIELD,
    origin: side,
    target: null,
    from: 'archived',
    to: status,
    cause: 'restore',
  });
}

function about(view: PairView, hub: HubState, at: number) {
  return { pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: null, at } as const;
}

/** Before the hub moves, every base that it implied is written out. */
export function writeOutBases(tx: Tx, view: PairView, hub: HubState): void {
  for (const binding of Object.values(hub.bindings)) {
    if (binding.externalId !== null && binding.base === null)
      updateProductBinding(tx, hub.row.id, binding.side, { base: baseOf(hub, binding.side, view) });
  }
}

export function openDeleteConflict(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, side: Side): void {
  if (listOpenConflicts(tx, hub.row.id).some((row) => row.field === DELETED_FIELD && row.side === side)) return;
  const at = ctx.clock.now();
  insertConflict(tx, {
    id: ctx.random.id('cfl_') as ConflictId,
    pairId: view.pair.id,
    productId: hub.row.id,
    field: DELETED_FIELD,
    side,
    base: false,
    hub: false,
    remote: true,
    version: 1,
    state: 'open',
    resolution: null,
    openedAt: at,
    remoteSeenAt: at,
    closedAt: null,
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'conflict_opened',
    payload: { productId: hub.row.id, title: hub.row.title, field: DELETED_FIELD, side },
    at,
  });
}

/** The edit wins over the bin: seen as archived there, the ordinary write gives the record its status and the edit back. */
export function reviveInBin(
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
): void {
  const base = baseOf(hub, side, view);
  updateProductBinding(tx, hub.row.id, side, { base: { ...base, fields: { ...base.fields, status: 'archived' } } });
  subject.snapshots[side] = asArchived(snapshot);
}

export function asArchived(inBin: ProductSnapshot): ProductSnapshot {
  return { ...inBin, trashed: false, fields: { ...inBin.fields, status: 'archived' } };
}
