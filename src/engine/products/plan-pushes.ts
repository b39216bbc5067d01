import { isAreaOn, mayFollow } from '../../core/direction.ts';
import { valuesUnder } from '../../core/option-layout.ts';
import { stockTarget } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { updateProductBinding, upsertProductBinding } from '../../db/writers/products.ts';
import type { ProductIntent, SentStock } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, isBound } from '../hub.ts';
import { mayBearMark } from '../matching/look-for-mark.ts';
import { hasNamesake, NAMESAKE, tellNamesake } from '../matching/namesakes.ts';
import { nameVariant } from '../name-variant.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { NO_VARIANTS, withheldWords } from '../plan/plan-item.ts';
import { raise, WORDS } from '../problems.ts';
import { limitedVariants, tellOfNew } from '../stock/limited-stock.ts';
import { meetStock } from '../stock/meet-stock.ts';
import { livingOf } from './decide.ts';
import { awaitGiven } from './given-variants.ts';
import { NOTHING_LEFT_OUT, restOf } from './left-out.ts';
import { plannedSales } from './planned-sales.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import type { Stored } from './store-decision.ts';
import { isPutOff, unansweredSoFar } from './unanswered.ts';
import { variantsToArchive } from './variants-to-archive.ts';

/**
 * [R12] Turns what each side lacks into writes, and stores their intents. A side that was not read in this pass is not written, and one whose record
 * was `lost` in it gets no other yet.
 */
export function planProductPushes(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  stored: Stored,
  lost: readonly Side[],
): readonly ProductPush[] {
  const hub = meetStock(ctx, tx, view, subject, stored.hub);
  return SIDES.flatMap((side) => {
    if (hub.bindings[side] === undefined)
      return lost.includes(side) || subject.awaited === side ? [] : planCreate(ctx, tx, view, subject, hub, side);
    const push = planUpdate(ctx, tx, view, subject, { ...stored, hub }, side);
    return push === null ? [] : [push];
  });
}

/** What a side lacks that has the record, without what it has refused in this pass. */
export function planUpdate(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  { hub, decision }: Stored,
  side: Side,
  leftOut = NOTHING_LEFT_OUT,
): ProductPush | null {
  const snapshot = subject.snapshots[side];
  if (!isBound(hub, side) || snapshot === undefined || snapshot.trashed || hub.bindings[side]?.intent) return null;
  const owed = decision.reconciliation.sides[side]?.write ?? null;
  const write = owed === null ? null : restOf(owed, leftOut);
  // [V4] What was removed on the other side in this very pass is left alone here.
  const written = Object.entries(write?.variants ?? {}).filter(
    ([id]) => hub.variants.get(id as VariantId)?.stockState !== 'removed',
  ) as [VariantId, Partial<VariantFields>][];
  const isThere = new Set(snapshot.variants.map((variant) => variant.externalId));
  const leaving = variantsToArchive(view, hub, side).filter((externalId) => isThere.has(externalId));
  // [B1] What is to take the place of the last ones can't be made without its options.
  const isKept = leftOut.hasOptions && leaving.length > 0 && leaving.length === isThere.size;
  if (isKept) tellKept(ctx, tx, view, hub, side, leaving);
  const archived = isKept ? [] : leaving;
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
  if (Object.keys(fields).length === 0 && variants.length === 0 && newVariants.length === 0 && archived.length === 0)
    return null;
  const intent: ProductIntent = {
    type: 'update',
    key: ctx.random.id('prw_'),
    fields,
    variants: Object.fromEntries(written),
    newVariants: newVariants.map((variant) => variant.variantId),
    archived: idsOf(hub, side, archived),
    stock: stockOf(newVariants),
    ...plannedSales(hub, side, snapshot, written),
    decidedAt: ctx.clock.now(),
    sentAt: null,
    ...unansweredSoFar(tx, subject, hub, side),
  };
  if (isPutOff(ctx, tx, view, subject, hub, side, intent)) return null;
  updateProductBinding(tx, hub.row.id, side, { intent, fencedUntil: null });
  tellOfNew(ctx, tx, view, subject, hub, side, newVariants);
  return {
    subject,
    productId: hub.row.id,
    side,
    intent,
    leftOut,
    write: {
      type: 'update',
      externalId: snapshot.externalId,
      fields,
      variants,
      newVariants,
      archiveVariants: archived,
      seen: snapshot,
    },
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

/**
 * [M1] A record that has only just been met waits so long before it is made on the other side, ms. Whoever adds a product to both shops (a
 * program that feeds them, a person with two windows) does so within seconds, a webhook of the one may come before the other's record can be
 * found: a search index lags.
 */
export const CREATE_WAIT_MS = 15_000;

/**
 * Whether the record has to wait: until then, and for a search that was asked after that, whenever it is answered. Then a job of its own comes back for
 * it, and a run that met it says so. A plan has just listed both shops.
 */
function mustWait(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): boolean {
  const now = ctx.clock.now();
  const dueAt = hub.row.createdAt + CREATE_WAIT_MS;
  if (subject.isListed || view.pair.status !== 'active' || (subject.searchedAt ?? now) >= dueAt) return false;
  const ref = { productId: hub.row.id };
  enqueueProductSync(tx, view.pair.id, { ref, observe: [otherSide(side)] }, Math.max(now, dueAt));
  subject.result = 'skipped';
  subject.detail = `new: it is looked for in ${PLATFORM_NAME[side]} once more, and made there some seconds after this run`;
  return true;
}

function planCreate(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): readonly ProductPush[] {
  const { settings } = view;
  const isSourceRead = subject.snapshots[otherSide(side)] !== undefined;
  if (
    !isSourceRead ||
    hub.row.state !== 'live' ||
    !settings.syncProducts ||
    !settings.createOn[side] ||
    !mayFollow(side, settings)
  )
    return [];
  const live = livingOf(hub);
  const variants = newVariantsOf(view, subject, hub, side, Object.keys(live.variants) as VariantId[]);
  if (variants.length === 0) {
    subject.result = 'skipped';
    subject.detail = NO_VARIANTS;
    return [];
  }
  const withheld = subject.snapshots[otherSide(side)]?.withheld;
  const why = otherPrices(view) ?? (withheld === undefined ? null : withheldWords(side, withheld));
  if (why !== null) {
    subject.result = 'skipped';
    subject.detail = why;
    return [];
  }
  if (mustWait(ctx, tx, view, subject, hub, side)) return [];
  if (hasNamesake(tx, hub.row, side)) {
    tellNamesake(ctx, tx, view, hub.row, side);
    subject.result = 'skipped';
    subject.detail = NAMESAKE;
    return [];
  }
  if (mayBearMark(ctx, view, hub, side) && !subject.unmarked.has(side)) {
    // It has come back, or got another title, in this very pass: who bears its mark is asked by the next.
    subject.result = 'skipped';
    subject.detail = `it is looked for in ${PLATFORM_NAME[side]} before it is made there`;
    enqueueProductSync(
      tx,
      view.pair.id,
      { ref: { productId: hub.row.id }, observe: [otherSide(side)] },
      ctx.clock.now(),
    );
    return [];
  }
  const mark = { pairId: view.pair.id, hubId: hub.row.id };
  const intent: ProductIntent = {
    type: 'create',
    key: ctx.random.id('prw_'),
    mark,
    // What it is made with, price included, is what hub and side agree on then.
    to: {
      ...live,
      variants: { ...live.variants, ...Object.fromEntries(variants.map((v) => [v.variantId, v.fields])) },
    },
    stock: stockOf(variants),
    decidedAt: ctx.clock.now(),
    sentAt: null,
    ...unansweredSoFar(tx, subject, hub, side),
  };
  if (isPutOff(ctx, tx, view, subject, hub, side, intent)) return [];
  upsertProductBinding(tx, {
    productId: hub.row.id,
    side,
    pairId: view.pair.id,
    storeId: view.stores[side].id,
    externalId: null,
    base: null,
    intent,
    fencedUntil: null,
    adminUrl: '',
    madeAt: null,
    seenInScan: view.pair.scanNumber,
  });
  tellOfNew(ctx, tx, view, subject, hub, side, variants);
  const write: ProductWrite = { type: 'create', mark, fields: live.fields, variants };
  return [{ subject, productId: hub.row.id, side, intent, write, leftOut: NOTHING_LEFT_OUT }];
}

/**
 * New variants begin with the hub's stock, tracked as they are on the side that they came from [V3]. What that side does not count and yet does
 * not sell without end begins as counted, with nothing to sell [S13].
 */
function newVariantsOf(
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  ids: readonly VariantId[],
): readonly NewVariant[] {
  const source = otherSide(side);
  const limited = limitedVariants(subject.snapshots[source]);
  const shown = new Map(subject.snapshots[source]?.variants.map((variant) => [variant.externalId, variant.fields]));
  return ids.flatMap((variantId) => {
    const known = hub.row.data.variants[variantId];
    const row = hub.variants.get(variantId);
    if (known === undefined || row === undefined || row.stockState === 'removed') return [];
    const bound = hub.variantBindings[source].get(variantId);
    // Where it comes from it is not there, so that nobody knows how it is counted.
    if (bound === undefined) return [];
    // [R10] While prices are not kept the same the hub's may be an old one; it is made with the one that it has now.
    const { price } = (isAreaOn('prices', view.settings) ? null : shown.get(bound.externalId)) ?? known;
    const fields = { ...known, price };
    if (limited.has(bound.externalId)) return [{ variantId, fields, stock: { tracked: true, quantity: 0 } }];
    const tracked = bound.baseTracked;
    const quantity = tracked ? stockTarget(row.quantity, fields.backorders, view.settings) : 0;
    return [{ variantId, fields, stock: { tracked, quantity } }];
  });
}

function stockOf(variants: readonly NewVariant[]): SentStock {
  const stock: Record<VariantId, NewVariant['stock']> = {};
  for (const variant of variants) stock[variant.variantId] = variant.stock;
  return stock;
}
