import { mayLead } from '../core/direction.ts';
import { PRODUCT_FIELDS } from '../core/fields.ts';
import { type KeyHolders, type MatchResult, matchRecord } from '../core/match.ts';
import { findProductByExternal } from '../db/readers/products.ts';
import { findObservation, listKeyHolders } from '../db/writers/observations.ts';
import { fingerprint } from '../lib/hash.ts';
import { otherSide, type PerSide, PLATFORM_NAME, SIDES, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { fieldPast } from './field-past.ts';
import { type HubState, loadHub } from './hub.ts';
import { keysOf } from './keys-of.ts';
import type { PairView } from './pair-view.ts';
import { emptyData, fingerprintOf, type PlannedItem, planItem } from './plan-item.ts';
import type { StaysLook } from './plan-stock.ts';
import { isLeftToDrift } from './stock-drift.ts';

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
    const past = hub === null ? undefined : fieldPast(ctx.db, hub, at);
    const stays: StaysLook = (variantId, on, target) => isLeftToDrift(ctx.db, view, variantId, on, target);
    return planItem(view, hub, withSides(side, snapshot, partner), 'linked', at, stays, past);
  }
  const match = matchOf(ctx, view, scanId, side, snapshot);
  if (match.is === 'alone') return planItem(view, null, withSides(side, snapshot, null), 'only here', at);
  if (match.is === 'matched') {
    const partner = findObservation(ctx.db, scanId, other, match.externalId);
    const isFree = findProductByExternal(ctx.db, view.pair.id, other, match.externalId) === null;
    // [M5] Who is claimed says the same of its claimant, or two items would take one record.
    const back = partner === null ? null : matchOf(ctx, view, scanId, other, partner);
    if (partner !== null && isFree && back?.is === 'matched' && back.externalId === snapshot.externalId) {
      mark(other, partner.externalId);
      return planItem(view, null, withSides(side, snapshot, partner), match.by, at);
    }
  }
  const by = match.by;
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
): MatchResult {
  const holders: KeyHolders[] = keysOf(ctx, view, side, snapshot).map((key) => ({
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
