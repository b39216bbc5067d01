import { type FieldSpec, VARIANT_FIELDS } from '../../core/fields.ts';
import type { Tx } from '../../db/database.ts';
import { closeProblemsBySubject, recordChange } from '../../db/writers/history.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFieldName, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { closeSettled } from '../close-problems.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync, enqueueStockSync } from '../enqueue.ts';
import { baseOf, type HubState, knownPart, loadHub } from '../hub.ts';
import { productLock } from '../locks.ts';
import { noteStranger } from '../matching/strangers.ts';
import type { PairView } from '../pair-view.ts';
import { recordWrites } from '../record-writes.ts';
import { isShared } from '../rivals.ts';
import { withKnownStock } from '../stock/known-stock.ts';
import { kindOf, noteWriteTaken } from '../stores/writes-limited.ts';
import { bindItem, bindingRow } from './binding-row.ts';
import { withIntent } from './decide.ts';
import { isNothing, restOf } from './left-out.ts';
import { recordEnded } from './planned-sales.ts';
import { makeSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import { storeDecision } from './store-decision.ts';
import { takeLeave } from './taken-away.ts';
import { noteAnswered } from './unanswered.ts';

/**
 * Settles a write that was answered: what was sent is the side's base now. The answer shows the record as it is, so an edit that
 * somebody made meanwhile is taken in by the ordinary merge; what that would have to write is a new job's work.
 */
export function storeWritten(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  push: ProductPush,
  snapshot: ProductSnapshot,
  newVariantIds: readonly string[],
): void {
  const { productId, side, intent, subject } = push;
  const hub = loadHub(tx, productId);
  if (hub === null) return;
  const at = ctx.clock.now();
  const before = intent.type === 'create' ? null : baseOf(hub, side, view);
  bindNewVariants(ctx, tx, view, push, hub, snapshot, newVariantIds);
  const base = view.connectors[side].represent(
    intent.type === 'create' ? intent.to : withNew(withIntent(hub.row.data, intent), push),
  );
  updateProductBinding(tx, productId, side, {
    externalId: snapshot.externalId,
    adminUrl: snapshot.adminUrl,
    madeAt: snapshot.madeAt ?? null,
    base: before === null || intent.type === 'create' ? base : overlay(before, base, intent),
    intent: null,
    fencedUntil: null,
  });
  // Another pair of this shop may be about to make the same, and the search lags.
  if (intent.type === 'create' && isShared(tx, view, side)) noteStranger(ctx, view, side, snapshot);
  recordTyped(ctx, tx, view, push, hub);
  recordWrites(view, tx, hub, side, intent, before, at);
  recordEnded(tx, view, hub, side, intent, snapshot, at);
  if (snapshot.trashed) {
    // [G8] Somebody put it into the bin meanwhile: it is looked at as what it is, with the witness and the guard that a delete needs.
    subject.result = 'skipped';
    subject.detail = 'It is in the bin.';
    enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, at);
    return;
  }
  noteWriteTaken(ctx, tx, view, side, kindOf(push.write));
  const { leftOut } = push;
  if (leftOut.errors.length === 0) {
    closeProblemsBySubject(tx, view.pair.id, 'WRITE_REJECTED', `${productId}:${side}`, at);
    subject.result = 'written';
  }
  noteAnswered(ctx, tx, view, push);

  const known = loadHub(tx, productId);
  if (known === null) return;
  const archived = intent.type === 'update' ? (intent.archived ?? []) : [];
  const current = takeLeave(ctx, tx, view, known, side, archived, snapshot);
  const echo = makeSubject(ctx, view, { productId }, [], null);
  echo.snapshots[side] = withKnownStock(current, side, snapshot);
  const stored = storeDecision(ctx, tx, view, echo, current);
  const isOpen = SIDES.some((each) => {
    const write = stored.decision.reconciliation.sides[each]?.write ?? null;
    return write !== null && (each !== side || !isNothing(restOf(write, leftOut)));
  });
  if (isOpen) enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [side] }, at);
  for (const id of archived) closeProblemsBySubject(tx, view.pair.id, 'VARIANT_REMOVED', id, at);
  // [P1] No later pass may come to tell what this has settled.
  closeSettled(tx, view, productId, { [side]: 'there' }, at);
}

/**
 * Variants leave in a request of their own, seconds after the product: where a listing or a search showed meanwhile that somebody had typed into one, that
 * value has most likely been written over, and stands in the history as the one that lost. Was it typed after the write had landed, the next reading takes it in.
 */
function recordTyped(ctx: EngineContext, tx: Tx, view: PairView, { side, intent }: ProductPush, hub: HubState): void {
  const { externalId = null, intent: stored } = hub.bindings[side] ?? {};
  if (externalId === null || intent.type !== 'update') return;
  const sight = ctx.locks.sightOf(productLock(view.shops[side], externalId));
  if (sight === undefined || sight.at < (stored?.sentAt ?? Number.POSITIVE_INFINITY)) return;
  const before = baseOf(hub, side, view);
  const shown = knownPart(hub, side, sight.snapshot);
  const sent = view.connectors[side].represent(withIntent(hub.row.data, intent));
  for (const [id, own] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    const [known, seen, written] = [before.variants[id], shown.variants[id], sent.variants[id]];
    if (known === undefined || seen === undefined || written === undefined) continue;
    for (const name of Object.keys(own) as VariantFieldName[]) {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      if (spec.same(seen[name], written[name]) || spec.same(seen[name], known[name])) continue;
      recordChange(tx, {
        ...{ pairId: view.pair.id, runId: view.runId, productId: hub.row.id, variantId: id, field: name },
        ...{ origin: side, target: null, from: seen[name], to: own[name], cause: 'kept_hub', at: ctx.clock.now() },
      });
    }
  }
}

/** New variants as they were sent: their prices need not be the hub's (R10). */
function withNew(hub: CanonicalProduct, { write }: ProductPush): CanonicalProduct {
  if (write.type === 'create' || write.newVariants.length === 0) return hub;
  const sent = write.newVariants.map(({ variantId, fields }) => [variantId, fields]);
  return { ...hub, variants: { ...hub.variants, ...Object.fromEntries(sent) } };
}

/** The side's base with what was written laid over it; everything else stays as it was last seen. */
function overlay(
  before: CanonicalProduct,
  written: CanonicalProduct,
  intent: Extract<ProductIntent, { type: 'update' }>,
): CanonicalProduct {
  const fields: Record<string, unknown> = { ...before.fields };
  for (const name of Object.keys(intent.fields) as (keyof CanonicalProduct['fields'])[])
    fields[name] = written.fields[name];
  const variants: Record<VariantId, VariantFields> = { ...before.variants };
  for (const [id, own] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    const shown = written.variants[id];
    const old = variants[id];
    if (shown === undefined || old === undefined) continue;
    const laid: Record<string, unknown> = { ...old };
    for (const name of Object.keys(own) as (keyof VariantFields)[]) laid[name] = shown[name];
    variants[id] = laid as unknown as VariantFields;
  }
  for (const id of intent.newVariants) {
    const shown = written.variants[id];
    if (shown !== undefined) variants[id] = shown;
  }
  return { fields: fields as unknown as CanonicalProduct['fields'], variants };
}

function bindNewVariants(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  push: ProductPush,
  hub: HubState,
  snapshot: ProductSnapshot,
  newVariantIds: readonly string[],
): void {
  const sent = push.write.type === 'create' ? push.write.variants : push.write.newVariants;
  sent.forEach((variant, i) => {
    const shown = snapshot.variants.find((candidate) => candidate.externalId === newVariantIds[i]);
    if (shown === undefined) return;
    bindItem(tx, bindingRow(view, hub, push.side, variant.variantId, shown, variant.stock), ctx.clock.now());
    enqueueStockSync(tx, view.pair.id, { variantId: variant.variantId, observe: [push.side] }, ctx.clock.now());
  });
}
