import { mayFollow, mayLead } from '../../core/direction.ts';
import { PRODUCT_FIELDS } from '../../core/fields.ts';
import { type KeyHolders, type MatchResult, matchRecord, type RecordKey, titleKey } from '../../core/match.ts';
import { listShownByTitle } from '../../db/readers/namesakes.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { findObservation, listKeyHolders } from '../../db/writers/observations.ts';
import { fingerprint } from '../../lib/hash.ts';
import type { MatchKey } from '../../model/match.ts';
import type { PlanItemData } from '../../model/plan.ts';
import { otherSide, type PerSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { fieldPast } from '../conflicts/field-past.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, loadHub } from '../hub.ts';
import { keysOf } from '../matching/keys-of.ts';
import { onlySideOf } from '../matching/only-side.ts';
import type { PairView } from '../pair-view.ts';
import { isLeftToDrift } from '../stock/stock-drift.ts';
import { emptyData, fingerprintOf, type PlannedItem, planItem } from './plan-item.ts';
import type { StaysLook } from './plan-stock.ts';

/** Records of one title that are looked at, so that a shop of thousands of "Gift card" is planned in minutes. */
const SHOWN_MAX = 500;
/** Namesakes that a person is shown. */
const CANDIDATES_MAX = 20;

/** Why a product is listed for a person that no key leads to another one. */
export const BY_TITLE = 'title';

/** One record of one side with whatever belongs to it. Null: it was dealt with from the other side. */
export function planRecord(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  mark: (side: Side, externalId: string) => void,
): PlannedItem | null {
  const at = ctx.clock.now();
  const other = otherSide(side);
  const productId = findProductByExternal(ctx.db, view.pair.id, side, snapshot.externalId);
  if (productId !== null) {
    const hub = loadHub(ctx.db, productId);
    const partnerId = hub?.bindings[other]?.externalId ?? null;
    const partner = partnerId === null ? null : findObservation(ctx.db, scanId, other, partnerId);
    if (partner !== null) mark(other, partner.externalId);
    else if (hub !== null && partnerId !== null && isArchivedWith(view, hub, other))
      return planArchive(hub, side, snapshot);
    // [R10] While details are off the hub does not hear of keys that move.
    if (hub !== null && view.settings.syncProducts && onlySideOf(ctx.db, hub) === side) {
      const match = matchOf(ctx, view, scanId, side, snapshot, (key) => key.type !== 'handle');
      const item = planMatch(ctx, view, scanId, side, snapshot, match, mark);
      // Where nothing would be made, nobody has to be asked what it is.
      const isMade = view.settings.createOn[other] && mayFollow(other, view.settings);
      if (item !== null && (item.action !== 'ambiguous' || isMade)) return item;
    }
    const past = hub === null ? undefined : fieldPast(ctx.db, hub, at);
    const stays: StaysLook = (variantId, on, target) => isLeftToDrift(ctx, ctx.db, view, variantId, on, target);
    const item = planItem(view, hub, withSides(side, snapshot, partner), 'linked', at, stays, past);
    return orNamesakes(ctx, view, scanId, side, item);
  }
  const match = matchOf(ctx, view, scanId, side, snapshot);
  const found = planMatch(ctx, view, scanId, side, snapshot, match, mark);
  if (found !== null) return found;
  return orNamesakes(ctx, view, scanId, side, planItem(view, null, withSides(side, snapshot, null), 'only here', at));
}

/** [M1] What would be made where an unlinked product has the very same title is left to a person instead. */
function orNamesakes(ctx: EngineContext, view: PairView, scanId: string, side: Side, item: PlannedItem): PlannedItem {
  const { create, ...rest } = item;
  if (item.action !== 'create' || create === undefined) return item;
  const candidates = listNamesakes(ctx, view, scanId, side, create.fields.title);
  if (candidates.length === 0) return item;
  const data = { ...emptyData(BY_TITLE), side, imageUrl: item.data.imageUrl, candidates };
  return { ...rest, action: 'ambiguous', data };
}

/** Products of the other side with the title of one of `side`, as a listing shows them, that are linked with nothing and lead to nothing. */
export function listNamesakes(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  title: string,
): NonNullable<PlanItemData['candidates']> {
  const other = otherSide(side);
  const key = titleKey(title);
  if (key === '') return [];
  const candidates: NonNullable<PlanItemData['candidates']>[number][] = [];
  // Most of them may be matched with records of this listing.
  for (const externalId of listShownByTitle(ctx.db, view.pair.id, scanId, other, key, SHOWN_MAX)) {
    const found = findObservation(ctx.db, scanId, other, externalId);
    if (found === null || found.trashed || found.unsyncable !== null) continue;
    if (!isUnlinked(ctx, view, scanId, other, found)) continue;
    candidates.push({ side: other, externalId, title: found.fields.title });
    if (candidates.length === CANDIDATES_MAX) break;
  }
  return candidates;
}

function isUnlinked(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
): boolean {
  const match = matchOf(ctx, view, scanId, side, snapshot);
  const productId = findProductByExternal(ctx.db, view.pair.id, side, snapshot.externalId);
  // What leads to several is nothing that anybody knows: each of those it may be is listed by its keys.
  if (productId === null) return match.is === 'alone';
  const hub = loadHub(ctx.db, productId);
  if (hub?.row.state !== 'live' || hub.bindings[otherSide(side)] !== undefined) return false;
  return counterpartOf(ctx, view, scanId, side, snapshot, match) === null;
}

/** A record that has no counterpart yet with the one that it leads to, or with all that it may be; null: there is none. */
function planMatch(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  match: MatchResult,
  mark: (side: Side, externalId: string) => void,
): PlannedItem | null {
  const other = otherSide(side);
  if (match.is === 'alone') return null;
  const counterpart = counterpartOf(ctx, view, scanId, side, snapshot, match);
  if (counterpart !== null) {
    mark(other, counterpart.partner.externalId);
    const { partner, by } = counterpart;
    const item = planItem(view, null, withSides(side, snapshot, partner), by, ctx.clock.now());
    const titles = titlesOf(side, snapshot, partner);
    return item.action === 'link' && isUnlike(titles, by) ? { ...item, data: { ...item.data, unlike: titles } } : item;
  }
  const by = keyOf(ctx, view, scanId, side, match);
  const candidates = match.is === 'ambiguous' ? match.candidates : [match.externalId];
  return {
    action: 'ambiguous',
    productId: null,
    snapshots: withSides(side, snapshot, null),
    fingerprint: fingerprint([side, snapshot.externalId, candidates]),
    data: {
      ...emptyData(by),
      side,
      imageUrl: snapshot.imageUrl,
      candidates: candidates.flatMap((externalId) =>
        SIDES.flatMap((each) => {
          const found = findObservation(ctx.db, scanId, each, externalId);
          return found === null ? [] : [{ side: each, externalId, title: found.fields.title }];
        }),
      ),
    },
  };
}

/** [M1] A handle stays when a product gets another title, and another product may have been given it: a person is asked to look before they are one. */
function isUnlike({ woocommerce, shopify }: PerSide<string>, by: MatchKey): boolean {
  return by === 'handle' && titleKey(woocommerce) !== titleKey(shopify);
}

function titlesOf(side: Side, own: ProductSnapshot, partner: ProductSnapshot): PerSide<string> {
  const [woocommerce, shopify] = side === 'woocommerce' ? [own, partner] : [partner, own];
  return { woocommerce: woocommerce.fields.title, shopify: shopify.fields.title };
}

/** [M5] The kind of key that is not unique: of two of which one leads to the other, it may be one that the other alone bears. */
function keyOf(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  match: Exclude<MatchResult, { readonly is: 'alone' }>,
): MatchKey {
  const partner = match.is === 'matched' ? findObservation(ctx.db, scanId, otherSide(side), match.externalId) : null;
  const back = partner === null ? null : matchOf(ctx, view, scanId, otherSide(side), partner);
  return back?.is === 'ambiguous' ? back.by : match.by;
}

/**
 * [M1] The record of the other side that is to be one product with this one: nobody knows it, or it is known of its own side alone. Null: nothing is, or
 * it can't be told.
 */
function counterpartOf(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  match: MatchResult,
): { readonly partner: ProductSnapshot; readonly by: MatchKey } | null {
  if (match.is !== 'matched') return null;
  const other = otherSide(side);
  const partner = findObservation(ctx.db, scanId, other, match.externalId);
  if (partner === null) return null;
  // [M5] Who is claimed says the same of its claimant, or two items would take one record.
  const back = matchOf(ctx, view, scanId, other, partner);
  if (back.is !== 'matched' || back.externalId !== snapshot.externalId) return null;
  const known = findProductByExternal(ctx.db, view.pair.id, other, match.externalId);
  if (known === null) return { partner, by: match.by };
  // What is known is not joined by its handle, nor while the hub does not hear of keys that move [R10].
  const hub = match.by === 'handle' || !view.settings.syncProducts ? null : loadHub(ctx.db, known);
  return hub !== null && onlySideOf(ctx.db, hub) === other ? { partner, by: match.by } : null;
}

/** [G8] Whether a record that its other side does not list any more is put away here, if that side says that it is gone. */
function isArchivedWith(view: PairView, hub: HubState, goneOn: Side): boolean {
  const { deletePolicy, syncProducts } = view.settings;
  return hub.row.state === 'live' && deletePolicy === 'archive' && syncProducts && mayLead(goneOn, view.settings);
}

/** One listing proves nothing [G7]: applying asks the other side for the record itself, and does this only if it is gone. */
function planArchive(hub: HubState, side: Side, snapshot: ProductSnapshot): PlannedItem {
  const snapshots = withSides(side, snapshot, null);
  const { label } = PRODUCT_FIELDS.status;
  return {
    action: 'archive',
    productId: hub.row.id,
    snapshots,
    fingerprint: fingerprintOf(snapshots),
    data: {
      ...emptyData(`${PLATFORM_NAME[otherSide(side)]} does not list it any more.`),
      side,
      fields: [{ side, field: label, from: snapshot.fields.status, to: 'archived' }],
      imageUrl: snapshot.imageUrl,
    },
  };
}

function matchOf(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  side: Side,
  snapshot: ProductSnapshot,
  isCounted: (key: RecordKey) => boolean = () => true,
): MatchResult {
  const keys = keysOf(ctx, view, side, snapshot).filter(isCounted);
  const holders: KeyHolders[] = keys.map((key) => ({
    key,
    own: listKeyHolders(ctx.db, scanId, side, key.type, key.value),
    other: listKeyHolders(ctx.db, scanId, otherSide(side), key.type, key.value),
  }));
  return matchRecord(snapshot.externalId, holders);
}

function withSides(
  side: Side,
  own: ProductSnapshot,
  partner: ProductSnapshot | null,
): Partial<PerSide<ProductSnapshot>> {
  return partner === null ? { [side]: own } : { [side]: own, [otherSide(side)]: partner };
}
