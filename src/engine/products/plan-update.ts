import { valuesUnder } from '../../core/option-layout.ts';
import type { Tx } from '../../db/database.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, isBound } from '../hub.ts';
import { nameVariant } from '../name-variant.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { raise, WORDS } from '../problems.ts';
import { tellOfNew } from '../stock/limited-stock.ts';
import { awaitGiven } from './given-variants.ts';
import { type LeftOut, leavePartsOut, NOTHING_LEFT_OUT, restOf } from './left-out.ts';
import { newVariantsOf, stockOf } from './new-variants.ts';
import { plannedSales } from './planned-sales.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import type { Stored } from './store-decision.ts';
import { partsOf } from './suspects.ts';
import { chooseUpdate, comeBackFor, putOff, unansweredSoFar } from './unanswered.ts';
import { variantsToArchive } from './variants-to-archive.ts';

/** An update of a side as it would be sent, by our ids and by those of its shop. */
interface Draft {
  readonly intent: Pick<Update, 'fields' | 'variants' | 'newVariants' | 'archived'>;
  readonly write: Extract<ProductWrite, { type: 'update' }>;
  readonly written: readonly (readonly [VariantId, Partial<VariantFields>])[];
  readonly newVariants: readonly NewVariant[];
}

type Update = Extract<ProductIntent, { type: 'update' }>;

/** What a side lacks that has the record, without what it has refused in this pass, and what of it is never answered [W8]. Its intent is stored. */
export function planUpdate(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  stored: Stored,
  side: Side,
  refused = NOTHING_LEFT_OUT,
): ProductPush | null {
  const { hub } = stored;
  const snapshot = subject.snapshots[side];
  if (!isBound(hub, side) || snapshot === undefined || snapshot.trashed || hub.bindings[side]?.intent) return null;
  const draft = (leftOut: LeftOut) => draftUpdate(ctx, tx, view, subject, stored, side, snapshot, leftOut);
  const whole = draft(refused);
  if (whole === null) {
    comeBackFor(ctx, tx, view, hub, side, refused.putOff);
    return null;
  }
  const parts = partsOf(whole.intent, hub.row.data);
  const choice = chooseUpdate(ctx, tx, hub, side, parts);
  if (choice.is === 'all') {
    putOff(tx, view, subject, hub, side, choice.until);
    return null;
  }
  const leftOut = choice.is === 'none' ? refused : leavePartsOut(refused, parts, choice.left);
  const sent = choice.is === 'none' ? whole : draft(leftOut);
  if (sent === null) {
    comeBackFor(ctx, tx, view, hub, side, leftOut.putOff);
    return null;
  }
  const intent: Update = {
    type: 'update',
    key: ctx.random.id('prw_'),
    ...sent.intent,
    stock: stockOf(sent.newVariants),
    ...plannedSales(hub, side, snapshot, sent.written),
    decidedAt: ctx.clock.now(),
    sentAt: null,
    ...unansweredSoFar(tx, subject, hub, side),
  };
  updateProductBinding(tx, hub.row.id, side, { intent, fencedUntil: null });
  tellOfNew(ctx, tx, view, subject, hub, side, sent.newVariants);
  return { subject, productId: hub.row.id, side, intent, leftOut, write: sent.write };
}

function draftUpdate(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  { hub, decision }: Stored,
  side: Side,
  snapshot: ProductSnapshot,
  leftOut: LeftOut,
): Draft | null {
  const owed = decision.reconciliation.sides[side]?.write ?? null;
  const write = owed === null ? null : restOf(owed, leftOut);
  // [V4] What was removed on the other side in this very pass is left alone here.
  const written = Object.entries(write?.variants ?? {}).filter(
    ([id]) => hub.variants.get(id as VariantId)?.stockState !== 'removed',
  ) as [VariantId, Partial<VariantFields>][];
  const isThere = new Set(snapshot.variants.map((variant) => variant.externalId));
  const later = new Set([...leftOut.archived].map((id) => hub.variantBindings[side].get(id)?.externalId));
  const leaving = variantsToArchive(view, hub, side).filter((id) => isThere.has(id) && !later.has(id));
  // [B1] What is to take the place of the last ones can't be made without its options.
  const isKept = leftOut.hasOptions && leaving.length > 0 && leaving.length === isThere.size;
  if (isKept) tellKept(ctx, tx, view, hub, side, leaving);
  const archiveVariants = isKept ? [] : leaving;
  const variants = written.flatMap(([id, fields]) => {
    const externalId = hub.variantBindings[side].get(id)?.externalId;
    return externalId === undefined ? [] : [{ externalId, fields }];
  });
  const byExternal = new Map(variants.map((own) => [own.externalId, own.fields]));
  const awaited = awaitGiven(ctx, tx, view, hub, subject.snapshots, side, byExternal);
  const owing = (write?.newVariants ?? []).filter((id) => !awaited.has(id));
  const added = otherPrices(view) === null ? owing : [];
  // What it calls its options while they are not written is held there (R7, R11): a new variant goes by that.
  const names = write?.fields.optionNames ?? snapshot.fields.optionNames;
  const newVariants = newVariantsOf(view, subject, hub, side, added).flatMap((own) => {
    const optionValues = valuesUnder(own.fields.optionValues, hub.row.data.fields.optionNames, names);
    return optionValues === null ? [] : [{ ...own, fields: { ...own.fields, optionValues } }];
  });
  const fields = write?.fields ?? {};
  if (Object.keys(fields).length + variants.length + newVariants.length + archiveVariants.length === 0) return null;
  return {
    intent: {
      fields,
      variants: Object.fromEntries(written),
      newVariants: newVariants.map((variant) => variant.variantId),
      archived: idsOf(hub, side, archiveVariants),
    },
    write: {
      type: 'update',
      externalId: snapshot.externalId,
      ...{ fields, variants, newVariants, archiveVariants },
      seen: snapshot,
    },
    written,
    newVariants,
  };
}

function idsOf(hub: HubState, side: Side, externalIds: readonly string[]): readonly VariantId[] {
  return [...hub.variantBindings[side].values()]
    .filter(({ externalId }) => externalIds.includes(externalId))
    .map(({ variantId }) => variantId);
}

/** [V4] Removed on the other side, and left on sale on this one. */
function tellKept(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  externalIds: readonly string[],
): void {
  for (const { variantId, externalId } of hub.variantBindings[side].values()) {
    if (!externalIds.includes(externalId)) continue;
    const words = WORDS.variantRemoved(otherSide(side), nameVariant(hub, variantId));
    raise(ctx, tx, view, { productId: hub.row.id, side, subject: variantId }, words);
  }
}
