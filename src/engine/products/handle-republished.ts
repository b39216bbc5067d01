import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import { deleteAgainstEdit } from '../../core/resolve.ts';
import { isOnSale } from '../../core/safety.ts';
import type { Tx } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { forgetDelete, recordChange, takeDeleteDecision } from '../../db/writers/history.ts';
import { updateProduct, updateProductBinding } from '../../db/writers/products.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductStatus } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { baseOf, type HubState, isBound, knownPart } from '../hub.ts';
import { wakeRivals } from '../matching/ambiguous.ts';
import type { PairView } from '../pair-view.ts';
import { endUnanswered } from '../record-writes.ts';
import { landedBase } from './decide.ts';
import { DELETED_FIELD, openDeleteConflict, reviveInBin, writeOutBases } from './handle-gone.ts';
import type { ProductSubject } from './product-subject.ts';
import { hiddenIn, shownOn } from './shown.ts';
import { unbindLost } from './unbind.ts';

/** [G12] Whether a record whose origin was deleted is on sale, and was not when it was last seen; while details are switched off nobody looks [R10]. */
export function isRepublished(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  if (!isAreaOn('details', view.settings) || !mayLead(side, view.settings)) return false;
  if (hub.row.state !== 'deleted' || hub.row.deletedOn === side || !isBound(hub, side) || snapshot.trashed)
    return false;
  // [G8] What the delete left as it was is not put on sale again against it.
  if (hub.row.priorStatus === null) return false;
  return isOnSale(snapshot.fields.status) && !isOnSale(lastKnown(view, hub, side, snapshot).fields.status);
}

/** The base, with what a write of ours did that had no answer: nobody else's hand put on sale what we did. */
function lastKnown(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): CanonicalProduct {
  const base = baseOf(hub, side, view);
  if (!hub.bindings[side]?.intent) return base;
  const shown = shownOn(view, side, hiddenIn(view, hub, side, snapshot));
  return landedBase(base, hub, side, knownPart(hub, side, snapshot), shown);
}

/**
 * [G12] A counterpart that was put away because its origin was deleted is on sale again by somebody's hand: an edit against the delete [G9].
 * `revived`: the product lives again, and its origin comes back (from the bin, or made anew). `put_away`: a person has decided for the delete.
 * `held`: a person is asked, and until then both are left as they are. `none`: nothing of the kind.
 */
export function acceptRepublished(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
): 'none' | 'revived' | 'put_away' | 'held' {
  const { deletedOn } = hub.row;
  if (deletedOn === null) return 'none';
  const side = otherSide(deletedOn);
  const snapshot = subject.snapshots[side];
  const origin = subject.snapshots[deletedOn];
  if (origin !== undefined && !origin.trashed) return 'none';
  const at = ctx.clock.now();
  if (snapshot === undefined || !isRepublished(view, hub, side, snapshot)) {
    // [P2] It is put away again, or gone as well, or other settings hold: there is nothing to decide any more.
    if (snapshot !== undefined || subject.gone.has(side)) forgetDelete(tx, hub.row.id, deletedOn, at);
    return 'none';
  }

  const base = baseOf(hub, side, view);
  const about = { pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: null };
  const decided = takeDeleteDecision(tx, hub.row.id, deletedOn);
  // [V6] While it is asked, the id would stay with the one that is gone.
  if (decided === null && !subject.reused.has(deletedOn) && deleteAgainstEdit(view.settings) === 'conflict') {
    openDeleteConflict(ctx, tx, view, hub, deletedOn);
    return 'held';
  }
  if (decided === 'delete') {
    // What was typed is known; the ordinary write puts it away again.
    updateProductBinding(tx, hub.row.id, side, {
      base: { ...base, fields: { ...base.fields, status: snapshot.fields.status } },
    });
    return 'put_away';
  }
  forgetDelete(tx, hub.row.id, deletedOn, at);
  writeOutBases(tx, view, hub);
  const revived = { state: 'live', deletedOn: null, priorStatus: null, updatedAt: at } as const;
  const data = beforePutAway(view, hub, side, base.fields.status);
  // Nor does it with what nobody ever saw there: that a record was to come out of the bin, and did not before its other half was deleted.
  const { status } = view.connectors[side].represent(data).fields;
  updateProductBinding(tx, hub.row.id, side, { base: { ...base, fields: { ...base.fields, status } } });
  updateProduct(tx, hub.row.id, { ...revived, data });
  wakeRivals(tx, view.pair.id, data, at);
  recordChange(tx, {
    ...{ ...about, at, field: DELETED_FIELD, origin: side, target: null },
    ...{ from: true, to: false, cause: 'edit_wins' },
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'product_restored',
    payload: { productId: hub.row.id, title: hub.row.title, side },
    at,
  });
  bringBack(ctx, tx, view, subject, hub, deletedOn);
  return 'revived';
}

/**
 * [G8][G12] The product lives again by what was read on the other side in this very pass, and this half of it is gone or in the bin: it comes back with it,
 * out of the bin or made anew. That it went is no new delete; nobody can have meant a product that had been put away and is for sale now.
 */
export function bringBack(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  known: HubState,
  side: Side,
): void {
  const snapshot = subject.snapshots[side];
  if (!isBound(known, side)) return;
  const hub = endUnanswered(view, tx, known, side, snapshot ?? null, ctx.clock.now());
  if (snapshot !== undefined) reviveInBin(tx, view, subject, hub, side, snapshot);
  else if (subject.gone.has(side)) {
    unbindLost(tx, view, hub, side, ctx.clock.now());
    subject.gone.delete(side);
  }
}

/** [R10][R11] Whether a half that is missed may come back: it is written out of the bin or made anew, or where nothing is made this side has its say. */
export function mayComeBack(view: PairView, subject: ProductSubject, side: Side): boolean {
  const { syncProducts, createOn } = view.settings;
  if (subject.snapshots[side] !== undefined) return syncProducts && mayFollow(side, view.settings);
  return mayLead(side, view.settings) || (syncProducts && createOn[side]);
}

/** [G9] Whether a record was to come out of the bin, and is still in it: the write was refused, or nobody knows what became of it. */
export function isOnItsWayBack(view: PairView, hub: HubState, subject: ProductSubject, side: Side): boolean {
  return (
    hub.row.state === 'live' &&
    subject.snapshots[side]?.trashed === true &&
    subject.snapshots[otherSide(side)]?.trashed === false &&
    mayComeBack(view, subject, side) &&
    isMarkedBinned(view, hub, side)
  );
}

/** `reviveInBin`: only what lay in the bin counts as archived on a side that knows no archive. */
function isMarkedBinned(view: PairView, hub: HubState, side: Side): boolean {
  if (!isBound(hub, side) || baseOf(hub, side, view).fields.status !== 'archived') return false;
  const { data } = hub.row;
  const archived = view.connectors[side].represent({ ...data, fields: { ...data.fields, status: 'archived' } });
  return archived.fields.status !== 'archived';
}

/**
 * That it was put away may have landed there without ever being seen, and then the side moved from what it had shown before. The delete is over, and
 * what it made of the status is nothing that the person's choice could conflict with.
 */
function beforePutAway(view: PairView, hub: HubState, side: Side, status: ProductStatus): CanonicalProduct {
  const { data } = hub.row;
  if (view.connectors[side].represent(data).fields.status === status) return data;
  return { ...data, fields: { ...data.fields, status } };
}

/**
 * [G9] An edit was to take this record out of the bin (`reviveInBin`), and somebody did so first. That it is on sale is a wish. Any other status may be
 * the one that it went in with, and the write that was decided then gives it the one that the edit had. True when it was so.
 */
export function acceptOutOfBin(tx: Tx, view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  if (!isMarkedBinned(view, hub, side)) return false;
  const base = baseOf(hub, side, view);
  const wished = view.connectors[side].represent(hub.row.data).fields.status;
  const status = isOnSale(snapshot.fields.status) ? wished : snapshot.fields.status;
  updateProductBinding(tx, hub.row.id, side, { base: { ...base, fields: { ...base.fields, status } } });
  return true;
}
