import { type FieldSpec, PRODUCT_FIELDS, VARIANT_FIELDS } from '../core/fields.ts';
import { matchVariants } from '../core/variants.ts';
import type { Tx } from '../db/database.ts';
import { recordEvent } from '../db/writers/events.ts';
import { recordChange } from '../db/writers/history.ts';
import { updateProductBinding } from '../db/writers/products.ts';
import type { ProductIntent } from '../model/hub.ts';
import type { VariantId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { enqueueStockSync } from './enqueue.ts';
import { baseOf, type HubState, knownPart, loadHub } from './hub.ts';
import type { PairView } from './pair-view.ts';
import { bindItem, bindingRow } from './products/binding-row.ts';
import { landedBase, livingOf } from './products/decide.ts';
import { hiddenIn, shownOn } from './products/shown.ts';
import { keysOfField, wakeClaimants } from './wake-claimants.ts';

/**
 * [W4][W6] Ends a write whose record was deleted before it could be read again; the pass has waited for its fence. In the bin it shows what had landed,
 * and that is known there from now on; else nobody will ever know, and the history says what was sent, with the values that it was to take the place of.
 * Returns the hub as it is then.
 */
export function endUnanswered(
  view: PairView,
  tx: Tx,
  hub: HubState,
  side: Side,
  binned: ProductSnapshot | null,
  at: number,
): HubState {
  const intent = hub.bindings[side]?.intent;
  if (!intent) return hub;
  const base = baseOf(hub, side, view);
  const shown = binned === null ? null : knownPart(hub, side, binned);
  let landed: CanonicalProduct | null = null;
  // What was stored and never sent can't have landed.
  if (intent.sentAt !== null) {
    if (binned === null || shown === null) recordWrites(view, tx, hub, side, intent, base, at, 'unanswered');
    else if (intent.type === 'create') recordWrites(view, tx, hub, side, intent, null, at);
    else {
      landed = landedBase(base, hub, side, shown, shownOn(view, side, hiddenIn(view, hub, side, binned)));
      recordWrites(view, tx, hub, side, landedPart(intent, base, landed, shown), base, at);
      recordWrites(view, tx, hub, side, doubtfulPart(intent, base, landed, shown), base, at, 'unanswered');
    }
  }
  if (intent.sentAt !== null && binned !== null) bindLanded(view, tx, hub, side, intent, binned, at);
  const kept = landed === null ? {} : { base: landed };
  updateProductBinding(tx, hub.row.id, side, { intent: null, fencedUntil: null, ...kept });
  return loadHub(tx, hub.row.id) ?? hub;
}

/**
 * Variants that we made and whose record went into the bin before anybody saw them there: what they were made with is where their stock is counted
 * from, now or when somebody takes the record out again. By then nobody would know any more, and the two would be linked as strangers are.
 */
function bindLanded(
  view: PairView,
  tx: Tx,
  hub: HubState,
  side: Side,
  { stock }: ProductIntent,
  binned: ProductSnapshot,
  at: number,
): void {
  const bound = new Map([...hub.variantBindings[side].values()].map((row) => [row.externalId, row.variantId]));
  const { known, recognised } = matchVariants(livingOf(hub), bound, binned);
  for (const id of recognised) {
    const [variant, sent] = [known.get(id), stock[id]];
    if (variant === undefined || sent === undefined) continue;
    bindItem(tx, bindingRow(view, hub, side, id, variant, sent), at);
    enqueueStockSync(tx, view.pair.id, { variantId: id, observe: [side] }, at);
  }
}

/** What we wrote to one side, in the history and on the live page. `before`: the side's base until then. */
export function recordWrites(
  view: PairView,
  tx: Tx,
  hub: HubState,
  side: Side,
  intent: ProductIntent,
  before: CanonicalProduct | null,
  at: number,
  cause: 'written' | 'unanswered' = 'written',
): void {
  const common = {
    pairId: view.pair.id,
    runId: view.runId,
    productId: hub.row.id,
    origin: null,
    target: side,
    cause,
    at,
  } as const;
  const event = (payload: Record<string, unknown>) => {
    if (cause === 'unanswered') return;
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: view.pair.id,
      type: 'product_written',
      payload: { productId: hub.row.id, title: hub.row.title, side, ...payload },
      at,
    });
  };
  if (intent.type === 'create') {
    recordChange(tx, { ...common, variantId: null, field: 'created', from: null, to: intent.to.fields.title });
    event({ action: 'create' });
    return;
  }
  for (const [name, to] of Object.entries(intent.fields)) {
    const from = before?.fields[name as keyof CanonicalProduct['fields']] ?? null;
    recordChange(tx, { ...common, variantId: null, field: name, from, to });
    event({ action: 'update', field: name, from, to });
  }
  for (const [id, fields] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    for (const [name, to] of Object.entries(fields)) {
      const from = before?.variants[id]?.[name as keyof VariantFields] ?? null;
      recordChange(tx, { ...common, variantId: id, field: name, from, to });
      event({ action: 'update', variantId: id, field: name, from, to });
      wakeClaimants(tx, view.pair.id, { productId: hub.row.id, side, keys: keysOfField(name, from) }, at);
    }
  }
  for (const id of intent.newVariants) {
    recordChange(tx, {
      ...common,
      variantId: id,
      field: 'created',
      from: null,
      to: hub.row.data.variants[id]?.optionValues ?? null,
    });
    event({ action: 'create_variant', variantId: id });
  }
  for (const id of intent.archived) {
    recordChange(tx, { ...common, variantId: id, field: 'status', from: 'active', to: 'archived' });
    event({ action: 'update', variantId: id, field: 'status', from: 'active', to: 'archived' });
  }
}

type Update = Extract<ProductIntent, { type: 'update' }>;
/** Whether one field is the same in two products. */
type IsAlike = (a: CanonicalProduct, b: CanonicalProduct) => boolean;

/**
 * The part of an unanswered update that was found to have landed: fields that moved from the old base to what was sent, and what was to be put away
 * and is not shown any more.
 */
export function landedPart(
  intent: Update,
  before: CanonicalProduct,
  after: CanonicalProduct,
  shown: CanonicalProduct,
): ProductIntent {
  return {
    ...partWhere(intent, (isAlike) => !isAlike(before, after)),
    newVariants: intent.newVariants.filter(
      (id) => before.variants[id] === undefined && after.variants[id] !== undefined,
    ),
    archived: intent.archived.filter((id) => shown.variants[id] === undefined),
  };
}

/**
 * The part of which nobody can tell: the side shows (`shown`) neither what it had nor what was sent. Somebody typed there, over the one or the other,
 * or the variant was removed.
 */
export function doubtfulPart(
  intent: Update,
  before: CanonicalProduct,
  after: CanonicalProduct,
  shown: CanonicalProduct,
): ProductIntent {
  const part = partWhere(intent, (isAlike) => isAlike(before, after) && !isAlike(before, shown));
  const gone = Object.entries(intent.variants).filter(([id]) => shown.variants[id as VariantId] === undefined);
  return { ...part, variants: { ...part.variants, ...Object.fromEntries(gone) }, newVariants: [], archived: [] };
}

function partWhere(intent: Update, isIn: (isAlike: IsAlike) => boolean): Update {
  const fields: Record<string, unknown> = {};
  for (const [name, to] of Object.entries(intent.fields)) {
    const key = name as keyof CanonicalProduct['fields'];
    const spec = PRODUCT_FIELDS[key] as FieldSpec<unknown>;
    if (isIn((a, b) => spec.same(a.fields[key], b.fields[key]))) fields[name] = to;
  }
  const variants: Record<VariantId, Partial<VariantFields>> = {};
  for (const [id, written] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    const own = Object.entries(written).filter(([name]) => {
      const key = name as keyof VariantFields;
      const spec = VARIANT_FIELDS[key] as FieldSpec<unknown>;
      // A variant that one of the two does not show proves nothing.
      return isIn((a, b) => {
        const [one, other] = [a.variants[id], b.variants[id]];
        return one === undefined || other === undefined || spec.same(one[key], other[key]);
      });
    });
    if (own.length > 0) variants[id] = Object.fromEntries(own) as Partial<VariantFields>;
  }
  return { ...intent, fields: fields as Partial<CanonicalProduct['fields']>, variants };
}
