import { mayLead } from '../../core/direction.ts';
import { parsePath } from '../../core/fields.ts';
import type { FieldChange } from '../../core/reconciliation.ts';
import type { Tx } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { recordChange } from '../../db/writers/history.ts';
import { updateProductBinding, updateVariant, upsertProductBinding } from '../../db/writers/products.ts';
import { plainBarcode, plainSku } from '../../lib/record-keys.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import { storeConflicts } from '../conflicts/store-conflicts.ts';
import type { EngineContext } from '../context.ts';
import { guard, guardedFieldCause } from '../guard.ts';
import { baseOf, type HubState, isBound, knownPart, loadHub, storeHub } from '../hub.ts';
import { closeAmbiguous } from '../matching/ambiguous.ts';
import { wakeNamesakes } from '../matching/namesakes.ts';
import type { PairView } from '../pair-view.ts';
import { doubtfulPart, landedPart, recordWrites } from '../record-writes.ts';
import { joinedSides } from '../stock/joined-sides.ts';
import { meetStock } from '../stock/meet-stock.ts';
import { keysOfField, wakeClaimants } from '../wake-claimants.ts';
import type { Decision } from './decide.ts';
import { decideSubject } from './decide-subject.ts';
import { recordEnded } from './planned-sales.ts';
import type { ProductSubject } from './product-subject.ts';
import { followLeft } from './removed-variants.ts';
import { dropReplaced } from './replaced-variants.ts';
import { storeDrift } from './store-drift.ts';
import { absorbReadings, bindVariants } from './store-variants.ts';

export interface Stored {
  readonly hub: HubState;
  readonly decision: Decision;
}

/** Stores one decision: bindings, variants, stock, history, conflicts, drift, and the hub with every base. */
export function storeDecision(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  before: HubState,
): Stored {
  const at = ctx.clock.now();
  const decision = decideSubject(ctx, view, before, subject);
  const { reconciliation } = decision;

  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (snapshot === undefined) continue;
    const binding = before.bindings[side];
    const isAttached = decision.attached.includes(side);
    // It is known now which record it belongs to, whoever's pass found it out.
    if (isAttached) closeAmbiguous(tx, view.pair.id, `${side}:${snapshot.externalId}`, at);
    if (isAttached && isBound(before, otherSide(side)))
      wakeNamesakes(tx, view.pair.id, before.row.id, before.row.title, at);
    if (!isAttached && binding?.externalId === snapshot.externalId && binding.adminUrl === snapshot.adminUrl) continue;
    upsertProductBinding(tx, {
      productId: before.row.id,
      side,
      pairId: view.pair.id,
      storeId: view.stores[side].id,
      externalId: snapshot.externalId,
      base: isAttached ? null : (binding?.base ?? null),
      intent: binding?.intent ?? null,
      fencedUntil: binding?.fencedUntil ?? null,
      adminUrl: snapshot.adminUrl,
      madeAt: snapshot.madeAt ?? null,
      seenInScan: binding?.seenInScan ?? view.pair.scanNumber,
    });
  }
  const parted = dropReplaced(tx, view, before, decision.replaced, at);
  // [S7] What the known side has sold is counted before the number of the side that joins is linked with the hub's.
  if (decision.attached.length > 0 || joinedSides(parted, decision).length > 0) absorbReadings(ctx, tx, view, subject);
  // [T2] While nobody counts, that number is what the known side shows now.
  meetStock(ctx, tx, view, subject, parted);
  bindVariants(ctx, tx, view, subject, parted, decision);
  settleReadBack(tx, view, subject, before, decision, at);
  absorbReadings(ctx, tx, view, subject);
  for (const change of reconciliation.changes) storeChange(ctx, tx, view, subject, before, decision, change, at);
  storeConflicts(ctx, tx, view, before, reconciliation, at);
  storeDrift(ctx, tx, view, before, decision, at);

  const after = loadHub(tx, before.row.id) ?? before;
  const bases = Object.fromEntries(
    SIDES.flatMap((side) =>
      reconciliation.sides[side] === undefined ? [] : [[side, reconciliation.sides[side].base]],
    ),
  );
  const bound = {
    woocommerce: new Set(after.variantBindings.woocommerce.keys()),
    shopify: new Set(after.variantBindings.shopify.keys()),
  };
  storeHub(tx, after, reconciliation.hub, reconciliation.seen, bases, bound, view, at);
  for (const [id, fields] of Object.entries(reconciliation.hub.variants)) {
    const row = after.variants.get(id as VariantId);
    const keys = { sku: plainSku(fields.sku), barcode: plainBarcode(fields.barcode) };
    if (row !== undefined && (row.sku !== keys.sku || row.barcode !== keys.barcode)) updateVariant(tx, row.id, keys);
  }
  followLeft(tx, view, after, subject.snapshots, at);
  // Only the record itself and its bases moved since `after` was loaded; who plans the writes needs the record.
  return {
    hub: { ...after, row: { ...after.row, data: reconciliation.hub, title: reconciliation.hub.fields.title } },
    decision,
  };
}

function storeChange(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  decision: Decision,
  change: FieldChange,
  at: number,
): void {
  const isFirstLink = decision.attached.length > 0;
  // [G1] From what is a target's own nothing follows anywhere.
  const isKept = change.cause === 'kept_hub' || change.cause === 'enforced';
  const isSafe = isFirstLink || isKept || !mayLead(change.origin, view.settings);
  const guarded = isSafe ? null : guardedFieldCause(change.path, change.from, change.to);
  if (guarded !== null) guard(ctx, tx, view, hub.row.id, change.origin, guarded);
  const path = parsePath(change.path);
  const keys = keysOfField(path?.name ?? '', change.from);
  wakeClaimants(tx, view.pair.id, { productId: hub.row.id, side: change.origin, keys }, at);
  if (change.path === 'title') wakeNamesakes(tx, view.pair.id, hub.row.id, hub.row.title, at);
  recordChange(tx, {
    pairId: view.pair.id,
    runId: view.runId,
    productId: hub.row.id,
    variantId: path?.variantId ?? null,
    field: path?.name ?? change.path,
    origin: change.origin,
    target: null,
    from: change.from,
    to: change.to,
    cause: isFirstLink ? 'first_link' : (guarded ?? change.cause),
    at,
  });
  recordEvent(tx, {
    workspaceId: view.pair.workspaceId,
    pairId: view.pair.id,
    type: 'field_changed',
    payload: {
      productId: hub.row.id,
      title: hub.row.title,
      field: path?.name ?? change.path,
      variantId: path?.variantId ?? null,
      side: change.origin,
      from: change.from,
      to: change.to,
      cause: change.cause,
    },
    at,
  });
  subject.detail ??= change.cause;
}

/**
 * [W4] A record that a person is asked about is not merged. What was sent to it and never answered is settled all the same: that is not a matter of
 * what the person decides, and may take them days.
 */
export function settleHeld(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject, hub: HubState): void {
  const decision = decideSubject(ctx, view, hub, subject);
  for (const side of SIDES) {
    const landed = decision.starts[side];
    if (!hub.bindings[side]?.intent || subject.snapshots[side] === undefined || landed === undefined) continue;
    const base = baseOf(hub, side, view);
    const variants = Object.fromEntries(
      Object.entries(base.variants).map(([id, own]) => [id, landed.variants[id as VariantId] ?? own]),
    );
    updateProductBinding(tx, hub.row.id, side, { base: { fields: landed.fields, variants } });
  }
  settleReadBack(tx, view, subject, hub, decision, ctx.clock.now());
}

/** What was sent and never answered has been read back now: what of it landed stands in the history, and the bases below hold it. */
function settleReadBack(
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  before: HubState,
  decision: Decision,
  at: number,
): void {
  for (const side of SIDES) {
    const intent = before.bindings[side]?.intent;
    const snapshot = subject.snapshots[side];
    if (snapshot === undefined || !intent) continue;
    if (intent.type === 'create') recordWrites(view, tx, before, side, intent, null, at);
    else {
      const base = baseOf(before, side, view);
      const start = decision.starts[side] ?? base;
      const shown = knownPart(before, side, snapshot);
      const landed = landedPart(intent, base, start, shown);
      recordWrites(view, tx, before, side, landed, base, at);
      recordEnded(tx, view, before, side, landed, snapshot, at);
      recordWrites(view, tx, before, side, doubtfulPart(intent, base, start, shown), base, at, 'unanswered');
    }
    updateProductBinding(tx, before.row.id, side, { intent: null, fencedUntil: null });
  }
}
