import { mayLead } from '../../core/direction.ts';
import { PRODUCT_FIELDS, parsePath, VARIANT_FIELDS } from '../../core/fields.ts';
import { isFieldOn } from '../../core/is-field-on.ts';
import type { FieldChange } from '../../core/reconciliation.ts';
import type { Db, Tx } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblem, findProblemDetails, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { updateProductBinding, updateVariant, upsertProductBinding } from '../../db/writers/products.ts';
import { plainBarcode, plainSku } from '../../lib/record-keys.ts';
import { stableJson } from '../../lib/stable-json.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { DriftDetails } from '../conflicts/order-drift.ts';
import { storeConflicts } from '../conflicts/store-conflicts.ts';
import type { EngineContext } from '../context.ts';
import { guard, guardedFieldCause } from '../guard.ts';
import { baseOf, type HubState, knownPart, loadHub, storeHub } from '../hub.ts';
import { settingsFor } from '../leads.ts';
import { closeAmbiguous } from '../matching/ambiguous.ts';
import type { PairView } from '../pair-view.ts';
import { BACK_AND_FORTH, type ProblemWords, raise, WORDS } from '../problems.ts';
import { doubtfulPart, landedPart, recordWrites } from '../record-writes.ts';
import { joinedSides } from '../stock/joined-sides.ts';
import { meetStock } from '../stock/meet-stock.ts';
import { keysOfField, wakeClaimants } from '../wake-claimants.ts';
import type { Decision } from './decide.ts';
import { decideSubject } from './decide-subject.ts';
import type { ProductSubject } from './product-subject.ts';
import { dropReplaced } from './replaced-variants.ts';
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

/** [R11][R19] What is left apart is one problem per field; it closes when the side shows the hub's value again. */
function storeDrift(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, decision: Decision, at: number): void {
  const { title } = decision.reconciliation.hub.fields;
  for (const side of SIDES) {
    const result = decision.reconciliation.sides[side];
    if (result === undefined || decision.matches[side] === undefined) continue;
    const code = mayLead(side, view.settings) ? BACK_AND_FORTH : 'DRIFT';
    const drifting = new Set(result.drift.map((drift) => `${hub.row.id}:${drift.path}`));
    for (const { path, hub: own, remote } of result.drift) {
      const about = { productId: hub.row.id, side, subject: `${hub.row.id}:${path}` };
      const told = findProblemDetails(tx, view.pair.id, code, about.subject) as Partial<DriftDetails> | null;
      const isKnown = told !== null && stableJson(told.remote) === stableJson(remote);
      const details: DriftDetails = { hub: own, remote, since: (isKnown ? told.since : undefined) ?? at };
      raise(ctx, tx, view, about, wordsOf(view, hub, side, code, title, labelOf(path)), details);
    }
    // [R10] Nor was it compared what is switched off: what was told of it stays told.
    for (const { subject } of listOpenProblems(tx, hub.row.id))
      if (!isFieldOn(subject.slice(hub.row.id.length + 1), view.settings)) drifting.add(subject);
    closeFieldProblems(tx, hub, side, code, drifting, at);
  }
}

function wordsOf(view: PairView, hub: HubState, side: Side, code: string, title: string, field: string): ProblemWords {
  if (code === BACK_AND_FORTH) return WORDS.backAndForth(title, field);
  return WORDS[settingsFor(view, hub, {}).enforce ? 'driftBack' : 'drift'](side, title, field);
}

/** [P1] A side that shows what it was last given is apart in no field any more. */
export function closeFieldDrift(tx: Tx, view: PairView, hub: HubState, side: Side, at: number): void {
  closeFieldProblems(tx, hub, side, mayLead(side, view.settings) ? BACK_AND_FORTH : 'DRIFT', new Set(), at);
}

/** Stock that drifts is told of by another hand. */
function closeFieldProblems(
  tx: Tx,
  hub: HubState,
  side: Side,
  code: string,
  kept: ReadonlySet<string>,
  at: number,
): void {
  for (const row of listOpenProblems(tx, hub.row.id))
    if (row.code === code && row.side === side && !kept.has(row.subject) && !row.subject.endsWith(':stock'))
      closeProblem(tx, row.id, at);
}

export function hasFieldDrift(db: Db, view: PairView, hub: HubState, side: Side): boolean {
  const code = mayLead(side, view.settings) ? BACK_AND_FORTH : 'DRIFT';
  return listOpenProblems(db, hub.row.id).some(
    (row) => row.code === code && row.side === side && !row.subject.endsWith(':stock'),
  );
}

export function labelOf(path: string): string {
  const parsed = parsePath(path);
  if (parsed === null) return path;
  return parsed.variantId === null ? PRODUCT_FIELDS[parsed.name].label : VARIANT_FIELDS[parsed.name].label;
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
      recordWrites(view, tx, before, side, landedPart(intent, base, start, shown), base, at);
      recordWrites(view, tx, before, side, doubtfulPart(intent, base, start, shown), base, at, 'unanswered');
    }
    updateProductBinding(tx, before.row.id, side, { intent: null, fencedUntil: null });
  }
}
